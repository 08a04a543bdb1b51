/**
 * Which files of which recorded runs are missing beside the journal.
 *
 * Does not own: what the files hold (`record.ts`, `markdown.ts`), looking and writing (a port).
 *
 * M1  The journal alone says which runs there are; the files are its mirror and are never read back into it.
 * M2  A run with a row keeps the names that the row gives. A run without one is written whole; the writer recognises by
 *     content a pair that an interrupted attempt left, so that nothing is doubled.
 */

import { toRunTime } from "../instant.ts";
import { formatEventRef } from "./event-ref.ts";
import type { OwnRow } from "./line-reader.ts";
import { isNameOfStem, type RunPaths, runStem } from "./stem.ts";
import type { RunEvent } from "./summary.ts";

export type MirrorPart = "row" | "json" | "markdown";

export interface MissingMirror {
  readonly event: RunEvent;
  readonly lacks: readonly MirrorPart[];
  /** File names that its row gives; null without a row. */
  readonly named: RunNames | null;
}

export interface RunNames {
  readonly json: string;
  readonly markdown: string;
}

export interface MirrorEvidence {
  readonly runs: Iterable<RunEvent>;
  readonly own: Iterable<Pick<OwnRow, "event" | "row">>;
  /** Whether the goal's runs folder has a file of that name. */
  readonly has: (name: string) => boolean;
}

export function missingMirrors({ runs, own, has }: MirrorEvidence): readonly MissingMirror[] {
  const rows = new Map([...own].map(({ event, row }) => [event, row]));
  const missing: MissingMirror[] = [];
  for (const event of runs) {
    const row = rows.get(formatEventRef(event));
    const named = row === undefined ? null : namesIn(row, runStem(toRunTime(event.at)));
    const lacks = row === undefined ? (["row", "json", "markdown"] as const) : lacking(named, has); // (M2)
    if (lacks.length > 0) missing.push({ event, lacks, named });
  }
  return missing;
}

/** The names in a row's paths, wherever the tree stood when it was written; null when they are not this run's. */
export function namesIn(row: { readonly [K in keyof RunPaths]?: unknown }, stem: string): RunNames | null {
  const json = lastSegment(row.json_path);
  const markdown = lastSegment(row.markdown_path);
  return isNameOfStem(json, stem) && isNameOfStem(markdown, stem) ? { json, markdown } : null;
}

function lacking(named: RunNames | null, has: (name: string) => boolean): readonly MirrorPart[] {
  if (named === null) return [];
  const parts: MirrorPart[] = [];
  if (!has(named.json)) parts.push("json");
  if (!has(named.markdown)) parts.push("markdown");
  return parts;
}

function lastSegment(path: unknown): string {
  return typeof path === "string" ? path.replace(/^.*[/\\]/s, "") : "";
}
