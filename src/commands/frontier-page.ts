/** How many todos a decision looks at before it asks for more. */
import type { Decision } from "../core/next/decision.ts";

/** Of each list of the frontier. */
export const FRONTIER_PAGE = 64;
/** Each time a page held nothing that can be done. */
export const PAGE_GROWTH = 16;

/** Work that can be done may stand behind a whole page of work that cannot; what woke comes after all of it. */
export function mayBeBeyondPage({ act, why }: Pick<Decision, "act" | "why">, found: number, limit: number): boolean {
  const isSettled = (act === "run" && why !== "woke") || act === "poll" || act === "stop";
  return !isSettled && found >= limit;
}
