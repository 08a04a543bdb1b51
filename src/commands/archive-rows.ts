/**
 * The archives there are: those that the store recorded, and folders of the archive root that it did not, made by another
 * program or another store.
 *
 * L1  A folder counts by its manifest, or without one by its name (`core/goal/archive-manifest.ts` A1).
 * L2  Newest first, by the instant of archiving, then by path.
 */

import { parseArchiveName } from "../core/goal/archive-name.ts";
import type { GoalId } from "../core/id.ts";
import { folderOf, lastPart } from "../core/registry/path-text.ts";
import { compareText } from "../core/show/rank.ts";
import type { ArchiveRecord } from "../ports/store.ts";
import type { MovingWorkspace } from "./workspace.ts";

const ROWS_AT_ONCE = 1000;
/** Of an archive that no journal of this store knows. */
const NO_GENERATION = 0;

export interface ArchiveQuery {
  readonly goal_id: GoalId | null;
  /** Real path. */
  readonly archive_root: string;
  /** `anywhere`: also those that were recorded under other roots. */
  readonly where: "in_root" | "anywhere";
}

export async function archiveRows(workspace: MovingWorkspace, query: ArchiveQuery): Promise<readonly ArchiveRecord[]> {
  const recorded = await recordedRows(workspace, query);
  const known = new Set(recorded.map((row) => row.archive_path));
  const found = foldersIn(workspace, query).filter((row) => !known.has(row.archive_path));
  return [...recorded, ...found].sort(compareArchives);
}

/** L2. */
export function compareArchives(a: ArchivePlace, b: ArchivePlace): number {
  return compareText(b.archived_at, a.archived_at) || compareText(b.archive_path, a.archive_path);
}

type ArchivePlace = Pick<ArchiveRecord, "archived_at" | "archive_path">;

async function recordedRows(
  { store }: MovingWorkspace,
  { goal_id, archive_root, where }: ArchiveQuery,
): Promise<readonly ArchiveRecord[]> {
  const rows: ArchiveRecord[] = [];
  for (let after: string | null = null; ; ) {
    const page: Awaited<ReturnType<typeof store.archives>> = await store.archives({ goal_id, after, limit: ROWS_AT_ONCE });
    for (const { cursor: _cursor, ...row } of page) {
      if (where === "anywhere" || folderOf(row.archive_path) === archive_root) rows.push(row);
    }
    after = page.at(-1)?.cursor ?? null;
    if (page.length < ROWS_AT_ONCE) return rows;
  }
}

function foldersIn(workspace: MovingWorkspace, { goal_id, archive_root }: ArchiveQuery): readonly ArchiveRecord[] {
  return workspace.tree.entries(archive_root).flatMap(({ name, kind }) => {
    if (kind !== "folder" || name.startsWith(".")) return [];
    const row = describeArchive(workspace, `${archive_root}/${name}`);
    return row === null || (goal_id !== null && row.goal_id !== goal_id) ? [] : [row];
  });
}

/** What the folder itself says (L1); null when it is no archive. */
export function describeArchive({ goal_folders, store }: MovingWorkspace, path: string): ArchiveRecord | null {
  const manifest = goal_folders.manifest(path);
  if (manifest !== null) {
    const ours = manifest.store_id === store.facts().store_id;
    const generation = ours ? manifest.generation : NO_GENERATION;
    return { goal_id: manifest.goal_id, generation, archive_path: path, archived_at: manifest.at, restored_at: null };
  }
  const named = parseArchiveName(lastPart(path));
  return named === null ? null : { ...named, generation: NO_GENERATION, archive_path: path, restored_at: null };
}

/** The row of one archive, whether or not its folder is still there. */
export async function archiveRow(
  workspace: MovingWorkspace,
  { goal_id, archive_path }: Pick<ArchiveRecord, "goal_id" | "archive_path">,
): Promise<ArchiveRecord> {
  const query = { goal_id, archive_root: folderOf(archive_path), where: "in_root" } as const;
  const recorded = (await recordedRows(workspace, query)).find((row) => row.archive_path === archive_path);
  if (recorded !== undefined) return recorded;
  const archived_at =
    describeArchive(workspace, archive_path)?.archived_at ?? parseArchiveName(lastPart(archive_path))?.archived_at;
  return {
    goal_id,
    generation: NO_GENERATION,
    archive_path,
    archived_at: archived_at ?? workspace.clock.now(),
    restored_at: null,
  };
}
