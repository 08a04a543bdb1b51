/**
 * The one open gate of a goal, for an answer that names none.
 *
 * G1  With several, nothing is answered and they are listed.
 */
import { loopxCommand } from "../core/command-line.ts";
import { kindOf } from "../core/goal/todo-traits.ts";
import { done, type Reply, refuse, reject } from "../core/result.ts";
import type { GateDecideRequest } from "./app-todos.ts";
import { readTodos } from "./read-todos.ts";
import { askingOn } from "./todo-asking.ts";
import type { Workspace } from "./workspace.ts";

/** (G1) */
export async function onlyGate(workspace: Workspace, { goalId }: GateDecideRequest): Promise<Reply<string>> {
  if (goalId === null) return reject("option_missing", "Say which question is answered.", { fix: loopxCommand("gate", "list") });
  const asking = await askingOn(workspace, { goalId, agentId: null, turnInstanceId: null, dryRun: true });
  if (asking.kind !== "done") return asking;
  const { rows, registered } = asking.value;
  const { page } = await readTodos(workspace, rows, { registered, todos: "none" });
  const { todos } = await page({ statuses: ["open"], role: "user", archived: false, skip: 0, limit: 1000 });
  const gates = todos.filter((todo) => kindOf(todo) === "gate");
  const [only, second] = gates;
  const fix = loopxCommand("gate", "list", "--goal-id", goalId);
  if (only === undefined) return refuse("no_open_gate", `Goal ${goalId} has no open question.`, { fix });
  if (second === undefined) return done(only.todo_id);
  return refuse("gate_ambiguous", `Goal ${goalId} has ${gates.length} open questions: name the one that is answered.`, {
    fix,
    details: { gates: gates.slice(0, SHOWN_GATES).map(({ todo_id, text }) => ({ todo_id, text: text.slice(0, 200) })) },
  });
}

const SHOWN_GATES = 10;
