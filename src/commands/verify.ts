/**
 * Runs the checks that a todo declares and records what came of them.
 *
 * Does not own: running them (`verify-todo.ts`), finishing the todo (`done.ts`).
 *
 * V1  What failed is recorded like what passed: a failed check is an answer with `ok: false`, and no refusal.
 * V2  In a turn of an agent a failed check is a failed turn: it counts towards the stall of the todo.
 * V3  Anybody may verify; who names the lease's number, or writes a turn, must be the one who holds the todo. For a number that is
 *     over nothing is run.
 */
import type { TodoRecord } from "../core/events.ts";
import type { GoalCommand } from "../core/goal/command.ts";
import type { GoalDraft } from "../core/goal/draft.ts";
import { type Fence, fenceFlaw } from "../core/goal/fence.ts";
import type { TurnId } from "../core/id.ts";
import type { Instant } from "../core/instant.ts";
import { done, type Refusal, type Reply } from "../core/result.ts";
import { type VerifyPayload, verifyPayload } from "../core/show/verify.ts";
import { type Acting, actingOn } from "./acting.ts";
import type { VerifyRequest } from "./app.ts";
import { todoAsked, turnAsked } from "./asked-ids.ts";
import { goalOfTodo } from "./goal-of-todo.ts";
import { todoToFinish } from "./todo-to-finish.ts";
import { type Verified, verifyTodo } from "./verify-todo.ts";
import type { WritingWorkspace } from "./workspace.ts";
import { writeAndShow } from "./write-and-show.ts";

/** The one that is named, the one that has the todo, or the one in which the agent has one in hand. */
async function goalOf(
  workspace: WritingWorkspace,
  request: VerifyRequest,
): Promise<string | Exclude<Reply<never>, { kind: "done" }>> {
  if (request.goalId !== null) return request.goalId;
  if (request.todoId === null) return await (await import("./goal-of-lease.ts")).goalOfLease(workspace, request);
  const found = await goalOfTodo(workspace, request.todoId);
  return found.kind === "done" ? found.value : found;
}

export async function verify(workspace: WritingWorkspace, request: VerifyRequest): Promise<Reply<VerifyPayload>> {
  const turn = turnAsked(request.turnInstanceId);
  if (turn.kind !== "done") return turn;
  const named = todoAsked(request.todoId);
  if (named.kind !== "done") return named;
  const goalId = await goalOf(workspace, request);
  if (typeof goalId !== "string") return goalId;
  const acting = await actingOn(workspace, { goalId, agentId: request.agentId }, "write");
  if (acting.kind !== "done") return acting;
  const verifying = { ...acting.value, request, turn: turn.value };
  return await verifyIn(workspace, verifying);
}

async function verifyIn(workspace: WritingWorkspace, verifying: Verifying): Promise<Reply<VerifyPayload>> {
  const found = await todoToFinish(workspace, verifying);
  if (found.kind !== "done") return found;
  const { registered, request } = verifying;
  const { todo, head, now } = found.value;
  const late = head === null || request.leaseEpoch === null ? null : fenceFlaw(head, todo, { fence: fenceOf(verifying), now });
  if (late !== null) return late; // (V3)
  const verified = await verifyTodo(workspace, { registered, todo, request: { summary: null, noCache: request.noCache } });
  return "code" in verified ? verified : await record(workspace, verifying, { todo, verified });
}

interface Verifying extends Acting {
  readonly request: VerifyRequest;
  readonly turn: TurnId | null;
}

interface Found {
  readonly todo: TodoRecord;
  readonly verified: Verified;
}

/** (V1) */
async function record(
  workspace: WritingWorkspace,
  verifying: Verifying,
  { todo, verified }: Found,
): Promise<Reply<VerifyPayload>> {
  const { request, turn, agent, registered } = verifying;
  const written = await writeAndShow(workspace, verifying, {
    turn,
    todos: [todo.todo_id],
    dryRun: request.dryRun,
    commands: (draft, _state, material) => commandsFor(verifying, { verified, todo, draft, now: material.at }),
  });
  if (written.kind === "refusal" || written.kind === "bad_input") return written;
  return done(
    verifyPayload({
      goal_id: registered.goal.goal_id,
      agent_id: agent,
      todo_id: todo.todo_id,
      evidence: verified.evidence,
      tree_hash: verified.tree_hash,
      events: written.kind === "written" ? written.events : [],
      dry_run: request.dryRun,
      warnings: written.kind === "written" ? written.warnings : [],
    }),
  );
}

interface Recording extends Found {
  readonly draft: GoalDraft;
  readonly now: Instant;
}

function commandsFor(verifying: Verifying, { verified, todo, draft, now }: Recording): readonly GoalCommand[] | Refusal {
  const { turn, request, agent } = verifying;
  const { evidence, observation } = verified;
  const failed = evidence.find(({ outcome }) => outcome !== "passed");
  const writesTurn = failed !== undefined && agent !== null && turn !== null;
  const standing = draft.todos.get(todo.todo_id);
  if (draft.head !== null && standing !== undefined && (writesTurn || request.leaseEpoch !== null)) {
    const flaw = fenceFlaw(draft.head, standing, { fence: fenceOf(verifying), now }); // (V3)
    if (flaw !== null) return flaw;
  }
  const first = (draft.head?.seq ?? 0) + 1;
  const recorded: readonly GoalCommand[] = evidence.map((made) => ({ kind: "record-evidence", evidence: made }));
  if (!writesTurn) return recorded;
  const written = {
    turn_id: turn,
    todo_id: todo.todo_id,
    outcome: "failed",
    summary: `the check "${failed.label}" did not pass`,
    observation,
    evidence: evidence.map((_made, at) => first + at),
  } as const;
  return [...recorded, { kind: "write-turn", turn: written }]; // (V2)
}

function fenceOf({ agent, turn, request }: Verifying): Fence {
  return { agent_id: agent, turn_id: turn, epoch: request.leaseEpoch, key: null, version: null };
}
