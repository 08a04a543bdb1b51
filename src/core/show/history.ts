/**
 * The payload of `history`: runs newest first, each with the fields it was written with.
 *
 * Does not own: merging and ordering runs (`core/runs`), reading them (adapters).
 *
 * Y1  A run keeps its own keys and values, unknown ones too; `origin`, `json_exists`, `markdown_exists` and `future` are added by LoopX.
 * Y2  `future: true` is on runs dated after now and on no other.
 * Y3  A default page is at most 32 KiB as `printJson` writes it; what was shortened or dropped is in `left_out`. `--all` is whole.
 */
import { loopxCommand } from "../command-line.ts";
import type { Instant } from "../instant.ts";
import type { RunRow, RunSummary } from "../runs/run.ts";
import type { ShownRun } from "./history-run.ts";
import { fitRun } from "./history-run.ts";
import { isFuture } from "./now.ts";
import type { Extent } from "./paging.ts";
import { PAGE_BYTES, printCursor } from "./paging.ts";
import { entryBytes, printedBytes } from "./print-json.ts";

/** Rows a command should read for a page without `--limit`. */
export const HISTORY_ROWS = 10;
const GOALS_SHOWN = 20;
const RUN_BYTES = 3072;

export interface HistoryRun {
  readonly row: RunRow;
  readonly at: Instant | null;
  readonly origin: RunSummary["origin"];
  readonly json_exists?: boolean;
  readonly markdown_exists?: boolean;
  /** Opaque place in the list. */
  readonly cursor: string;
}

/** One goal of the listing, under the reference's names. */
export interface HistoryGoal {
  readonly id: string;
  readonly activation_state: "active" | "stopped";
  readonly display_name: string | null;
  readonly domain: string | null;
  readonly status: string | null;
  readonly registry_member: boolean;
  readonly legacy_runtime_goal: boolean;
  /** Lines of the run index that are not blank, damaged ones too. */
  readonly raw_index_records: number;
  readonly unique_runs: number;
  readonly damage_count: number;
}

export interface HistoryInput {
  readonly registry: string;
  readonly runtime_root: string;
  readonly goal_filter: string | null;
  readonly goal_count: number;
  readonly run_count: number;
  readonly goals: readonly HistoryGoal[];
  /** Newest first. */
  readonly runs: readonly HistoryRun[];
  /** Runs on the pages before this one. */
  readonly seen: number;
  readonly extent: Extent;
  readonly now: Instant;
}

export interface HistoryLeftOut {
  readonly runs: number;
  readonly goals: number;
  /** Texts that were shortened and fields that were dropped, in the runs shown. */
  readonly texts: number;
  readonly fields: number;
  readonly cursor: string | null;
  readonly get: readonly string[];
}

export interface HistoryPayload {
  readonly ok: true;
  /** The event after which this was the answer; absent: now. */
  readonly at?: { readonly seq: number; readonly time: Instant };
  readonly registry: string;
  readonly runtime_root: string;
  readonly goal_filter: string | null;
  readonly goal_count: number;
  readonly run_count: number;
  readonly goals: readonly HistoryGoal[];
  readonly runs: readonly ShownRun[];
  readonly left_out: HistoryLeftOut;
}

interface Fitted {
  readonly run: ShownRun;
  readonly texts: number;
  readonly fields: number;
  readonly cursor: string;
}

export function buildHistory(input: HistoryInput): HistoryPayload {
  const { extent, now } = input;
  const bound = extent.kind === "all" ? Number.POSITIVE_INFINITY : RUN_BYTES;
  const fitted = input.runs.map((run) => ({ ...fitRun(whole(run, now), bound), cursor: run.cursor }));
  if (extent.kind !== "page") return assemble(input, fitted);
  const total = extent.bytes ?? PAGE_BYTES;
  let room = total - printedBytes(assemble(input, [])) - reserve(input);
  const over = fitted.findIndex(({ run }) => {
    room -= entryBytes(run);
    return room < 0;
  });
  return assemble(input, over < 0 ? fitted : fitted.slice(0, Math.max(1, over))); // (Y3)
}

/** Y1, Y2. */
function whole(run: HistoryRun, now: Instant): ShownRun {
  const { row, origin, json_exists, markdown_exists } = run;
  return {
    ...row,
    origin,
    ...(json_exists === undefined ? {} : { json_exists }),
    ...(markdown_exists === undefined ? {} : { markdown_exists }),
    ...(isFuture(run.at, now) ? { future: true as const } : {}),
  };
}

/** For the cursor and its command, which an empty page does not have. */
function reserve({ runs, goal_filter }: HistoryInput): number {
  const longest = runs.reduce((most, run) => Math.max(most, printedBytes(run.cursor)), 0);
  return 400 + 2 * longest + 2 * printedBytes(goal_filter);
}

function assemble(input: HistoryInput, fitted: readonly Fitted[]): HistoryPayload {
  const { registry, runtime_root, goal_filter, goal_count, run_count, extent } = input;
  const goals = extent.kind === "all" ? input.goals : input.goals.slice(0, GOALS_SHOWN);
  return {
    ok: true,
    registry,
    runtime_root,
    goal_filter,
    goal_count,
    run_count,
    goals,
    runs: fitted.map(({ run }) => run),
    left_out: leftOut(input, fitted, goals.length),
  };
}

function leftOut(input: HistoryInput, fitted: readonly Fitted[], goals: number): HistoryLeftOut {
  const seen = input.seen + fitted.length;
  const runs = Math.max(0, input.run_count - seen);
  const last = fitted.at(-1)?.cursor;
  const cursor = runs === 0 || last === undefined ? null : printCursor({ list: "runs", seen, after: last });
  const texts = fitted.reduce((sum, run) => sum + run.texts, 0);
  const fields = fitted.reduce((sum, run) => sum + run.fields, 0);
  const goal = input.goal_filter === null ? [] : ["--goal-id", input.goal_filter];
  const get = [
    ...(cursor === null ? [] : [loopxCommand("history", ...goal, "--cursor", cursor)]),
    ...(texts + fields > 0 ? [loopxCommand("history", ...goal, "--all")] : []),
  ];
  return { runs, goals: Math.max(0, input.goal_count - goals), texts, fields, cursor, get };
}
