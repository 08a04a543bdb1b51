/**
 * A limit of the host: the whole team pauses, then goes on one by one.
 *
 * D1  While the team cools down already, the same limit met by another worker changes nothing, unless it is known to last longer.
 * D2  A limit that comes back right after a cool-down makes the next one longer; a turn that settles makes it the first again.
 */
import { retryAt } from "../host/failure.ts";
import type { AgentId } from "../id.ts";
import { addMilliseconds, type Instant } from "../instant.ts";
import type { TeamDraft } from "./draft.ts";
import type { Worker } from "./worker.ts";

export function coolDown(draft: TeamDraft, agent_id: AgentId, until: Instant | null): void {
  const { now, random } = draft.around;
  const before = draft.cool_down;
  const isCooling = before !== null && before.until > now;
  if (isCooling && (until === null || until <= before.until)) return; // (D1)
  const attempt = before === null ? 0 : before.attempt + (isCooling ? 0 : 1); // (D2)
  const at = retryAt({ kind: "rate_limited", until }, { attempt, now, random }) ?? now;
  draft.cool_down = { until: at, attempt };
  draft.note("rate_limited", agent_id, { until: at });
  for (const worker of draft.workers) holdBack(draft, worker);
}

/** A worker that does not run yet is held back when it is due. */
export function holdBack(draft: TeamDraft, worker: Worker): void {
  const until = draft.releaseOf(worker);
  if (worker.phase.kind !== "running" || until === null || until <= draft.around.now) return;
  draft.tell(worker.agent_id, { do: "hold", until });
  const { doing, speak_by } = worker.phase;
  const later = addMilliseconds(until, draft.settings.word_ms);
  if (doing.kind === "working" || speak_by === null || speak_by >= later) return;
  draft.put({ ...worker, phase: { ...worker.phase, speak_by: later } });
}

/** (D2) */
export function warmUp(draft: TeamDraft): void {
  if (draft.cool_down !== null && draft.cool_down.until <= draft.around.now) draft.cool_down = null;
}
