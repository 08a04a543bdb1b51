/**
 * `archives`: the archives of one goal or of all, newest first.
 *
 * Does not own: which there are (`archive-rows.ts`).
 */
import { loopxCommand } from "../core/command-line.ts";
import type { Instant } from "../core/instant.ts";
import { done, type Reply } from "../core/result.ts";
import { type Cursor, PAGE_BYTES, parseCursor, parseExtent, printCursor } from "../core/show/paging.ts";
import { entryBytes } from "../core/show/print-json.ts";

import type { ArchiveRecord } from "../ports/store.ts";
import type { ArchivesRequest } from "./app.ts";
import { goalIdOf } from "./archive-checks.ts";
import { archiveRoot } from "./archive-place.ts";
import { archiveRows, compareArchives } from "./archive-rows.ts";
import { registryRows } from "./registry-rows.ts";
import type { MovingWorkspace } from "./workspace.ts";

const LIST = "archives";
const PAGE_ROWS = 50;
/** For what stands round the rows. */
const RESERVE_BYTES = 8192;

export interface ListedArchive {
  readonly goal_id: string;
  readonly archive_path: string;
  readonly archived_at: Instant;
  /** Null: no journal of this store knows it. */
  readonly generation: number | null;
  readonly restored_at: Instant | null;
  readonly exists: boolean;
}

export interface ArchivesAnswer {
  readonly ok: true;
  readonly registry: string;
  readonly runtime_root: string;
  readonly archive_root: string;
  readonly goal_filter: string | null;
  readonly archive_count: number;
  readonly archives: readonly ListedArchive[];
  readonly left_out: { readonly archives: number; readonly cursor: string | null; readonly get: readonly string[] };
}

export async function archives(workspace: MovingWorkspace, request: ArchivesRequest): Promise<Reply<ArchivesAnswer>> {
  const registry = await registryRows(workspace);
  if (registry.kind !== "done") return registry;
  const id = request.goalId === null ? done(null) : goalIdOf(request.goalId);
  if (id.kind !== "done") return id;
  const root = archiveRoot(workspace, request.archiveRoot);
  if (root.kind !== "done") return root;
  const extent = parseExtent(request.limit === null ? {} : { limit: String(request.limit) });
  if (extent.kind !== "done") return extent;
  const cursor = request.cursor === null ? done(null) : parseCursor(request.cursor, [LIST]);
  if (cursor.kind !== "done") return cursor;
  const where = request.archiveRoot === null ? "anywhere" : "in_root";
  const all = await archiveRows(workspace, { goal_id: id.value, archive_root: root.value, where });
  const rest = after(all, cursor.value);
  const most = extent.value.kind === "limit" ? extent.value.rows : PAGE_ROWS;
  const page = rest.slice(0, most).map((row) => listed(workspace, row));
  const shown = extent.value.kind === "limit" ? page : fitting(page);
  return done({
    ok: true,
    registry: registry.value.path,
    runtime_root: workspace.roots.runtime_root,
    archive_root: root.value,
    goal_filter: id.value,
    archive_count: all.length,
    archives: shown,
    left_out: leftOut(request, { shown, left: rest.length - shown.length, total: all.length }),
  });
}

function listed(
  { goal_folders }: MovingWorkspace,
  { goal_id, archive_path, archived_at, generation, restored_at }: ArchiveRecord,
): ListedArchive {
  const known = generation === 0 ? null : generation;
  return { goal_id, archive_path, archived_at, generation: known, restored_at, exists: goal_folders.isFolder(archive_path) };
}

/** A cursor names the place behind which to go on: archives that came meanwhile shift nothing. */
function after(rows: readonly ArchiveRecord[], cursor: Cursor | null): readonly ArchiveRecord[] {
  if (cursor === null) return rows;
  const [archived_at = "", ...path] = cursor.after.split(" ");
  const place = { archived_at: archived_at as Instant, archive_path: path.join(" ") };
  return rows.filter((row) => compareArchives(row, place) > 0);
}

function fitting(rows: readonly ListedArchive[]): readonly ListedArchive[] {
  let room = PAGE_BYTES - RESERVE_BYTES;
  const over = rows.findIndex((row) => {
    room -= entryBytes(row);
    return room < 0;
  });
  return over < 0 ? rows : rows.slice(0, Math.max(1, over));
}

interface Listing {
  readonly shown: readonly ListedArchive[];
  readonly left: number;
  readonly total: number;
}

function leftOut({ goalId, archiveRoot: root }: ArchivesRequest, { shown, left, total }: Listing): ArchivesAnswer["left_out"] {
  const last = shown.at(-1);
  if (left === 0 || last === undefined) return { archives: 0, cursor: null, get: [] };
  const seen = total - left;
  const cursor = printCursor({ list: LIST, seen, after: `${last.archived_at} ${last.archive_path}` });
  const options = [...(goalId === null ? [] : ["--goal-id", goalId]), ...(root === null ? [] : ["--archive-root", root])];
  return { archives: left, cursor, get: [loopxCommand("archives", ...options, "--cursor", cursor)] };
}
