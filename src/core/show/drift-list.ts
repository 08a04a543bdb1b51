/**
 * The payload of `drift`: goal after goal, each with all of its drift, as many goals as fit.
 *
 * B1  A page ends behind a whole goal, so that its cursor loses nothing; its first goal is shown in any case.
 * B2  A default page is at most 32 KiB as `printJson` writes it. `--all` is whole.
 */
import { loopxCommand } from "../command-line.ts";
import type { Drift } from "../drift/drift.ts";
import { driftOf } from "../drift/drift-of.ts";
import type { Instant } from "../instant.ts";
import { cutter } from "./cutter.ts";
import type { Extent } from "./paging.ts";
import { PAGE_BYTES, printCursor } from "./paging.ts";
import { entryBytes, printedBytes } from "./print-json.ts";
import type { ViewRow } from "./status.ts";

/** Of one goal: how long its texts may be and how many entries it may have, until it takes no more than its share of the page. */
const DETAILS = [
  { text: 320, entries: 20 },
  { text: 80, entries: 12 },
] as const;
const LEAST = { text: 24, entries: 5 } as const;
const GOAL_BYTES = 16_384;

export interface DriftInput {
  readonly registry: string;
  readonly runtime_root: string;
  readonly goal_filter: string | null;
  /** Goals that there are to look at. */
  readonly goal_count: number;
  /** By id. */
  readonly goals: readonly ViewRow[];
  /** Goals on the pages before this one. */
  readonly seen: number;
  /** Null: all. */
  readonly kinds: readonly string[] | null;
  readonly extent: Extent;
  readonly now: Instant;
}

export interface DriftLeftOut {
  /** Goals that were not looked at on this page or an earlier one. */
  readonly goals: number;
  readonly entries: number;
  readonly texts: number;
  readonly cursor: string | null;
  readonly get: readonly string[];
}

export interface DriftPayload {
  readonly ok: true;
  readonly registry: string;
  readonly runtime_root: string;
  readonly goal_filter: string | null;
  readonly goal_count: number;
  readonly drift: readonly Drift[];
  readonly left_out: DriftLeftOut;
}

interface OneGoal {
  readonly drift: readonly Drift[];
  readonly entries: number;
  readonly texts: number;
  readonly cursor: string;
}

export function buildDriftList(input: DriftInput): DriftPayload {
  const goals = input.goals.map((row) => oneGoal(row, input));
  if (input.extent.kind !== "page") return assemble(input, goals);
  const longest = input.goals.reduce((most, { cursor }) => Math.max(most, printedBytes(cursor)), 0);
  let room = (input.extent.bytes ?? PAGE_BYTES) - printedBytes(assemble(input, [])) - 400 - 3 * longest;
  const over = goals.findIndex(({ drift }) => {
    room -= bytesOf(drift);
    return room < 0;
  });
  return assemble(input, over < 0 ? goals : goals.slice(0, Math.max(1, over))); // (B1, B2)
}

function oneGoal({ view, cursor }: ViewRow, { kinds, extent, now }: DriftInput): OneGoal {
  const all = driftOf(view, now).filter((entry) => kinds === null || kinds.includes(entry.kind));
  if (extent.kind === "all") return { drift: all, entries: 0, texts: 0, cursor };
  for (const detail of DETAILS) {
    const fitted = { ...shortened(all, detail), cursor };
    if (bytesOf(fitted.drift) <= GOAL_BYTES) return fitted;
  }
  return { ...shortened(all, LEAST), cursor };
}

function shortened(
  all: readonly Drift[],
  { text, entries }: { readonly text: number; readonly entries: number },
): Omit<OneGoal, "cursor"> {
  const cut = cutter(text);
  const drift = all.slice(0, entries).map((entry) => ({
    ...entry,
    declared: cut.text(entry.declared),
    observed: cut.text(entry.observed),
    fix: "person" in entry.fix ? { person: cut.text(entry.fix.person) } : entry.fix,
    ...cut.present("subject", entry.subject),
  }));
  return { drift, entries: all.length - drift.length, texts: cut.count() };
}

function bytesOf(drift: readonly Drift[]): number {
  return drift.reduce((sum, entry) => sum + entryBytes(entry), 0);
}

function assemble(input: DriftInput, goals: readonly OneGoal[]): DriftPayload {
  const { registry, runtime_root, goal_filter, goal_count } = input;
  const seen = input.seen + goals.length;
  const rest = Math.max(0, goal_count - seen);
  const last = goals.at(-1)?.cursor;
  const cursor = rest === 0 || last === undefined ? null : printCursor({ list: "drift", seen, after: last });
  const entries = goals.reduce((sum, goal) => sum + goal.entries, 0);
  const texts = goals.reduce((sum, goal) => sum + goal.texts, 0);
  const filter = goal_filter === null ? [] : ["--goal-id", goal_filter];
  const get = [
    ...(cursor === null ? [] : [loopxCommand("drift", ...filter, "--cursor", cursor)]),
    ...(entries + texts > 0 ? [loopxCommand("drift", ...filter, "--all")] : []),
  ];
  const drift = goals.flatMap((goal) => goal.drift);
  return {
    ok: true,
    registry,
    runtime_root,
    goal_filter,
    goal_count,
    drift,
    left_out: { goals: rest, entries, texts, cursor, get },
  };
}
