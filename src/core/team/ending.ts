/** Ends a team: after its turns, at once, or because it was given up. */
import { addMilliseconds } from "../instant.ts";
import type { TeamDraft } from "./draft.ts";
import { type After, hasProcess } from "./worker.ts";

/** A drain that is asked for twice is a stop. */
export function askToEnd(draft: TeamDraft, what: "drain" | "stop"): void {
  if (what === "stop" || draft.mode.kind !== "running") endTurnsNow(draft);
  else drain(draft);
}

function drain(draft: TeamDraft): void {
  const stop_at = addMilliseconds(draft.around.now, draft.settings.grace_ms);
  draft.mode = { kind: "draining", stop_at };
  draft.note("draining", null, { stop_at });
  endThoseWithoutProcess(draft);
  for (const { agent_id, phase } of draft.workers) if (phase.kind === "running") draft.tell(agent_id, { do: "drain" });
}

export function endTurnsNow(draft: TeamDraft): void {
  if (draft.mode.kind === "stopping") return;
  draft.mode = { kind: "stopping" };
  draft.note("stopping", null);
  stopAll(draft, { kind: "end" });
}

export function endTeam(draft: TeamDraft, { code, message }: { readonly code: string; readonly message: string }): void {
  draft.mode = { kind: "stopping" };
  stopAll(draft, { kind: "give_up", code, message });
}

function stopAll(draft: TeamDraft, after: After): void {
  endThoseWithoutProcess(draft);
  for (const worker of draft.workers) {
    const { phase } = worker;
    if (phase.kind === "running") draft.endNow(worker, phase.pid, after);
    if (phase.kind === "ending" && phase.after.kind === "fresh") draft.put({ ...worker, phase: { ...phase, after } });
  }
}

function endThoseWithoutProcess(draft: TeamDraft): void {
  for (const worker of draft.workers) {
    if (worker.phase.kind === "ended" || hasProcess(worker)) continue;
    draft.end(worker, { outcome: "clean", code: "drained", message: "It was not running when the team was ended.", fix: null });
  }
}
