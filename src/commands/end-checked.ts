/**
 * Runs the acceptance checks of work before a command closes it, and judges in its transaction that they are still the todo's.
 *
 * Does not own: running them (`verify-todo.ts`), finishing a turn with the todo (`done.ts`).
 *
 * K1  Work is closed as done only with passing evidence of every check that it declares; the evidence is recorded with the end.
 * K2  A todo that declares other checks by then has those run.
 * K3  For whoever no longer holds the todo no check is run: the transaction says no, or that they are to be run after all.
 */
import type { TodoRecord } from "../core/events.ts";
import type { GoalCommand } from "../core/goal/command.ts";
import { finishFlaw } from "../core/goal/fence.ts";
import { verifiedFlaw } from "../core/goal/finish.ts";
import { type Refusal, type Reply, refuse } from "../core/result.ts";
import { nowFor } from "./goal-clock.ts";
import type { AskingAbout } from "./todo-asking.ts";
import { checksOf, type Verified, verifyTodo } from "./verify-todo.ts";
import type { WritingWorkspace } from "./workspace.ts";
import type { TodoState } from "./write-todos.ts";

export interface Checking {
  readonly verified: Pick<Verified, "checks" | "declared" | "evidence">;
  /** As the transaction found the todo, where what was run is not what it declares. */
  moved: TodoRecord | null;
}

/** Somebody keeps changing the checks while they run. */
const MOST_TRIES = 3;
const NOTHING: Checking["verified"] = { checks: "[]", declared: [], evidence: [] };

export async function endChecked<T>(
  workspace: WritingWorkspace,
  asking: AskingAbout,
  end: (checking: Checking) => Promise<Reply<T>>,
): Promise<Reply<T>> {
  const { registered, todo_id } = asking;
  const { head, todos } = await workspace.store.load({ goal_id: registered.goal.goal_id, todos: [todo_id], base: "none" });
  let todo = todos.get(todo_id);
  const by = { fence: asking.fence, now: nowFor(head, workspace.clock.now()) };
  const isLate = head !== null && todo !== undefined && finishFlaw(head, todo, by) !== null; // (K3)
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    const request = { summary: null, noCache: false };
    const verified =
      todo === undefined || !isChecked(todo) || (isLate && tries === 0)
        ? NOTHING
        : await verifyTodo(workspace, { registered, todo, request });
    if ("code" in verified) return verified;
    const checking: Checking = { verified, moved: null };
    const ended = await end(checking);
    if (checking.moved === null) return ended;
    todo = checking.moved; // (K2)
  }
  return refuse("todo_keeps_changing", "The checks of the todo were changed again and again while they ran.", {
    fix: "loopx todo complete",
  });
}

/** (K3) */
export function lateEnd({ head, at }: Pick<TodoState, "head" | "at">, todo: TodoRecord, { fence }: AskingAbout): Refusal | null {
  return finishFlaw(head, todo, { fence, now: at });
}

function isChecked({ role, status }: TodoRecord): boolean {
  return role === "agent" && status !== "done";
}

/** (K1) What ends the todo, behind its evidence; nothing where the todo has moved. */
export function checkedEnd(
  checking: Checking,
  todo: TodoRecord,
  commands: readonly GoalCommand[],
): readonly GoalCommand[] | Refusal {
  if (!isChecked(todo)) return commands;
  const { checks, declared, evidence } = checking.verified;
  checking.moved = checks === checksOf(todo) ? null : todo;
  if (checking.moved !== null) return [];
  const recorded = evidence.map((made) => ({ kind: "record-evidence", evidence: made }) as const);
  return verifiedFlaw(todo, declared, evidence) ?? [...recorded, ...commands];
}
