/** What a whole case left on disk: edited state files by their bytes, index rows and run records by what they hold. */
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { withoutTimes } from "./clock-words.ts";
import type { Facts } from "./facts/facts.ts";
import { isObject, type Json, parseJson } from "./json.ts";
import { withoutRoot } from "./tree.ts";

export interface Left {
  /** The recorded `after` folder: new and changed files only. */
  readonly recorded: string;
  readonly root: string;
}

interface Sides {
  readonly reference: Facts;
  readonly ours: Facts;
}

export function leftFacts({ recorded, root }: Left): Sides {
  const paths = filesUnder(recorded);
  const theirs = (path: string): string => readFileSync(join(recorded, path), "utf8");
  const own = (path: string): string | null => textIn(root, path);
  const stateFiles = paths.filter((path) => path.endsWith("ACTIVE_GOAL_STATE.md"));
  const indexes = paths.filter((path) => /^[^/]+\/goals\/[^/]+\/runs\/index\.jsonl$/.test(path));
  return {
    reference: { ...stateFileFacts(stateFiles, theirs), ...indexFacts(indexes, theirs) },
    ours: { ...stateFileFacts(stateFiles, own), ...indexFacts(indexes, own) },
  };
}

type Read = (path: string) => string | null;

function textIn(root: string, path: string): string | null {
  const whole = join(root, path);
  return existsSync(whole) ? withoutRoot(root, readFileSync(whole, "utf8")) : null;
}

/** Bytes, but for the time of the edit and its quotes. Line endings are a fact of their own. */
function stateFileFacts(paths: readonly string[], read: Read): Facts {
  const pairs = paths.flatMap((path) => {
    const text = read(path) ?? "";
    const bytes = text.replaceAll("\r\n", "\n").replace(/^updated_at: .*$/m, (line) => withoutTimes(line.replaceAll('"', "")));
    return [[path, bytes] as const, [`${path} has CRLF`, text.includes("\r\n")] as const];
  });
  return Object.fromEntries(pairs);
}

/** Rows that this run wrote: how many in each index, and the ways they are made. */
function indexFacts(paths: readonly string[], read: Read): Facts {
  const counts = paths.map((path) => [`${path} new rows`, newRows(read(path)).length] as const);
  const ways = new Set(paths.flatMap((path) => newRows(read(path)).map((row) => keysOf(row).join(" "))));
  const said = paths.map((path) => [`${path} says`, newRows(read(path)).map(saidBy)] as const);
  return { ...Object.fromEntries([...counts, ...said]), ...(ways.size > 0 && { "index rows": [...ways].sort() }) };
}

const SAID = [
  "goal_id",
  "classification",
  "recommended_action",
  "recommended_action_source",
  "progress_scope",
  "agent_id",
  "agent_lane",
];

function saidBy(row: { readonly [key: string]: Json }): string {
  return SAID.map((key) => row[key] ?? "").join(" | ");
}

function newRows(text: string | null): readonly { readonly [key: string]: Json }[] {
  const rows = (text ?? "").split("\n").map(parseJson).filter(isObject);
  return rows.filter((row) => withoutTimes(String(row["generated_at"])) === "<time>");
}

function keysOf(row: { readonly [key: string]: Json }): readonly string[] {
  return Object.keys(row).filter((key) => row[key] !== null);
}

function filesUnder(folder: string): readonly string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((path) => statSync(join(folder, path)).isFile())
    .sort();
}
