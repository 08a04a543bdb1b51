/**
 * The two files that an archive has beside what was archived: `archive.json` and `journal.jsonl`.
 *
 * X1  The manifest is written first and taken away last: while it is there, the journal beside it is LoopX's own.
 * X2  Both get their names whole.
 */
import { closeSync, constants, fstatSync, lstatSync, openSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { JOURNAL_FILE, MANIFEST_FILE, type ManifestIdentity, parseManifestIdentity } from "../../core/goal/archive-manifest.ts";
import type { ArchiveExport, FolderContents } from "../../ports/goal-folders.ts";
import { errnoOf, faultOf } from "./file-fault.ts";
import type { FolderSteps } from "./folder-steps.ts";
import { ifThere, walk } from "./folder-tree.ts";
import { leftoverName, parseLeftoverName } from "./leftover-names.ts";

const MOST_BYTES = 256 * 1024 * 1024;

/** Null when there is none, or something else has its name. */
export function readManifest(folder: string): ManifestIdentity | null {
  let descriptor: number;
  try {
    descriptor = openSync(join(folder, MANIFEST_FILE), constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    if (["ENOENT", "ENOTDIR", "ELOOP", "EACCES", "ENXIO"].includes(errnoOf(error) ?? "")) return null;
    throw faultOf(error, folder);
  }
  try {
    const stats = fstatSync(descriptor);
    return stats.isFile() && stats.size <= MOST_BYTES ? parseManifestIdentity(readFileSync(descriptor, "utf8")) : null;
  } finally {
    closeSync(descriptor);
  }
}

/** X1: beside a manifest, the journal is LoopX's. */
export function takenNames(folder: string): readonly string[] {
  if (readManifest(folder) !== null) return [];
  return [MANIFEST_FILE, JOURNAL_FILE].filter((name) => lstatSync(join(folder, name), { throwIfNoEntry: false }) !== undefined);
}

interface Exporting {
  readonly folder: string;
  readonly digests: ReadonlyMap<string, string>;
  readonly steps: FolderSteps;
}

export async function addExport(exporting: Exporting, added: ArchiveExport): Promise<boolean> {
  const { folder } = exporting;
  try {
    await exportIn(exporting, added);
    return true;
  } catch (error) {
    if (errnoOf(error) === "ENOENT") return false; // another process has moved it
    throw faultOf(error, folder);
  }
}

export async function exportIn({ folder, digests, steps }: Exporting, { manifest, journal }: ArchiveExport): Promise<void> {
  await give(join(folder, MANIFEST_FILE), once(manifest(contentsOf(folder, digests))), steps); // (X1)
  await give(join(folder, JOURNAL_FILE), journal(), steps);
  steps.sync(folder);
}

async function* once(text: string): AsyncGenerator<string> {
  yield text;
}

/** (X2) Makes no folder: one that is gone has been moved by another process. */
async function give(path: string, chunks: AsyncIterable<string>, steps: FolderSteps): Promise<void> {
  const temporary = join(dirname(path), leftoverName("tmp"));
  try {
    steps.append(temporary, "");
    for await (const chunk of chunks) steps.append(temporary, chunk);
    steps.sync(temporary);
    steps.rename(temporary, path);
  } catch (error) {
    if (lstatSync(temporary, { throwIfNoEntry: false }) !== undefined) steps.removeFile(temporary);
    throw error;
  }
}

function contentsOf(folder: string, digests: ReadonlyMap<string, string>): FolderContents {
  const entries: FolderContents["entries"][number][] = [];
  let bytes = 0;
  for (const { path, kind, stats } of walk(folder, isAdded)) {
    if (path.length === 0) continue;
    const name = path.toString();
    const sha256 = digests.get(name);
    const size = kind === "file" ? stats.size : 0;
    entries.push({ path: name, kind, size, ...(sha256 !== undefined && { sha256 }) });
    bytes += size;
  }
  return { entries, file_count: entries.filter((entry) => entry.kind === "file").length, bytes };
}

/** Of names at the top of a folder: LoopX gave it. */
export function isAdded(name: string): boolean {
  return name === MANIFEST_FILE || name === JOURNAL_FILE || isTemporary(name);
}

function isTemporary(name: string): boolean {
  return parseLeftoverName(name)?.kind === "temporary";
}

/** Of files that a kill kept from getting their names. */
export function clearTemporaries(folder: string, steps: FolderSteps): void {
  for (const name of readdirSync(folder).filter(isTemporary)) ifThere(() => steps.removeFile(join(folder, name)));
}

/** (X1) */
export function removeExport(folder: string, steps: FolderSteps): void {
  if (readManifest(folder) === null) return;
  ifThere(() => steps.removeFile(join(folder, JOURNAL_FILE)));
  ifThere(() => steps.removeFile(join(folder, MANIFEST_FILE)));
  steps.sync(folder);
}
