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
  if (a === b) return 0;
  const left = a[Symbol.iterator]();
  const right = b[Symbol.iterator]();
  for (;;) {
    const x = left.next();
    const y = right.next();
    if (x.done === true) return -1;
    if (y.done === true) return 1;
    const difference = Number(x.value.codePointAt(0)) - Number(y.value.codePointAt(0));
    if (difference !== 0) return difference;
  }
}
