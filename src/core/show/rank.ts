/**
 * The one order of things that need attention: waits for a person, then severity, then age, then id.
 *
 * Does not own: what needs attention (`attention.ts`).
 */
import type { Instant } from "../instant.ts";

export type Severity = "high" | "action" | "watch" | "info";

export const SEVERITY_ORDER: readonly Severity[] = ["high", "action", "watch", "info"];

export interface AttentionRank {
  readonly waits_for_person: boolean;
  readonly severity: Severity;
  /** Oldest first. */
  readonly since: Instant;
  readonly goal_id: string;
}

/** Negative when `a` comes first. */
export function compareRanks(a: AttentionRank, b: AttentionRank): number {
  if (a.waits_for_person !== b.waits_for_person) return a.waits_for_person ? -1 : 1;
  const severity = SEVERITY_ORDER.indexOf(a.severity) - SEVERITY_ORDER.indexOf(b.severity);
  if (severity !== 0) return severity;
  return compareText(a.since, b.since) || compareText(a.goal_id, b.goal_id);
}

/** Code point order, the order of text everywhere (S4 of the store). */
export function compareText(a: string, b: string): number {
  const end = Math.min(a.length, b.length);
  let at = 0;
  while (at < end && a.charCodeAt(at) === b.charCodeAt(at)) at += 1;
  return at === end ? a.length - b.length : weight(a.charCodeAt(at)) - weight(b.charCodeAt(at));
}

/** UTF-16 puts the halves of pairs, which stand for the highest code points, below U+E000 to U+FFFF. */
function weight(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit;
}
