/**
 * Finishes a todo: verified, written, closed, followed up, its lease freed and its cost settled, in one transaction.
 *
 * Does not own: what is judged in that transaction (`done-commands.ts`), running the checks (`verify-todo.ts`).
 *
 * D2  The same turn finishes once: again, it gets the same answer.
 * D5  For whoever no longer holds the todo no check is run: the transaction says no, or that they are to be run after all.
 */
import { finishFlaw } from "../core/goal/fence.ts";
import { type Reply, refuse } from "../core/result.ts";
import type { DonePayload } from "../core/show/done.ts";
import { actingOn } from "./acting.ts";
import { decidingWrite } from "./decide-in-write.ts";
import { doneAnswer } from "./done-answer.ts";
import { doneKey, type Finishing, requestFlaw, turnOf } from "./done-asked.ts";
import { type Attempt, doneCommands, fenceOf, type Outcome } from "./done-commands.ts";
import { type TodoInHand, todoToFinish } from "./todo-to-finish.ts";
import { type Verified, verifyTodo } from "./verify-todo.ts";
import type { WritingWorkspace } from "./workspace.ts";
import { type WriteAnswer, writeGoal } from "./write-goal.ts";

/** Somebody keeps changing the todo's checks while they run. */
const MOST_TRIES = 3;

export async function done(workspace: WritingWorkspace, request: Finishing["request"]): Promise<Reply<DonePayload>> {
  const flaw = requestFlaw(request);
  if (flaw !== null) return flaw;
  const goalId = request.goalId ?? (await (await import("./goal-of-lease.ts")).goalOfLease(workspace, request));
  if (typeof goalId !== "string") return goalId;
  const acting = await actingOn(workspace, { goalId, agentId: request.agentId }, "write");
  if (acting.kind !== "done") return acting;
  const turn = turnOf(request);
  const successors = request.next.map((text) => ({ todo_id: workspace.ids.todoId(), text }));
  return await finishTodo(workspace, { ...acting.value, turn, request, successors, gate_id: workspace.ids.todoId() });
}

export async function finishTodo(workspace: WritingWorkspace, finishing: Finishing): Promise<Reply<DonePayload>> {
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    const found = await todoToFinish(workspace, finishing);
    if (found.kind !== "done") return found;
    const { todo } = found.value;
    const verified = await verifiedFor(workspace, finishing, { ...found.value, tries });
    if ("code" in verified) return verified;
    const outcome: Outcome = { moved: false };
    const written = await writeOnce(workspace, finishing, { todo_id: todo.todo_id, verified, outcome });
    if (!outcome.moved) return await doneAnswer(workspace, finishing, { written, todo, verified });
  }
  return refuse("todo_keeps_changing", "The checks of the todo were changed again and again while they ran.", {
    fix: "loopx done",
  });
}

async function verifiedFor(
  workspace: WritingWorkspace,
  finishing: Finishing,
  { todo, head, now, tries }: TodoInHand & { readonly tries: number },
): ReturnType<typeof verifyTodo> {
  if (todo.status === "done") return NOTHING_TO_VERIFY;
  const late = tries === 0 && head !== null && finishFlaw(head, todo, { fence: fenceOf(finishing), now }) !== null;
  if (late) return NOTHING_TO_VERIFY; // (D5)
  return (tries === 0 ? finishing.verified : null) ?? (await verifyTodo(workspace, { ...finishing, todo }));
}

const NOTHING_TO_VERIFY: Verified = { checks: "", declared: [], evidence: [], tree_hash: null, observation: "" };

async function writeOnce(workspace: WritingWorkspace, finishing: Finishing, attempt: Attempt): Promise<WriteAnswer> {
  const { rows, registered, agent, turn, request } = finishing;
  const asked = { ...request, dryRun: false, agent };
  return await writeGoal(workspace, rows, {
    ...(await decidingWrite(workspace, rows, { registered, agent })),
    actor: { ...(agent !== null && { agent_id: agent }), ...(turn !== null && { turn_id: turn }) },
    todos: [attempt.todo_id],
    rehearse: request.dryRun ? "rehearse" : "store",
    ...(turn !== null && {
      idempotency: { key: doneKey(turn), fingerprint: workspace.digest.sha256(JSON.stringify(asked)), proves: "todo.closed" },
    }), // (D2)
    commands: (draft, _state, material) => doneCommands(finishing, { ...attempt, draft, material }),
  });
}
