/**
 * The files of a working folder that count (`ports/tree-hash.ts` H2, H5).
 *
 * Does not own: what Git says (`git-files.ts`), what an input means (`core/verify/input-pattern.ts`).
 *
 * Paths are bytes as Latin-1, so that every name is kept, and the order of texts is the order of bytes.
 */
import { type BigIntStats, lstatSync, readdirSync, realpathSync } from "node:fs";
import { relative, sep } from "node:path";
import { setImmediate } from "node:timers/promises";
import { type Following, followInput, type InputPattern, parseInput } from "../../core/verify/input-pattern.ts";
import type { TreeHashRequest } from "../../ports/tree-hash.ts";
import { errnoOf } from "./file-fault.ts";
import { gitFiles } from "./git-files.ts";

const NEVER = /(?:^|\/)(?:\.git|node_modules|\.loopx|\.codex\/goals)(?:\/|$)/;
/** How many names may be looked at for each file that may count. */
const LOOKED_AT = 10;
const LOOKED_AT_ONCE = 500;

export interface Listing {
  /** The real path of the folder. */
  readonly root: string;
  readonly request: TreeHashRequest;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly max_files: number;
}

/** A file, a link, or what is neither. */
export interface TreeFile {
  readonly path: string;
  readonly stats: BigIntStats;
}

export type Listed =
  | { readonly kind: "files"; readonly files: readonly TreeFile[] }
  | { readonly kind: "too_many" }
  | { readonly kind: "unmatched"; readonly inputs: readonly string[] };

class TooMany extends Error {}

type Wants = (path: string) => Following;

interface Search {
  readonly listing: Listing;
  readonly wants: Wants;
  looked_at: number;
}

interface Input {
  readonly text: string;
  /** Null: it can stand for nothing. */
  readonly pattern: InputPattern | null;
}

export async function listTree(listing: Listing): Promise<Listed> {
  try {
    return await listed(listing);
  } catch (error) {
    if (error instanceof TooMany) return { kind: "too_many" };
    throw error;
  }
}

async function listed(listing: Listing): Promise<Listed> {
  const { inputs } = listing.request;
  const counts = notExcluded(listing);
  if (inputs === null) return sorted(listing, await filesBelow(search(listing, (path) => (counts(path) ? "matched" : "dead"))));
  const declared = inputs.map(toInput);
  const seen = await filesBelow(search(listing, wanting(declared, counts)));
  // What Git ignores counts when an input names it.
  const hidden = unmatchedBy(declared, seen);
  const more = hidden.length === 0 ? [] : await walk(search(listing, wanting(hidden, counts)), "");
  const unmatched = unmatchedBy(hidden, more);
  if (unmatched.length > 0) return { kind: "unmatched", inputs: unmatched.map(({ text }) => text) }; // (H5)
  return sorted(listing, [...seen, ...more]);
}

function search(listing: Listing, wants: Wants): Search {
  return { listing, wants, looked_at: 0 };
}

function sorted({ max_files }: Listing, files: readonly TreeFile[]): Listed {
  const byPath = new Map(files.map((file) => [file.path, file]));
  if (byPath.size > max_files) return { kind: "too_many" };
  return { kind: "files", files: [...byPath.values()].sort((a, b) => (a.path < b.path ? -1 : 1)) };
}

function toInput(text: string): Input {
  const parsed = parseInput(text);
  return { text, pattern: parsed.kind === "input" ? parsed.pattern : null };
}

function wanting(inputs: readonly Input[], counts: (path: string) => boolean): Wants {
  return (path) => {
    if (!counts(path)) return "dead";
    const followed = new Set(inputs.map((input) => follow(input, path)));
    if (followed.has("matched")) return "matched";
    return followed.has("open") ? "open" : "dead";
  };
}

function follow({ pattern }: Input, path: string): Following {
  return pattern === null ? "dead" : followInput(pattern, nameOf(path));
}

function unmatchedBy(inputs: readonly Input[], files: readonly TreeFile[]): readonly Input[] {
  return inputs.filter((input) => !files.some(({ path }) => follow(input, path) === "matched"));
}

/** As people read it. */
function nameOf(path: string): string {
  return Buffer.from(path, "latin1").toString();
}

export function placeOf(root: string, path: string): Buffer {
  return path === "" ? Buffer.from(root) : Buffer.concat([Buffer.from(`${root}/`), Buffer.from(path, "latin1")]);
}

/** (H2) */
function notExcluded({ root, request }: Listing): (path: string) => boolean {
  const excluded = request.exclude
    .flatMap((path) => [relative(request.folder, path), relative(root, path), relative(root, realPath(path))])
    .filter((path) => path !== "" && path !== ".." && !path.startsWith(`..${sep}`))
    .map((path) => Buffer.from(path).toString("latin1"));
  return (path) => !NEVER.test(path) && !excluded.some((each) => path === each || path.startsWith(`${each}/`));
}

function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

async function filesBelow(from: Search, folder = ""): Promise<readonly TreeFile[]> {
  const names = await gitFiles(placeOf(from.listing.root, folder).toString(), from.listing.env);
  if (names === null) return await walk(from, folder);
  const { files, folders } = await divided(from, folder, names);
  for (const repository of folders) files.push(...(await filesBelow(from, repository)));
  return files;
}

async function walk(from: Search, start: string): Promise<readonly TreeFile[]> {
  const all: TreeFile[] = [];
  const waiting = [start];
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    const { files, folders } = await divided(from, folder, namesIn(placeOf(from.listing.root, folder)));
    all.push(...files);
    waiting.push(...folders);
  }
  return all;
}

interface Divided {
  readonly files: TreeFile[];
  /** With something wanted below them. */
  readonly folders: readonly string[];
}

async function divided(from: Search, folder: string, names: readonly string[]): Promise<Divided> {
  const files: TreeFile[] = [];
  const folders: string[] = [];
  for (const name of names) {
    const path = folder === "" ? name : `${folder}/${name}`;
    const wanted = from.wants(path);
    const stats = wanted === "dead" ? null : await look(from, path);
    if (stats?.isDirectory()) folders.push(path);
    else if (stats && wanted === "matched") files.push({ path, stats });
  }
  return { files, folders };
}

/** Null for what has gone meanwhile. */
async function look(from: Search, path: string): Promise<BigIntStats | null> {
  from.looked_at += 1;
  if (from.looked_at > from.listing.max_files * LOOKED_AT) throw new TooMany();
  if (from.looked_at % LOOKED_AT_ONCE === 0) await setImmediate();
  return ifThere(() => lstatSync(placeOf(from.listing.root, path), { bigint: true }));
}

function namesIn(folder: Buffer): readonly string[] {
  return ifThere(() => readdirSync(folder, { encoding: "latin1" })) ?? [];
}

/** Null when nothing is there, or a part of its path became something else. */
export function ifThere<T>(read: () => T): T | null {
  try {
    return read();
  } catch (error) {
    if (["ENOENT", "ENOTDIR", "ELOOP"].includes(errnoOf(error) ?? "")) return null;
    throw error;
  }
}
