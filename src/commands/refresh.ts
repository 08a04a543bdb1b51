/**
 * Records a run of one goal: files are taken in, the run is judged and stored, then shown in files.
 *
 * Does not own: what a run may be (`core/goal/run-request.ts`), the frame of a write (`write-goal.ts`).
 *
 * F1  The answer is `ok` as soon as the run is stored; files that could not be written are warnings, and `doctor --fix`
 *     or the next command writes them.
 * F2  One request with a turn id is recorded once, however often it is sent.
 */

import type { GoalCommand } from "../core/goal/command.ts";
import type { GoalDraft } from "../core/goal/draft.ts";
import { quote } from "../core/goal/handle.ts";
import { compareReady } from "../core/goal/ready-order.ts";
import { intentOf, type RunIntent, runFactsOf } from "../core/goal/run-request.ts";
import { type BadInput, done, type Refusal, type Reply, refuse, reject } from "../core/result.ts";
import type { RunEvent } from "../core/runs/summary.ts";
import type { RefreshRequest } from "./app.ts";
import { isRun } from "./mirror-run.ts";
import { recoverStateFile } from "./recover-state-file.ts";
import { type RefreshAnswer, refreshAnswer, replayAnswer } from "./refresh-answer.ts";
import { findWritable, type RegisteredGoal, type RegistryRows, registryRows } from "./registry-rows.ts";
import { healthOf, noStateForRun, runStateOf, stateForRun } from "./run-state.ts";
import { showWrite } from "./show-write.ts";
import type { StateReading } from "./state-file.ts";
import type { GoalSubject } from "./view-key.ts";
import type { WritingWorkspace } from "./workspace.ts";
import { type WriteAnswer, writeGoal } from "./write-goal.ts";

export async function refresh(workspace: WritingWorkspace, request: RefreshRequest): Promise<Reply<RefreshAnswer>> {
  const rows = await registryRows(workspace);
  if (rows.kind !== "done") return rows;
  const registered = await findWritable(rows.value, request.goalId);
  if (registered.kind !== "done") return registered;
  const intent = intentOf(asRunRequest(request), registered.value.goal.registered_agents);
  if (intent.kind !== "done") return intent;
  const subject: GoalSubject = { goal_id: registered.value.goal.goal_id, registered: registered.value };
  if (!request.dryRun) await bringUpToDate(workspace, rows.value, subject, registered.value);
  const state = stateForRun(workspace, rows.value, { registered: registered.value, stateFile: request.stateFile });
  if (state.kind !== "read") return noStateForRun(registered.value, state);
  return await record(workspace, rows.value, { request, intent: intent.value, registered: registered.value, state });
}

/** What was cut off before is finished, and questions whose time is up are answered. */
async function bringUpToDate(
  workspace: WritingWorkspace,
  rows: RegistryRows,
  subject: GoalSubject,
  registered: RegisteredGoal,
): Promise<void> {
  await recoverStateFile(workspace, subject);
  const { head } = await workspace.store.load({ goal_id: subject.goal_id, todos: "none", base: "none" });
  if ((head?.todo_counts.waiting_for_person ?? 0) === 0) return;
  await (await import("./settle-gates.ts")).settleGates(workspace, { rows, registered, agent: null, turn: null, dryRun: false });
}

interface Recording {
  readonly request: RefreshRequest;
  readonly intent: RunIntent;
  readonly registered: RegisteredGoal;
  readonly state: Extract<StateReading, { kind: "read" }>;
}

async function record(workspace: WritingWorkspace, rows: RegistryRows, recording: Recording): Promise<Reply<RefreshAnswer>> {
  const { request, intent, registered, state } = recording;
  const subject: GoalSubject = { goal_id: registered.goal.goal_id, registered };
  const written = await writeGoal(workspace, rows, {
    subject,
    state,
    actor: {
      ...(intent.agent_id !== null && { agent_id: intent.agent_id }),
      ...(intent.turn_instance_id !== null && { turn_id: intent.turn_instance_id }),
    },
    commands: await commandsFor(workspace, recording),
    todos: intent.todo_id === null ? [] : [intent.todo_id],
    rehearse: request.dryRun ? "rehearse" : "store",
    ...(intent.turn_instance_id !== null && {
      idempotency: { key: intent.turn_instance_id, fingerprint: fingerprintOf(workspace, intent) },
    }), // (F2)
  });
  return await answer(workspace, rows, { ...recording, subject, written });
}

async function answer(
  workspace: WritingWorkspace,
  rows: RegistryRows,
  { written, subject, ...recording }: Recording & { readonly written: WriteAnswer; readonly subject: GoalSubject },
): Promise<Reply<RefreshAnswer>> {
  if (written.kind === "refusal" || written.kind === "bad_input") return written;
  if (written.kind === "replayed") return await replayed(workspace, rows, { ...recording, receipt: written.receipt });
  const run = written.draft.events.find(isRun);
  if (run === undefined) return refuse("run_not_recorded", "The run led to no event.");
  const dry_run = recording.request.dryRun;
  const shown = dry_run
    ? null
    : await showWrite(workspace, rows, { subject, events: written.draft.events, head: written.draft.head, base: written.base });
  return done(
    refreshAnswer({ workspace, rows, run, registered: recording.registered, intent: recording.intent, shown, dry_run }),
  );
}

/** The run that the turn recorded before, as it stands in the journal; what was cut off then is shown now. */
async function replayed(
  workspace: WritingWorkspace,
  rows: RegistryRows,
  { registered, intent, receipt }: Recording & { readonly receipt: { readonly generation: number; readonly seq: number } },
): Promise<Reply<RefreshAnswer>> {
  const { goal_id } = registered.goal;
  const { head, base } = await workspace.store.load({ goal_id, todos: "none", base: "text" });
  await showWrite(workspace, rows, { subject: { goal_id, registered }, events: [], head, base });
  const { generation, seq } = receipt;
  const found = await workspace.store.events({
    goal_id,
    generation,
    type: "run.recorded",
    order: "newest_first",
    beyond_seq: seq + 1,
    limit: 1,
  });
  const run: RunEvent | undefined = found.find(isRun);
  if (run === undefined)
    return refuse("receipt_without_run", "The run of this turn is not in the journal.", { fix: "loopx doctor" });
  return done(replayAnswer({ workspace, rows, run, registered, intent, shown: null, dry_run: false }));
}

async function commandsFor(
  workspace: WritingWorkspace,
  { intent, registered }: Recording,
): Promise<(draft: GoalDraft, state: StateReading) => readonly GoalCommand[] | Refusal | BadInput> {
  const [ready] = await workspace.store.readyTodos(registered.goal.goal_id, { role: "agent", limit: 1 });
  return (draft, state) => {
    if (state.kind !== "read") return noStateForRun(registered, state);
    if (intent.todo_id !== null && !draft.todos.has(intent.todo_id)) return unknownTodo(registered, intent.todo_id);
    const first = draft.events.length > 0 ? firstOpen(draft) : (ready?.text ?? null);
    const facts = runFactsOf(intent, { state: runStateOf(state), health_check: healthOf(registered), first_open_todo: first });
    const next: readonly GoalCommand[] =
      intent.next_action === null ? [] : [{ kind: "set-next-action", text: intent.next_action }];
    return [...next, { kind: "record-run", run: facts }];
  };
}

function firstOpen(draft: GoalDraft): string | null {
  const open = [...draft.todos.values()].filter((todo) => todo.status === "open" && todo.role === "agent" && !todo.archived);
  return open.sort(compareReady)[0]?.text ?? null;
}

function unknownTodo(registered: RegisteredGoal, todoId: string): BadInput {
  return reject("unknown_todo", `Goal ${registered.goal.goal_id} has no todo ${todoId}.`, {
    fix: `loopx goal show --goal-id ${quote(registered.goal.goal_id)}`,
  });
}

function fingerprintOf(workspace: WritingWorkspace, intent: RunIntent): string {
  return workspace.digest.sha256(JSON.stringify(intent));
}

function asRunRequest(request: RefreshRequest): Parameters<typeof intentOf>[0] {
  const given = {
    classification: request.classification,
    recommended_action: request.recommendedAction,
    next_action: request.nextAction,
    agent_id: request.agentId,
    agent_lane: request.agentLane,
    progress_scope: request.progressScope,
    delivery_outcome: request.deliveryOutcome,
    delivery_batch_scale: request.deliveryBatchScale,
    todo_id: request.todoId,
    turn_instance_id: request.turnInstanceId,
  };
  const present = Object.entries(given).filter((entry): entry is [string, string] => entry[1] !== null);
  return { goal_id: request.goalId, ...Object.fromEntries(present) };
}
