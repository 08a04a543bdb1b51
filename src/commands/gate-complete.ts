/**
 * `todo complete --decision-outcome`: how the reference answers gates.
 *
 * Does not own: what an answer leads to (`core/goal/gate.ts`).
 *
 * C1  The same answer again changes nothing; another one is refused and shows the first.
 * C2  `cancel` withdraws the question: what it held up is free, and nobody has answered.
 * C3  Only a person answers or withdraws: who gives an agent id is refused, whatever the answer.
 */
import type { GateOutcome, TodoRecord } from "../core/events.ts";
import type { GoalCommand } from "../core/goal/command.ts";
import { forPerson } from "../core/goal/for-person.ts";
import { kindOf } from "../core/goal/todo-traits.ts";
import { metadataPatch } from "../core/goal/todo-words.ts";
import { type Instant, toRunTime } from "../core/instant.ts";
import { done, type Reply } from "../core/result.ts";
import { type TodoWritePayload, todoWritePayload } from "../core/show/todo.ts";
import type { TodoCompleteRequest } from "./app-todos.ts";
import { settleGates } from "./settle-gates.ts";
import { type AskingAbout, askingAbout } from "./todo-asking.ts";
import { addingBar } from "./todo-limits.ts";
import { nextRecords, readyNext } from "./todo-next.ts";
import type { WritingWorkspace } from "./workspace.ts";
import { standing, type TodoState, writeTodos } from "./write-todos.ts";

/** `todo complete --decision-outcome`, as the reference answers gates; the same answer again changes nothing there. */
export async function completeGate(workspace: WritingWorkspace, request: TodoCompleteRequest): Promise<Reply<TodoWritePayload>> {
  const asking = await askingAbout(workspace, request);
  if (asking.kind !== "done") return asking;
  const { registered, todo_id, missing } = asking.value;
  const patch = metadataPatch(request.words, registered.goal.registered_agents);
  if (patch.kind !== "done") return patch;
  const ready = readyNext(workspace, registered, request.next);
  if (ready.kind !== "done") return ready;
  if (!request.dryRun) await settleGates(workspace, asking.value);
  const reason = patch.value["reason"] ?? patch.value["note"] ?? "";
  const outcome = request.decisionOutcome ?? "approve";
  const written = await writeTodos(workspace, asking.value, {
    todos: [todo_id],
    step: (state) => {
      const gate = state.todos.get(todo_id);
      if (gate === undefined) return missing;
      const { agent } = asking.value;
      if (agent !== null && kindOf(gate) === "gate") return forPerson({ goal_id: registered.goal.goal_id, agent }, gate); // (C3)
      if (gate.status === "done" && gate.metadata["decision_outcome"] === outcome) return [];
      const added = nextRecords(ready.value, { todo: gate, state });
      const bar = addingBar(registered, { head: state.head, added, closes: 1 });
      if (bar !== null) return bar;
      const decided = decision(asking.value, { gate, state, outcome, reason });
      return [...added.map((todo) => ({ kind: "add-todo", todo }) as const), ...decided];
    },
  });
  if (written.kind !== "done") return written;
  const { draft, events, warnings } = written.value;
  const changed = events.length > 0;
  return done(
    todoWritePayload({
      goal_id: draft.goal_id,
      todo: standing(draft, todo_id),
      next: changed ? ready.value.map((each) => standing(draft, each.todo_id)) : [],
      added: false,
      changed,
      already_exists: false,
      dry_run: request.dryRun,
      warnings,
    }),
  );
}

interface Deciding {
  readonly gate: TodoRecord;
  readonly state: TodoState;
  readonly outcome: "approve" | "reject" | "cancel";
  readonly reason: string;
}

function decision({ todo_id, fence }: AskingAbout, { gate, state, outcome, reason }: Deciding): readonly GoalCommand[] {
  const said = (outcome: GateOutcome): GoalCommand => ({
    kind: "decide-gate",
    todo_id,
    outcome,
    reason,
    by: "person",
    until: null,
  });
  if (outcome !== "cancel") return [said(outcome)];
  if (kindOf(gate) !== "gate" || gate.status === "done") return [said("defer")]; // Refused with the reason why no answer is taken.
  const next = { kind: "none", reason: reason === "" ? "the question was withdrawn" : reason } as const;
  const { reason: _before, ...before } = gate.metadata;
  const metadata = { ...before, ...withdrawal(state.at), ...(reason !== "" && { reason }) };
  return [{ kind: "close-todo", todo_id, outcome: "superseded", next, fields: { status: "done", metadata }, fence }];
}

function withdrawal(at: Instant): TodoRecord["metadata"] {
  return { decision_outcome: "cancel", decided_by: "person", outcome: "superseded", completed_at: toRunTime(at) };
}
