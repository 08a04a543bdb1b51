/**
 * Finishes a todo: verified, written, closed, followed up, its lease freed and its cost settled, in one transaction.
 *
 * Does not own: what belongs to that transaction (`core/goal/finish.ts`), running the checks (`verify-todo.ts`).
 *
 * D1  The checks run before the transaction; it compares what they ran on with what stands: the todo's checks, the tree, the
 *     lease's number. What moved meanwhile is refused, or run again.
 * D2  The same turn finishes once: again, it gets the same answer.
 * D3  A todo that is closed already is an answer, not a failure.
 */

import { loopxCommand } from "../core/command-line.ts";
import type { TodoRecord } from "../core/events.ts";
import type { GoalCommand } from "../core/goal/command.ts";
import type { GoalDraft } from "../core/goal/draft.ts";
import type { Fence } from "../core/goal/fence.ts";
import { type Finish, finishCommands, verifiedFlaw } from "../core/goal/finish.ts";
import type { GoalHead } from "../core/goal/head.ts";
import { needsOf } from "../core/goal/todo-traits.ts";
import { type AgentId, parseTodoId, parseTurnId, type TodoId, type TurnId } from "../core/id.ts";
import { type Caps, windowOf } from "../core/quota/law.ts";
import { openTodoBar } from "../core/quota/limits.ts";
import { settingsOf } from "../core/quota/settings-of.ts";
import type { QuotaLimits } from "../core/registry/quota-settings.ts";
import { done as answered, type BadInput, type Refusal, type Reply, refuse, reject } from "../core/result.ts";
import { type DonePayload, donePayload } from "../core/show/done.ts";
import { actingOn } from "./acting.ts";
import type { DoneRequest } from "./app.ts";
import { decidingWrite } from "./decide-in-write.ts";
import type { RegisteredGoal, RegistryRows } from "./registry-rows.ts";
import { showWrite } from "./show-write.ts";
import { todoToFinish } from "./todo-to-finish.ts";
import { checksOf, type Verified, verifyTodo } from "./verify-todo.ts";
import type { WritingWorkspace } from "./workspace.ts";
import { type WriteAnswer, type WriteMaterial, writeGoal } from "./write-goal.ts";

/** Somebody keeps changing the todo's checks while they run. */
const MOST_TRIES = 3;

export interface Finishing {
  readonly rows: RegistryRows;
  readonly registered: RegisteredGoal;
  readonly agent: AgentId | null;
  readonly turn: TurnId | null;
  readonly request: DoneRequest;
  readonly successors: readonly { readonly todo_id: TodoId; readonly text: string }[];
  /** What the checks have shown just now, of the one who ran them. */
  readonly verified?: Verified;
  /** Where it was not said what follows: refused, or what the plan says (E4 of `core/host/turn-ending.ts`). */
  readonly unsaid?: "from_plan";
}

export async function done(workspace: WritingWorkspace, request: DoneRequest): Promise<Reply<DonePayload>> {
  const flaw = requestFlaw(request);
  if (flaw !== null) return flaw;
  const goalId = request.goalId ?? (await (await import("./goal-of-lease.ts")).goalOfLease(workspace, request));
  if (typeof goalId !== "string") return goalId;
  const acting = await actingOn(workspace, { goalId, agentId: request.agentId }, "write");
  if (acting.kind !== "done") return acting;
  const turn = request.turnInstanceId === null ? null : parseTurnId(request.turnInstanceId);
  const successors = request.next.map((text) => ({ todo_id: workspace.ids.todoId(), text }));
  return await finishTodo(workspace, { ...acting.value, turn, request, successors });
}

function requestFlaw({ next, noFollowUp, reason, todoId, turnInstanceId }: DoneRequest): BadInput | null {
  if (todoId !== null && parseTodoId(todoId) === null)
    return reject("todo_id_invalid", `${JSON.stringify(todoId)} is no todo id.`, { fix: "loopx todo list" });
  if (turnInstanceId !== null && parseTurnId(turnInstanceId) === null)
    return reject("turn_id_invalid", `${JSON.stringify(turnInstanceId)} is no turn id.`);
  if (next.some((text) => text.trim() === "")) return reject("text_empty", "--next needs a text.");
  if (noFollowUp && next.length > 0)
    return reject("option_conflict", "--no-follow-up says that nothing comes next, and --next says what does.");
  if (noFollowUp && (reason ?? "").trim() === "") return reject("option_missing", "--no-follow-up needs --reason.");
  return null;
}

export async function finishTodo(workspace: WritingWorkspace, finishing: Finishing): Promise<Reply<DonePayload>> {
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    const found = await todoToFinish(workspace, finishing);
    if (found.kind !== "done") return found;
    const verified = await verifiedFor(workspace, { finishing, todo: found.value, tries });
    if ("code" in verified) return verified;
    const outcome: Outcome = { moved: false };
    const written = await writeOnce(workspace, finishing, { todo_id: found.value.todo_id, verified, outcome });
    if (!outcome.moved) return await answer(workspace, finishing, { written, todo: found.value, verified });
  }
  return refuse("todo_keeps_changing", "The checks of the todo were changed again and again while they ran.", {
    fix: "loopx done",
  });
}

async function verifiedFor(
  workspace: WritingWorkspace,
  { finishing, todo, tries }: { readonly finishing: Finishing; readonly todo: TodoRecord; readonly tries: number },
): ReturnType<typeof verifyTodo> {
  if (todo.status === "done") return NOTHING_TO_VERIFY;
  return (tries === 0 ? finishing.verified : null) ?? (await verifyTodo(workspace, { ...finishing, todo }));
}

const NOTHING_TO_VERIFY: Verified = { checks: "", declared: [], evidence: [], observation: "" };

interface Outcome {
  /** The todo declares other checks by now. */
  moved: boolean;
}

interface Attempt {
  readonly todo_id: TodoId;
  readonly verified: Verified;
  readonly outcome: Outcome;
}

async function writeOnce(workspace: WritingWorkspace, finishing: Finishing, attempt: Attempt): Promise<WriteAnswer> {
  const { rows, registered, agent, turn, request } = finishing;
  const asked = { ...request, agent, todo_id: attempt.todo_id };
  return await writeGoal(workspace, rows, {
    ...(await decidingWrite(workspace, rows, { registered, agent })),
    actor: { ...(agent !== null && { agent_id: agent }), ...(turn !== null && { turn_id: turn }) },
    todos: [attempt.todo_id],
    rehearse: request.dryRun ? "rehearse" : "store",
    ...(turn !== null && {
      idempotency: { key: `done ${turn}`, fingerprint: workspace.digest.sha256(JSON.stringify(asked)), proves: "todo.closed" },
    }), // (D2)
    commands: (draft, _state, material) => commandsFor(finishing, { ...attempt, draft, material }),
  });
}

interface Judging extends Attempt {
  readonly draft: GoalDraft;
  readonly material: WriteMaterial;
}

function commandsFor(finishing: Finishing, judging: Judging): readonly GoalCommand[] | Refusal {
  const { goal } = finishing.registered;
  const todo = judging.draft.todos.get(judging.todo_id);
  const { head } = judging.draft;
  if (todo === undefined || head === null) return unknownTodo(goal, judging.todo_id);
  if (todo.status === "done") return []; // (D3)
  const quota = settingsOf(goal);
  if (quota.kind === "refusal") return quota;
  judging.outcome.moved = judging.verified.checks !== checksOf(todo); // (D1)
  if (judging.outcome.moved) return [];
  const bar =
    verifiedFlaw(todo, judging.verified.declared, judging.verified.evidence) ??
    roomFlaw(finishing, { open: head.todo_counts.open, limits: quota.settings.limits });
  return bar ?? finishingCommands(finishing, { ...judging, todo, head, caps: windowOf(quota.settings).caps });
}

function unknownTodo({ goal_id }: RegisteredGoal["goal"], todoId: TodoId): Refusal {
  return refuse("unknown_todo", `Goal ${goal_id} has no todo ${todoId}.`, {
    fix: loopxCommand("todo", "list", "--goal-id", goal_id),
  });
}

function roomFlaw(
  { registered, successors }: Finishing,
  { open, limits }: { readonly open: number; readonly limits: QuotaLimits },
): Refusal | null {
  if (successors.length === 0) return null;
  return openTodoBar({ goal_id: registered.goal.goal_id, limits }, open - 1 + successors.length);
}

function finishingCommands(
  finishing: Finishing,
  {
    todo,
    head,
    caps,
    material,
    verified,
    draft,
  }: Judging & { readonly todo: TodoRecord; readonly head: GoalHead; readonly caps: Caps },
): readonly GoalCommand[] {
  const { agent, turn, request, successors } = finishing;
  const finished = {
    todo,
    agent_id: agent,
    turn_id: turn,
    summary: request.summary ?? "",
    successors,
    ...continuationFor(finishing, { todo, draft }),
    evidence: verified.evidence,
    observation: verified.observation,
    used: { slots: request.slots ?? 1, tokens: request.tokens ?? 0, wall_ms: request.wallMs ?? 0 },
    fence: fenceOf(finishing),
  };
  const spent = material.spend?.units ?? { slots: 0, tokens: 0, wall_ms: 0 };
  return [{ kind: "clamp-leases" }, ...finishCommands(finished, { head, now: material.at, caps, spent })];
}

/** (E4 of `core/host/turn-ending.ts`) */
function continuationFor(
  { request, successors, unsaid }: Finishing,
  { todo, draft }: { readonly todo: TodoRecord; readonly draft: GoalDraft },
): Pick<Finish, "followed_by" | "no_follow_up"> {
  const said = request.noFollowUp ? (request.reason ?? "") : null;
  if (unsaid === undefined || said !== null || successors.length > 0) return { no_follow_up: said };
  const followed_by = [...draft.todos.values()].filter(
    (other) => other.status !== "done" && needsOf(other).includes(todo.todo_id),
  );
  if (followed_by.length > 0) return { followed_by: followed_by.map(({ todo_id }) => todo_id), no_follow_up: null };
  return { no_follow_up: `Nothing in the plan waits for it: ${request.summary ?? ""}` };
}

function fenceOf({ agent, turn, request }: Finishing): Fence {
  return { agent_id: agent, turn_id: turn, epoch: request.leaseEpoch, key: request.leaseKey, version: request.leaseVersion };
}

interface Answering {
  readonly written: WriteAnswer;
  readonly todo: TodoRecord;
  readonly verified: Verified;
}

async function answer(
  workspace: WritingWorkspace,
  finishing: Finishing,
  { written, todo, verified }: Answering,
): Promise<Reply<DonePayload>> {
  if (written.kind === "refusal" || written.kind === "bad_input") return written;
  const { registered, rows, request, agent } = finishing;
  const { goal_id } = registered.goal;
  const replay = written.kind === "replayed";
  const events = replay ? await closedBefore(workspace, written.receipt) : written.draft.events;
  const head = replay ? written.head : written.draft.head;
  const subject = { goal_id, registered };
  const moved = !replay && events.length > 0 && !request.dryRun;
  const shown = moved ? await showWrite(workspace, rows, { subject, events, head, base: written.base }) : null;
  const before = replay ? todo : (written.draft.todos.get(todo.todo_id) ?? todo);
  return answered(
    donePayload({
      goal_id,
      agent_id: agent,
      todo: before,
      events,
      replay,
      dry_run: request.dryRun,
      evidence: verified.evidence,
      warnings: shown?.warnings ?? [],
    }),
  );
}

/** (D2) */
async function closedBefore(
  { store }: WritingWorkspace,
  {
    goal_id,
    generation,
    seq,
  }: { readonly goal_id: RegisteredGoal["goal"]["goal_id"]; readonly generation: number; readonly seq: number },
): Promise<Awaited<ReturnType<WritingWorkspace["store"]["events"]>>> {
  return await store.events({ goal_id, generation, type: "todo.closed", order: "newest_first", beyond_seq: seq + 1, limit: 1 });
}
