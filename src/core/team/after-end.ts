/**
 * A worker's process has ended: whether and when there is another one.
 *
 * F1  What the worker said when it ended counts; if it said nothing, its exit status does, and a signal is a crash.
 * F2  What was done has no next process; what only a person can put right has none before they did.
 */
import { coolDown } from "./cool-down.ts";
import type { TeamDraft } from "./draft.ts";
import { crashLoop, setBack, tripBreaker } from "./setback.ts";
import type { WorkerEnd } from "./team.ts";
import type { After, Ended, Worker } from "./worker.ts";

export function onEnded(draft: TeamDraft, worker: Worker, end: WorkerEnd): void {
  const { phase } = worker;
  draft.note("exited", worker.agent_id, { end: endText(end) });
  if (phase.kind === "ending") afterOrder(draft, worker, { after: phase.after, end });
  else byItself(draft, worker, manner(worker, end));
}

function byItself(draft: TeamDraft, worker: Worker, told: Manner): void {
  switch (told.kind) {
    case "clean":
      draft.end(worker, { outcome: "clean", code: told.code, message: restedFor(worker) ?? told.message, fix: null });
      break;
    case "fatal":
      putAway(draft, worker, { ...told, outcome: "fatal" }); // (F2)
      break;
    case "rate_limited":
      coolDown(draft, worker.agent_id, worker.said?.until ?? null);
      again(draft, worker, { why: "rate_limited", at: draft.releaseOf(worker) ?? draft.around.now, message: told.message });
      break;
    case "crashed":
      afterCrash(draft, worker, told.message);
  }
}

/** Why it had nothing to do says more than that it was told to end. */
function restedFor({ phase, said }: Worker): string | null {
  if (said?.reason !== "drained" || phase.kind !== "running") return null;
  const { doing } = phase;
  return doing.kind === "idle" || doing.kind === "waiting" ? (doing.message ?? doing.why) : null;
}

type Manner =
  | {
      readonly kind: "clean" | "fatal" | "rate_limited";
      readonly code: string;
      readonly message: string;
      readonly fix: string | null;
    }
  | { readonly kind: "crashed"; readonly message: string };

const BY_REASON: Readonly<Record<string, Manner["kind"]>> = {
  turns_done: "clean",
  idle: "clean",
  drained: "clean",
  stopped: "clean",
  fatal: "fatal",
  rate_limited: "rate_limited",
  fault: "crashed",
};
/** Of a worker that could not even say it: bad input, something that was not found, what only a person can put right. */
const BY_STATUS: Readonly<Record<number, Manner["kind"]>> = { 2: "fatal", 3: "fatal", 4: "rate_limited" };

/** F1. */
function manner({ said }: Worker, end: WorkerEnd): Manner {
  if (said !== null) {
    const kind = BY_REASON[said.reason] ?? "crashed";
    return { kind, code: said.code ?? said.reason, message: said.message, fix: said.fix };
  }
  const kind = end.kind === "exited" ? (BY_STATUS[end.code] ?? "crashed") : "crashed";
  return { kind, code: "worker_ended", message: endText(end), fix: null };
}

function endText(end: WorkerEnd): string {
  switch (end.kind) {
    case "exited":
      return `The worker ended with exit status ${end.code}.`;
    case "signalled":
      return `The worker was ended by ${end.signal}.`;
    case "not_started":
      return `The worker could not be started: ${end.message}.`;
  }
}

interface Ordered {
  readonly after: After;
  readonly end: WorkerEnd;
}

function afterOrder(draft: TeamDraft, worker: Worker, { after, end }: Ordered): void {
  const message = worker.said?.message ?? endText(end);
  if (after.kind === "fresh") again(draft, worker, { why: "fresh_turn", at: draft.around.now, message: null });
  else if (after.kind === "give_up") putAway(draft, worker, { ...after, outcome: "failed", fix: null });
  else draft.end(worker, { outcome: "clean", code: "stopped", message, fix: null });
}

function afterCrash(draft: TeamDraft, worker: Worker, message: string): void {
  if (draft.mode.kind !== "running") {
    draft.end(worker, { outcome: "failed", code: "worker_crashed", message, fix: null });
    return;
  }
  const { worker: counted, standing, until } = setBack(draft, worker);
  if (standing === "goes_on") again(draft, counted, { why: "backoff", at: until, message });
  else putAway(draft, counted, { ...crashLoop(counted, message), outcome: "failed", fix: null });
  tripBreaker(draft, message);
}

function putAway(draft: TeamDraft, worker: Worker, { code, message, fix, outcome }: Omit<Ended, "kind" | "at">): void {
  draft.ask({ agent_id: worker.agent_id, code, message, fix });
  draft.end(worker, { outcome, code, message, fix });
}

type Due = Omit<Extract<Worker["phase"], { kind: "due" }>, "kind">;

function again(draft: TeamDraft, worker: Worker, due: Due): void {
  const ended = whyNotAgain(draft, worker);
  if (ended !== null) {
    draft.end(worker, { outcome: "clean", ...ended, fix: null });
    return;
  }
  draft.note("restarting", worker.agent_id, { ...due });
  const { turns } = worker;
  draft.put({ ...worker, turns_before: turns, restarts: worker.restarts + 1, phase: { kind: "due", ...due } });
}

function whyNotAgain({ mode, settings: { max_turns } }: TeamDraft, { turns }: Worker): Pick<Ended, "code" | "message"> | null {
  if (mode.kind !== "running") return { code: "drained", message: "It had ended when the team was ended." };
  return max_turns !== null && turns >= max_turns ? { code: "turns_done", message: "It took its turns." } : null;
}
