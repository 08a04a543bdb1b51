/**
 * One run in few bytes: first its texts are shortened, then what is nested deep is dropped, at last all but the fields that everybody reads.
 */
import type { RunRow, RunSummary } from "../runs/run.ts";
import { type Cutter, cutter } from "./cutter.ts";
import { pick } from "./paging.ts";
import { entryBytes } from "./print-json.ts";

/** A row with what LoopX adds to it; `future` is there for runs dated after now. */
export type ShownRun = RunRow & { readonly origin: RunSummary["origin"]; readonly future?: true };

const HEAD: readonly string[] = [
  "generated_at",
  "goal_id",
  "classification",
  "recommended_action",
  "json_path",
  "markdown_path",
  "agent_id",
  "loopx_event",
  "origin",
  "json_exists",
  "markdown_exists",
  "future",
];
const LIMITS = [320, 80] as const;
const LEAST = 24;
const MAX_DEPTH = 6;

export interface FittedRun {
  readonly run: ShownRun;
  readonly texts: number;
  readonly fields: number;
}

export function fitRun(run: ShownRun, bytes: number): FittedRun {
  if (entryBytes(run) <= bytes) return { run, texts: 0, fields: 0 };
  for (const limit of LIMITS) {
    const fitted = shortened(run, limit);
    if (entryBytes(fitted.run) <= bytes) return fitted;
  }
  return headOnly(run);
}

function shortened(run: ShownRun, limit: number): FittedRun {
  const cut = cutter(limit);
  const shown = shortenedValue(run, { cut, depth: 0 }) as ShownRun;
  return { run: shown, texts: cut.count(), fields: 0 };
}

function headOnly(run: ShownRun): FittedRun {
  const cut = cutter(LEAST);
  const head = Object.entries(pick(run, HEAD)).filter(([, value]) => typeof value !== "object" || value === null);
  const shown = head.map(([key, value]) => [key, typeof value === "string" ? cut.text(value) : value]);
  const dropped = Object.keys(run).length - head.length;
  return { run: Object.fromEntries(shown) as ShownRun, texts: cut.count(), fields: dropped };
}

function shortenedValue(value: unknown, { cut, depth }: { readonly cut: Cutter; readonly depth: number }): unknown {
  if (typeof value === "string") return cut.text(value);
  if (typeof value !== "object" || value === null) return value;
  if (depth >= MAX_DEPTH) return "…";
  const inner = { cut, depth: depth + 1 };
  if (Array.isArray(value)) return value.map((entry) => shortenedValue(entry, inner));
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, shortenedValue(entry, inner)]));
}
