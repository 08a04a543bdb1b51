/** How many todos a decision looks at before it asks for more. */
import type { Decision } from "../core/next/decision.ts";

/** Of each list of the frontier. */
export const FRONTIER_PAGE = 64;
/** Each time a page held nothing that can be done. */
export const PAGE_GROWTH = 16;

/** Work that can be done may stand behind a whole page of work that cannot. */
export function mayBeBeyondPage({ act }: Pick<Decision, "act">, found: number, limit: number): boolean {
  return act !== "run" && act !== "poll" && act !== "stop" && found >= limit;
}
