/**
 * The payload of `status`: what needs attention first, a page of goals, and what was left out.
 *
 * Does not own: reading goals (commands), one goal's row (`status-goal.ts`), the page for people (`markdown/`).
 *
 * Z1  Budgets are on the bytes that `printJson` writes: 4 KiB for one goal, 32 KiB for the default page of any number of goals, as long as the two
 *     paths at its head are at most 256 bytes each.
 * Z2  Rows that did not fit are counted in `left_out`, with the cursor behind the last row shown and the commands that give the rest.
 * Z3  Nothing in the payload moves with the clock alone: ages are not in it, and two readings at one moment are equal.
 * Z4  `--all`, and one goal with `--fields`, are whole: nothing is shortened and nothing is dropped.
 * Z5  A row of a short list may take its share of the page: nothing is shortened while there is room.
 */
import { loopxCommand } from "../command-line.ts";
import type { Drift } from "../drift/drift.ts";
import { driftOf } from "../drift/drift-of.ts";
import type { Instant } from "../instant.ts";
import type { Problem } from "../result.ts";
import { type AttentionItem, attentionOf } from "./attention.ts";
import { type FittedItem, fitItem } from "./attention-row.ts";
import { cutter } from "./cutter.ts";
import { type Extent, PAGE_BYTES, pick } from "./paging.ts";
import { printedBytes } from "./print-json.ts";
import { fitRow, type StatusGoal, type StatusProblem, shownProblem } from "./status-goal.ts";
import { leftOutOf, type ShownList, type StatusLeftOut } from "./status-left-out.ts";
import type { GoalView } from "./view.ts";

/** Rows a command should read for a page without `--limit`. */
export const PAGE_ROWS = 20;
export const ONE_GOAL_BYTES = 4096;

/** Over all goals of the registry, or those that the filter leaves. */
export interface StatusCounts {
  readonly goals: number;
  readonly runs: number;
  readonly attention: number;
  readonly waiting_for_person: number;
  readonly open_todos: number;
  readonly waiting_todos: number;
  readonly stopped: number;
}

/** How many goals this command looked at, and since when the others have not been looked at. */
export interface Checked {
  readonly now: number;
  readonly earlier: number;
  readonly oldest: Instant | null;
}

export interface ViewRow {
  readonly view: GoalView;
  /** Opaque place in its list. */
  readonly cursor: string;
}

export interface StatusInput {
  readonly registry: string;
  readonly runtime_root: string;
  readonly goal_filter: string | null;
  readonly counts: StatusCounts;
  readonly checked: Checked;
  /** Of the registry itself. */
  readonly problems: readonly Problem[];
  /** By id. */
  readonly goals: readonly ViewRow[];
  /** In the order of the queue. */
  readonly attention: readonly ViewRow[];
  /** What the cursor continues; the other list is empty then. */
  readonly continues: { readonly list: "goals" | "attention"; readonly seen: number } | null;
  readonly extent: Extent;
  /** Null: all. */
  readonly fields: readonly string[] | null;
  readonly now: Instant;
}

export type StatusRow = Pick<StatusGoal, "goal_id"> & Partial<StatusGoal>;

export interface StatusPayload {
  readonly ok: true;
  /** The event after which this was the answer; absent: now. */
  readonly at?: { readonly seq: number; readonly time: Instant };
  readonly registry: string;
  readonly runtime_root: string;
  readonly goal_filter: string | null;
  readonly goal_count: number;
  readonly run_count: number;
  readonly counts: Omit<StatusCounts, "goals" | "runs">;
  readonly attention_queue: readonly AttentionItem[];
  readonly goals: readonly StatusRow[];
  readonly problems: readonly StatusProblem[];
  readonly checked: Checked;
  readonly left_out: StatusLeftOut;
}

/** What `--fields` may name. */
export const STATUS_FIELDS: readonly string[] = [
  "goal_id",
  "display_name",
  "registered",
  "activation",
  "activation_reason",
  "activation_since",
  "lifecycle",
  "run_count",
  "future_runs",
  "next_action",
  "latest_run",
  "todos",
  "state_file",
  "drift",
  "problems",
  "attention_queue",
];

interface Bytes {
  readonly total: number;
  readonly row: number;
  readonly item: number;
}

const NO_BOUND: Bytes = { total: Number.POSITIVE_INFINITY, row: Number.POSITIVE_INFINITY, item: Number.POSITIVE_INFINITY };
const IN_A_LIST = { row: 1536, item: 640 } as const;
const PROBLEMS = 5;
const PROBLEM_TEXT = 160;
/** Share of the page that the queue may take. */
const QUEUE_SHARE = 0.375;

interface Placed<Entry> {
  readonly entry: Entry;
  /** That its entry takes in its list. */
  readonly bytes: number;
  readonly cursor: string;
}

type ShownItem = Omit<FittedItem, "bytes">;

interface Content {
  readonly goals: readonly Placed<StatusRow>[];
  readonly items: readonly Placed<ShownItem>[];
}

export function buildStatus(input: StatusInput): StatusPayload {
  const bytes = bytesFor(input);
  const room = bytes.total - printedBytes(assemble(input, { goals: [], items: [] })) - reserveFor(input);
  const itemBytes = shareOf(bytes.item, { input, rows: input.attention, room: room * QUEUE_SHARE });
  const drift = driftReader(input.now);
  const items = taken(itemsOf(input, Math.min(itemBytes, room / 3), drift), room * QUEUE_SHARE);
  const left = room - items.reduce((sum, { bytes: used }) => sum + used, 0);
  const rowBytes = shareOf(bytes.row, { input, rows: input.goals, room: left });
  const goals = taken(rowsOf(input, Math.min(rowBytes, left), drift), left);
  return assemble(input, { goals, items });
}

interface Share {
  readonly input: StatusInput;
  readonly rows: readonly ViewRow[];
  readonly room: number;
}

/** (Z5) */
function shareOf(least: number, { input, rows, room }: Share): number {
  if (input.goal_filter !== null) return least;
  return Math.max(least, Math.floor(Math.min(room, PAGE_BYTES) / Math.max(1, rows.length)));
}

function bytesFor({ goal_filter, extent, fields }: StatusInput): Bytes {
  if (extent.kind === "all" || (goal_filter !== null && fields !== null)) return NO_BOUND; // (Z4)
  if (goal_filter !== null) return { total: ONE_GOAL_BYTES, row: ONE_GOAL_BYTES, item: 900 }; // (Z1)
  if (extent.kind === "limit") return { ...NO_BOUND, ...IN_A_LIST };
  return { total: extent.bytes ?? PAGE_BYTES, ...(fields === null ? IN_A_LIST : { row: PAGE_BYTES, item: IN_A_LIST.item }) }; // (Z1)
}

/** For the cursors and their commands, which an empty page does not have yet. */
function reserveFor({ goals, attention }: StatusInput): number {
  const size = ({ cursor }: ViewRow): number => printedBytes(cursor) + printedBytes(loopxCommand("status", "--cursor", cursor));
  return 400 + 2 * [...goals, ...attention].reduce((most, row) => Math.max(most, size(row)), 0);
}

type DriftReader = (view: GoalView) => readonly Drift[];

/** A goal that stands in both lists is asked once. */
function driftReader(now: Instant): DriftReader {
  const known = new Map<GoalView, readonly Drift[]>();
  return (view) => {
    const drift = known.get(view) ?? driftOf(view, now);
    known.set(view, drift);
    return drift;
  };
}

function itemsOf(input: StatusInput, most: number, drift: DriftReader): readonly Placed<ShownItem>[] {
  const { now } = input;
  if (!showsQueue(input)) return [];
  return input.attention.flatMap(({ view, cursor }) => {
    const item = attentionOf(view, { drift: drift(view), now });
    if (item === null) return [];
    const { bytes, ...entry } = fitItem(item, most);
    return [{ entry, bytes, cursor }];
  });
}

function rowsOf({ goals, fields, now }: StatusInput, most: number, drift: DriftReader): readonly Placed<StatusRow>[] {
  const shape = (row: StatusGoal): StatusRow =>
    fields === null ? row : { goal_id: row.goal_id, ...pick(row, [...fields, "left_out"]) };
  return goals.map(({ view, cursor }) => {
    const { row, bytes } = fitRow({ view, drift: drift(view), now }, most, shape);
    return { entry: row, bytes, cursor };
  });
}

function showsQueue({ fields }: StatusInput): boolean {
  return fields === null || fields.includes("attention_queue");
}

/** As many from the front as fit, but always one. */
function taken<Entry>(entries: readonly Placed<Entry>[], room: number): readonly Placed<Entry>[] {
  let used = 0;
  const over = entries.findIndex(({ bytes }) => {
    used += bytes;
    return used > room;
  });
  return over < 0 ? entries : entries.slice(0, Math.max(1, over));
}

function assemble(input: StatusInput, { goals, items }: Content): StatusPayload {
  const { registry, runtime_root, goal_filter, checked } = input;
  const { goals: goal_count, runs: run_count, ...counts } = input.counts;
  const cut = cutter(PROBLEM_TEXT);
  const problems = input.problems.slice(0, PROBLEMS).map((problem) => shownProblem(problem, cut));
  const left_out = leftOutOf({
    goal_filter,
    goals: shownList(input, "goals", { count: goal_count, shown: goals }),
    attention: shownList(input, "attention", { count: showsQueue(input) ? counts.attention : 0, shown: items }),
    rows: goals.map(({ entry }) => entry.left_out ?? null),
    texts: cut.count() + items.reduce((sum, { entry }) => sum + entry.texts, 0),
    problems: input.problems.length - problems.length,
  });
  return {
    ok: true,
    registry,
    runtime_root,
    goal_filter,
    goal_count,
    run_count,
    counts,
    attention_queue: items.map(({ entry }) => entry.item),
    goals: goals.map(({ entry }) => entry),
    problems,
    checked,
    left_out,
  };
}

/** Z2. */
function shownList(
  { continues }: StatusInput,
  list: "goals" | "attention",
  { count, shown }: { readonly count: number; readonly shown: readonly Placed<unknown>[] },
): ShownList {
  const before = continues?.list === list ? continues.seen : 0;
  return { count, seen: before + shown.length, last: shown.at(-1)?.cursor ?? null };
}
