/**
 * Records what somebody saw or ran: `evidence add`.
 *
 * Does not own: evidence of checks that LoopX ran (`verify.ts`).
 *
 * E1  What is reported never counts as a check that passed.
 * E2  The output is kept before the event that names it, and only while the goal stands: nothing is written to the place of a
 *     goal that was archived.
 * E3  An agent reports only about a todo that it may write about; a person about any.
 */

import { loopxCommand } from "../core/command-line.ts";
import type { Evidence } from "../core/events.ts";
import { fenceFlaw } from "../core/goal/fence.ts";
import { secretFlaw } from "../core/goal/secret.ts";
import type { GoalId, TodoId } from "../core/id.ts";
import { spareWriteBar } from "../core/quota/limits.ts";
import { limitedGoal } from "../core/quota/settings-of.ts";
import { type BadInput, done, type Refusal, type Reply, refuse, reject } from "../core/result.ts";
import { type EvidenceAddPayload, isEvidence, shownEvidence } from "../core/show/evidence.ts";
import { argvFlaw } from "../core/verify/argv.ts";
import type { PutBlob, StoredBlob } from "../ports/blobs.ts";
import { type Acting, actingOn } from "./acting.ts";
import type { EvidenceAddRequest } from "./app.ts";
import { whileStanding } from "./archive-standing.ts";
import { todoAsked } from "./asked-ids.ts";
import type { WritingWorkspace } from "./workspace.ts";
import { type FactsAsked, writeAndShow } from "./write-and-show.ts";

interface Adding extends Acting {
  readonly request: EvidenceAddRequest;
  readonly todo_id: TodoId | null;
  readonly blob: StoredBlob | null;
}

export async function evidenceAdd(workspace: WritingWorkspace, request: EvidenceAddRequest): Promise<Reply<EvidenceAddPayload>> {
  const flaw = requestFlaw(request);
  if (flaw !== null) return flaw;
  const todo = todoAsked(request.todoId);
  if (todo.kind !== "done") return todo;
  const acting = await actingOn(workspace, request, "write");
  if (acting.kind !== "done") return acting;
  const output = outputOf(workspace, request);
  if (output.kind !== "done") return output;
  const kept = await keptOutput(workspace, acting.value, { text: output.value, dryRun: request.dryRun });
  if (kept.kind !== "done") return kept;
  return await add(workspace, { ...acting.value, request, todo_id: todo.value, blob: kept.value });
}

function requestFlaw({
  label,
  command,
  exitCode,
  durationSeconds,
  output,
  outputFile,
  note,
}: EvidenceAddRequest): BadInput | null {
  if (label.trim() === "") return reject("text_empty", "--label needs a text.");
  if (command === null && (exitCode !== null || durationSeconds !== null))
    return reject("option_missing", "An exit code and a duration are those of a command: name it with --command-json.");
  if (output !== null && outputFile !== null)
    return reject("option_conflict", "The output is given twice: keep --output or --output-file.");
  const unrunnable = command === null ? null : argvFlaw(command);
  if (unrunnable !== null) return reject("command_invalid", `The command ${unrunnable}.`);
  const secret = [label, note ?? "", (command ?? []).join(" "), output ?? ""].map(secretFlaw).find((found) => found !== null);
  return secret == null ? null : reject("text_holds_secret", `What is to be recorded ${secret}.`);
}

function outputOf({ files }: WritingWorkspace, { output, outputFile }: EvidenceAddRequest): Reply<string | null> {
  if (outputFile === null) return done(output);
  const read = files.readText(outputFile);
  if (read.kind === "text") return done(read.text);
  const problem =
    read.kind === "unreadable" ? read.problem : { path: outputFile, code: "file_missing", message: "there is no such file" };
  return reject("output_unreadable", `${outputFile}: ${problem.message}`, { problems: [problem] });
}

interface Output {
  readonly text: string | null;
  readonly dryRun: boolean;
}

/** (E2) */
async function keptOutput(
  workspace: WritingWorkspace,
  { registered }: Acting,
  { text, dryRun }: Output,
): Promise<Reply<StoredBlob | null>> {
  const { goal_id } = registered.goal;
  if (text === null || dryRun) return done(null);
  const full = await fullBar(workspace, registered);
  if (full !== null) return full;
  const { blobs } = await workspace.checking();
  const bytes = new TextEncoder().encode(text);
  const put = await whileStanding<Promise<PutBlob> | null>(workspace.store, [goal_id], (standing) =>
    standing.has(goal_id) ? blobs.put(goal_id, bytes) : null,
  );
  if (put === null) return archived(goal_id);
  return put.kind === "stored" ? done(put) : reject("output_not_kept", put.problem.message, { problems: [put.problem] });
}

/** Before anything is written: a full goal takes no more reports. */
async function fullBar({ store }: WritingWorkspace, { goal }: Acting["registered"]): Promise<Refusal | null> {
  const { head } = await store.load({ goal_id: goal.goal_id, todos: "none", base: "none" });
  return spareWriteBar(limitedGoal(goal.goal_id, goal), head?.runtime_bytes ?? 0);
}

function archived(goalId: GoalId): Refusal {
  return refuse("goal_archived", `Goal ${goalId} is archived or on its way: nothing is recorded for it.`, {
    fix: loopxCommand("archives", "--goal-id", goalId),
    details: { goal_id: goalId },
  });
}

async function add(workspace: WritingWorkspace, adding: Adding): Promise<Reply<EvidenceAddPayload>> {
  const { request, agent, registered, todo_id, blob } = adding;
  const evidence = evidenceOf(adding);
  const key = request.idempotencyKey;
  const fingerprint = workspace.digest.sha256(JSON.stringify({ agent, evidence }));
  const written = await writeAndShow(workspace, adding, {
    todos: todo_id === null ? [] : [todo_id],
    dryRun: request.dryRun,
    ...(key !== null && { idempotency: { key: `evidence ${key}`, fingerprint, proves: "evidence.recorded" } }),
    commands: commandsFor(adding, evidence),
  });
  if (written.kind === "refusal" || written.kind === "bad_input") return written;
  const replayed = written.kind === "replayed";
  const events = replayed ? await recordedBefore(workspace, written.receipt) : written.events;
  const event = events.find(isEvidence);
  return done({
    ok: true,
    goal_id: registered.goal.goal_id,
    agent_id: agent,
    added: event !== undefined && !replayed && !request.dryRun,
    idempotent_replay: replayed,
    dry_run: request.dryRun,
    evidence: event === undefined ? null : shownEvidence(event),
    dropped_bytes: blob?.dropped_bytes ?? 0,
    warnings: replayed ? [] : written.warnings,
  });
}

/** (E1) */
function evidenceOf({ request, todo_id, blob }: Adding): Evidence {
  const { label, command, exitCode, durationSeconds, note } = request;
  return {
    ...(todo_id !== null && { todo_id }),
    label,
    argv: command ?? [],
    outcome: "reported",
    exit_code: exitCode,
    duration_ms: Math.round((durationSeconds ?? 0) * 1000),
    tree_hash: null,
    environment: null,
    output: blob === null ? null : { sha256: blob.sha256, bytes: blob.bytes },
    ...(note !== null && { note }),
  };
}

function commandsFor({ agent, todo_id, request, registered }: Adding, evidence: Evidence): FactsAsked["commands"] {
  return (draft, _state, { at: now }) => {
    const todo = todo_id === null ? null : draft.todos.get(todo_id);
    if (todo === undefined || draft.head === null) {
      return reject("unknown_todo", `Goal ${registered.goal.goal_id} has no todo ${todo_id ?? ""}.`, {
        fix: loopxCommand("todo", "list", "--goal-id", registered.goal.goal_id),
      });
    }
    const fence = { agent_id: agent, turn_id: null, epoch: request.leaseEpoch, key: null, version: null };
    const isPerson = agent === null && request.leaseEpoch === null;
    const flaw = todo === null || isPerson ? null : fenceFlaw(draft.head, todo, { fence, now }); // (E3)
    return flaw ?? [{ kind: "record-evidence", evidence }];
  };
}

async function recordedBefore(
  { store }: WritingWorkspace,
  { goal_id, generation, seq }: { readonly goal_id: GoalId; readonly generation: number; readonly seq: number },
): ReturnType<WritingWorkspace["store"]["events"]> {
  const type = "evidence.recorded";
  return await store.events({ goal_id, generation, type, order: "newest_first", beyond_seq: seq + 1, limit: 1 });
}
