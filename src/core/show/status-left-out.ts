/** What a page of status does not show, and how to get it. */
import { loopxCommand } from "../command-line.ts";
import { goalCommandFor } from "../drift/drift.ts";
import { printCursor } from "./paging.ts";
import type { RowLeftOut } from "./status-goal.ts";

export interface StatusLeftOut {
  /** Goals and queue entries that are not on this page or an earlier one. */
  readonly goals: number;
  readonly attention: number;
  /** Texts that were shortened, and entries of lists that were dropped, in what is on this page. */
  readonly texts: number;
  readonly entries: number;
  readonly goals_cursor: string | null;
  readonly attention_cursor: string | null;
  /** Commands that give the rest. */
  readonly get: readonly string[];
}

/** One of the two lists of the page. */
export interface ShownList {
  /** Of all there are. */
  readonly count: number;
  /** On this page and, where a cursor is continued, before it. */
  readonly seen: number;
  /** Place of the last one shown. */
  readonly last: string | null;
}

interface Shown {
  readonly goal_filter: string | null;
  readonly goals: ShownList;
  readonly attention: ShownList;
  readonly rows: readonly (RowLeftOut | null)[];
  readonly texts: number;
  readonly problems: number;
}

export function leftOutOf({ goal_filter, goals, attention, rows, ...page }: Shown): StatusLeftOut {
  const sum = (of: (row: RowLeftOut) => number): number => rows.reduce((all, row) => all + (row === null ? 0 : of(row)), 0);
  const texts = page.texts + sum((row) => row.texts);
  const entries = page.problems + sum((row) => row.drift + row.problems + row.todos);
  const cursors = { attention: cursorOf("attention", attention), goals: cursorOf("goals", goals) };
  const whole = goal_filter === null ? loopxCommand("status", "--all") : goalCommandFor(goal_filter, "goal show");
  const next = [cursors.attention, cursors.goals].filter((cursor) => cursor !== null);
  return {
    goals: restOf(goals),
    attention: restOf(attention),
    texts,
    entries,
    goals_cursor: cursors.goals,
    attention_cursor: cursors.attention,
    get: [...next.map((cursor) => loopxCommand("status", "--cursor", cursor)), ...(texts + entries > 0 ? [whole] : [])],
  };
}

function restOf({ count, seen }: ShownList): number {
  return Math.max(0, count - seen);
}

function cursorOf(list: "goals" | "attention", shown: ShownList): string | null {
  return restOf(shown) === 0 || shown.last === null ? null : printCursor({ list, seen: shown.seen, after: shown.last });
}
