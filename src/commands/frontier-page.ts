/**
 * How many todos a decision looks at before it asks for more.
 *
 * G1  What a decision would have rested on is never left out because it stands behind a whole page of what cannot be done.
 * G2  More is asked for only where it could change the answer.
 */
import type { TodoRecord } from "../core/events.ts";
import { UNRANKED } from "../core/goal/ready-order.ts";
import type { Instant } from "../core/instant.ts";
import type { Decision, Why } from "../core/next/decision.ts";
import { columnsOf, type Frontier } from "../core/next/frontier.ts";
import { isLapsed } from "../core/next/gates.ts";

/** Of each list of the frontier. */
export const FRONTIER_PAGE = 64;
/** Each time a page held nothing that can be done. */
export const PAGE_GROWTH = 16;

export interface Page {
  readonly frontier: Frontier;
  readonly limit: number;
  readonly now: Instant;
}

/** Said before any list is looked at (G2). */
const BEFORE_LISTS: ReadonlySet<Why> = new Set<Why>([
  ...(["state_unreadable", "stopped", "archived", "quota_invalid", "paused", "rate_limited", "throttled", "continue"] as const),
]);
/** About the first todo of a list, which others may come before. */
const BY_RANK: ReadonlySet<Why> = new Set<Why>(["monitor_due", "stalled", "workspace", "scope", "work"]);

export function mayBeBeyondPage({ why, todo }: Pick<Decision, "why" | "todo">, page: Page): boolean {
  if (BEFORE_LISTS.has(why)) return false;
  const full = listsBefore(why, page).filter((list) => list.length >= page.limit);
  return BY_RANK.has(why) && todo !== null ? full.some((list) => goesOnBefore(list, todo)) : full.length > 0;
}

/** Those in which a todo would have given another answer (G1). */
function listsBefore(why: Why, { frontier, now }: Page): readonly (readonly TodoRecord[])[] {
  const { work, waiting, woken, gaps, gates } = frontier;
  const hasLapsed = gates.some((gate) => isLapsed(gate, now));
  const monitors = hasLapsed ? frontier.monitors : dueOnly(frontier.monitors, now);
  if (why === "monitor_only") return [monitors];
  const toDo = [monitors, work, ...(hasLapsed ? [waiting] : [])];
  if (BY_RANK.has(why) || why === "gap") return toDo;
  return why === "woke" ? [...toDo, gaps] : [...toDo, gaps, woken];
}

/** Nothing, where the last of the page is not due: then all that are due were seen. */
function dueOnly(monitors: Frontier["monitors"], now: Instant): Frontier["monitors"] {
  const last = monitors.at(-1);
  if (last === undefined) return [];
  const { waits, due_at } = columnsOf(last);
  return waits || (due_at !== null && due_at > now) ? [] : monitors;
}

function goesOnBefore(list: readonly TodoRecord[], { todo_id, priority }: TodoRecord): boolean {
  const last = list.at(-1)?.priority ?? UNRANKED;
  return last <= (priority ?? UNRANKED) && !list.some((todo) => todo.todo_id === todo_id);
}
