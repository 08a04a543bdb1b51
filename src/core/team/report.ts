/** What a worker says, and what follows at once. */
import { type HostFailureKind, reactionTo } from "../host/failure.ts";
import { isHeldBack, type ReportedFailure, type WorkerReport } from "../host/worker-protocol.ts";
import { addMilliseconds, type Instant, laterOf } from "../instant.ts";
import { coolDown, holdBack, warmUp } from "./cool-down.ts";
import type { TeamDraft } from "./draft.ts";
import { clearSetbacks, crashLoop, setBack, tripBreaker } from "./setback.ts";
import type { Doing, LastResult, Running, Worker } from "./worker.ts";

export function onReport(draft: TeamDraft, worker: Worker, report: WorkerReport): void {
  const heard: Worker = { ...worker, turns: worker.turns_before + report.turns };
  switch (report.event) {
    case "stopped": {
      const { reason, message, code = null, fix = null, until = null } = report;
      draft.put({ ...heard, said: { reason, message, code, fix, until } });
      break;
    }
    case "turn_settled":
      onSettled(draft, heard, report);
      break;
    case "turn_failed":
      onFailed(draft, heard, report);
      break;
    default:
      does(draft, heard, report);
  }
}

type Telling = Exclude<WorkerReport["event"], "stopped" | "turn_settled" | "turn_failed">;

function does(draft: TeamDraft, worker: Worker, report: Extract<WorkerReport, { event: Telling }>): void {
  draft.put(worker);
  if (worker.phase.kind !== "running") return;
  const before = worker.phase.doing;
  const doing = doingOf(report, before);
  const speak_by = speakBy(draft, report.event === "deciding" ? { kind: "deciding" } : doing);
  const rests_since = hasNothingToDo(doing) ? (worker.phase.rests_since ?? draft.around.now) : null;
  draft.put({ ...worker, phase: { ...worker.phase, doing, rests_since, speak_by, nudged: "no" } });
  if (report.event === "claimed" || report.event === "turn_started") noteFact(draft, worker, report);
  else if (doing.kind !== before.kind && doing.kind !== "deciding") draft.note(doing.kind, worker.agent_id, factsOf(doing));
}

/** Who only waits for the end of a back-off has not looked for work. */
function hasNothingToDo(doing: Doing): boolean {
  return (doing.kind === "waiting" || doing.kind === "idle") && !isHeldBack(doing.why);
}

function factsOf({ kind: _, ...facts }: Doing): Readonly<Record<string, unknown>> {
  return facts;
}

function doingOf(report: Extract<WorkerReport, { event: Telling }>, before: Doing): Doing {
  switch (report.event) {
    // One that looks whether its wait is over waits until it says otherwise: nothing has changed.
    case "deciding":
      return before.kind === "waiting" || before.kind === "idle" ? before : { kind: "deciding" };
    case "waiting":
      return { kind: "waiting", ...whyOf(report), until: report.until };
    case "idle":
      return { kind: "idle", ...whyOf(report) };
    case "claimed":
      return { kind: "working", ...namesOf(report), text: report.text };
    case "turn_started":
      return { kind: "working", ...namesOf(report), text: before.kind === "working" ? before.text : "" };
  }
}

function whyOf({ why, message }: { readonly why: string; readonly message?: string }): { why: string; message?: string } {
  return { why, ...(message !== undefined && { message }) };
}

interface Named {
  readonly goal_id: string;
  readonly todo_id: string | null;
  readonly turn_id: string;
}

function namesOf({ goal_id, todo_id, turn_id }: Named): Named {
  return { goal_id, todo_id, turn_id };
}

/** By when a worker that does this ought to say something; null: it may be silent. */
export function speakBy({ around: { now }, settings }: Pick<TeamDraft, "around" | "settings">, doing: Doing): Instant | null {
  switch (doing.kind) {
    case "starting":
    case "deciding":
      return addMilliseconds(now, settings.word_ms);
    case "waiting":
      return addMilliseconds(laterOf(now, doing.until), settings.word_ms);
    case "working":
      return addMilliseconds(now, settings.turn_ms);
    case "idle":
      return null;
  }
}

function onSettled(draft: TeamDraft, worker: Worker, report: Extract<WorkerReport, { event: "turn_settled" }>): void {
  noteFact(draft, worker, report);
  warmUp(draft);
  draft.settle(worker.agent_id);
  const last: LastResult = { at: draft.around.now, outcome: report.outcome, message: report.summary };
  between(draft, { ...clearSetbacks(draft, worker), last, failed_as: null });
}

function onFailed(draft: TeamDraft, worker: Worker, report: Extract<WorkerReport, { event: "turn_failed" }>): void {
  noteFact(draft, worker, report);
  const { failure } = report;
  const last: LastResult = { at: draft.around.now, outcome: "failed", message: failure.message };
  between(draft, { ...worker, last, failed_as: failure.kind });
  const reaction = reactionOf(failure, worker.failed_as === failure.kind ? 1 : 0);
  if (reaction === null) return;
  const heard = draft.worker(worker.agent_id);
  if (failure.kind === "rate_limited") coolDown(draft, worker.agent_id, failure.until ?? null);
  else if (reaction.ask === "person")
    draft.ask({ agent_id: worker.agent_id, code: failure.kind, message: failure.message, fix: null });
  else if (reaction.stall === "counts") afterFailedTurn(draft, heard, failure);
}

/** Null: no failure of the host, but what became of the work; the next decision sees to that. */
function reactionOf({ kind }: ReportedFailure, attempt: number): ReturnType<typeof reactionTo> | null {
  return (reactionTo(kind as HostFailureKind, attempt) as ReturnType<typeof reactionTo> | undefined) ?? null;
}

function between(draft: TeamDraft, worker: Worker): void {
  const doing = { kind: "deciding" } as const;
  const { phase } = worker;
  const running = (phase_: Running): Running => ({
    ...phase_,
    doing,
    rests_since: null,
    speak_by: speakBy(draft, doing),
    nudged: "no",
  });
  draft.put({ ...worker, phase: phase.kind === "running" ? running(phase) : phase });
}

function afterFailedTurn(draft: TeamDraft, worker: Worker, failure: ReportedFailure): void {
  if (worker.phase.kind !== "running") return;
  const { pid } = worker.phase;
  const { worker: counted, standing, until } = setBack(draft, worker);
  draft.put(counted);
  if (tripBreaker(draft, failure.message)) return;
  if (standing === "given_up") {
    draft.endNow(counted, pid, { kind: "give_up", ...crashLoop(counted, failure.message) });
    return;
  }
  if (until <= draft.around.now) return;
  draft.tell(worker.agent_id, { do: "hold", until });
  holdBack(draft, draft.worker(worker.agent_id));
}

function noteFact(draft: TeamDraft, worker: Worker, report: WorkerReport): void {
  const { event, at: _, turns: __, ...facts } = report;
  draft.note(event, worker.agent_id, facts);
}
