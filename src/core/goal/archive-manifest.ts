/**
 * `archive.json`: what an archived folder holds, where it came from, and which journal knows it.
 *
 * A1  A folder is an archive of a goal by its manifest, or where it has none (another program made it) by its name.
 * A2  Both files that LoopX adds, this one and `journal.jsonl`, are taken away again when the folder comes back.
 */
import { type GoalId, parseGoalId } from "../id.ts";
import { type Instant, parseInstant } from "../instant.ts";

export const MANIFEST_FILE = "archive.json";
export const JOURNAL_FILE = "journal.jsonl";
export const MANIFEST_SCHEMA = "loopx_archive_v1";

/** One entry of the folder, by its path inside it. */
export interface ArchivedEntry {
  readonly path: string;
  readonly kind: "file" | "folder" | "link" | "other";
  readonly size: number;
  /** Of a file that was copied: the bytes that were read, written and read again. */
  readonly sha256?: string;
}

export interface ArchiveManifest {
  readonly schema_version: typeof MANIFEST_SCHEMA;
  readonly goal_id: GoalId;
  readonly generation: number;
  readonly store_id: string;
  readonly registry: string;
  /** When archiving began. */
  readonly at: Instant;
  readonly from: string;
  readonly to: string;
  readonly file_count: number;
  readonly bytes: number;
  readonly entries: readonly ArchivedEntry[];
}

export type ManifestIdentity = Pick<ArchiveManifest, "goal_id" | "generation" | "store_id" | "at">;

export function printManifest(manifest: ArchiveManifest): string {
  return `${JSON.stringify(manifest, null, 1)}\n`;
}

/** What tells an archive, of a text that anybody may have written; null when it is no manifest. */
export function parseManifestIdentity(text: string): ManifestIdentity | null {
  const value = parsed(text);
  if (typeof value !== "object" || value === null || !("schema_version" in value)) return null;
  const { schema_version, goal_id, generation, store_id, at } = value as Readonly<Record<string, unknown>>;
  const id = parseGoalId(goal_id);
  const instant = parseInstant(at);
  const isCount = Number.isSafeInteger(generation) && Number(generation) >= 0;
  if (schema_version !== MANIFEST_SCHEMA || !id.ok || instant === null || !isCount || typeof store_id !== "string") return null;
  return { goal_id: id.id, generation: Number(generation), store_id, at: instant };
}

/** Whether both are one archive of one journal. */
export function isSameArchive(a: ManifestIdentity | null, b: Omit<ManifestIdentity, "at">): boolean {
  return a !== null && a.goal_id === b.goal_id && a.generation === b.generation && a.store_id === b.store_id;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
