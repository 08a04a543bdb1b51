/** What waits for a person, for that person. */
import { loopxCommand } from "../../command-line.ts";
import { code, markdown as text } from "../escape.ts";
import type { GateDecisionPayload, GateListPayload, HoldsUp, ShownWaiting } from "../gate.ts";
import { counted, list, page } from "./table.ts";
import { problemLine } from "./words.ts";

export function gateListPage({ gates, gate_count, left_out, problems }: GateListPayload): string {
  return page(
    [gate_count === 0 ? "# Nothing waits for you" : `# ${counted(gate_count, "thing waits", "things wait")} for you`],
    ...gates.map(block),
    left_out.gates === 0 ? [] : [`${left_out.gates} more: ${code(left_out.get[0] ?? "")}`],
    list(problems.map(problemLine)),
  );
}

function block(gate: ShownWaiting): readonly string[] {
  const { goal_id, todo_id, kind, since, holds_up, commands, expired, expires_at, default_outcome } = gate;
  return [
    `## ${text(gate.text)}`,
    "",
    ...list([
      `${kind === "gate" ? "question" : "to do"} ${code(todo_id)} of goal ${code(goal_id)}${since === null ? "" : `, since ${since}`}`,
      ...heldUp(holds_up),
      ...(expires_at === null
        ? []
        : [`${expired ? "its time was up" : "until"} ${expires_at}, then ${text(default_outcome ?? "")}`]),
      ...commands.map(code),
    ]),
  ];
}

function heldUp(holds: HoldsUp): readonly string[] {
  switch (holds.scope) {
    case "goal":
      return ["holds up the whole goal"];
    case "agents":
      return [`holds up ${holds.agents.map(code).join(", ")}`];
    case "todos":
    case "decision":
      return holds.todo_ids.length === 0 ? [] : [`holds up ${holds.todo_ids.map(code).join(", ")}`];
    case "nothing":
      return [];
  }
}

const DONE: Readonly<Record<string, string>> = { approve: "Approved", reject: "Rejected", defer: "Deferred" };

export function gateDecisionPage({
  goal_id,
  todo,
  decision,
  affected,
  affected_count,
  dry_run,
  warnings,
}: GateDecisionPayload): string {
  const more = affected_count - affected.length;
  const blocked = decision.outcome === "reject" && affected.some(({ status }) => status === "blocked");
  return page(
    [`# ${dry_run ? "Would be: " : ""}${DONE[decision.outcome] ?? decision.outcome}: ${text(todo.text)}`],
    list([
      `question: ${code(todo.todo_id)}`,
      ...(decision.reason === null ? [] : [`reason: ${text(decision.reason)}`]),
      ...affected.map(({ todo_id, status, waits }) => `${code(todo_id)} is ${status}${waits ? " and waits" : ""}`),
      ...(more === 0 ? [] : [`${counted(more, "todo")} more: ${code(loopxCommand("todo", "list", "--goal-id", goal_id))}`]),
      ...warnings.map(problemLine),
    ]),
    blocked ? [`What is blocked stays so until it is opened again: ${code("loopx todo reopen ID")}`] : [],
  );
}
