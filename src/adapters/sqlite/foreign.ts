/** Cache of the runs that other programs wrote. */
import type { GoalId } from "../../core/id.ts";
import { mergePlaced } from "../../core/runs/history.ts";
import { speaksForGoal } from "../../core/runs/speaks.ts";
import type { ForeignCheckpoint, ForeignRow, ForeignRuns } from "../../ports/store-foreign.ts";
import type { Connection } from "./connection.ts";
import { checkpointOf, foreignOf, numberOf } from "./rows.ts";
import { type Sql, withoutNul } from "./sql.ts";

type Step = Parameters<ForeignRuns["ingestForeign"]>[1];

export function foreignOn(connection: Connection): ForeignRuns {
  return {
    foreignCheckpoint: (goalId) =>
      connection.read((sql) => {
        const row = sql.row("select * from foreign_files where goal_id = ?", goalId);
        return row === undefined ? null : checkpointOf(row);
      }),
    ingestForeign: (goalId, step) => connection.writeCache((sql) => ingest(sql, goalId, step)),
    foreignRuns: (goalId, { which, skip, limit }) =>
      connection.read((sql) =>
        sql
          .rows(
            `select identity, position, line, at, row from foreign_rows
             where file_id = (select file_id from foreign_files where goal_id = ?) ${which === "speaking" ? "and speaks = 1" : ""}
             order by time_key desc, position desc limit ? offset ?`,
            goalId,
            limit,
            skip,
          )
          .map(foreignOf),
      ),
    foreignCount: (goalId) =>
      connection.read((sql) => {
        const row = sql.row("select row_count from foreign_files where goal_id = ?", goalId);
        return row === undefined ? 0 : numberOf(row, "row_count");
      }),
    forgetForeign: (goalId) =>
      connection.writeCache((sql) => {
        forget(sql, goalId);
        return true;
      }),
  };
}

/** R2: a step is taken only where the last one ended. */
function ingest(sql: Sql, goalId: GoalId, { from, rows, checkpoint }: Step): boolean {
  if (from === null) forget(sql, goalId);
  const file = sql.row("select file_id, read_offset from foreign_files where goal_id = ?", goalId);
  if (from !== null && (file === undefined || numberOf(file, "read_offset") !== from)) return false;
  const fileId = file === undefined ? addFile(sql, goalId) : numberOf(file, "file_id");
  let added = 0;
  for (const row of rows) added += takeRow(sql, fileId, row);
  putCheckpoint(sql, { fileId, added, checkpoint });
  return true;
}

function addFile(sql: Sql, goalId: GoalId): number {
  return sql.run("insert into foreign_files values (null, ?, '', 0, 0, '', 0, '[]', 0, null, null, 0)", goalId).rowid;
}

/** R1. Answers how many runs this row added. */
function takeRow(sql: Sql, fileId: number, run: ForeignRow): number {
  const { changes } = sql.run(
    `insert into foreign_rows (file_id, identity, position, line, at, time_key, speaks, row) values (?, ?, ?, ?, ?, ?, ?, ?)
     on conflict (file_id, identity) do nothing`,
    fileId,
    run.identity,
    run.position,
    run.line,
    run.at,
    timeKey(run),
    Number(speaksForGoal(run.row)),
    JSON.stringify(run.row),
  );
  if (changes === 0) mergeRow(sql, fileId, run);
  return changes;
}

/** Text whose order is that of R4 in `core/runs/history.ts`. */
function timeKey({ at, row: { generated_at: written } }: ForeignRow): string {
  if (at !== null) return `1${at}`;
  return typeof written === "string" ? `0${withoutNul(written)}` : "0";
}

function mergeRow(sql: Sql, fileId: number, later: ForeignRow): void {
  const known = sql.row(
    "select identity, position, line, at, row from foreign_rows where file_id = ? and identity = ?",
    fileId,
    later.identity,
  );
  if (known === undefined) return;
  const { row } = mergePlaced(foreignOf(known), later);
  sql.run(
    "update foreign_rows set row = ?, speaks = ? where file_id = ? and identity = ?",
    JSON.stringify(row),
    Number(speaksForGoal(row)),
    fileId,
    later.identity,
  );
}

function putCheckpoint(
  sql: Sql,
  { fileId, added, checkpoint }: { readonly fileId: number; readonly added: number; readonly checkpoint: ForeignCheckpoint },
): void {
  sql.run(
    `update foreign_files set
       fingerprint = ?, read_offset = ?, lines = ?, tail_sha256 = ?, raw_records = ?, damage = ?, damage_count = ?,
       first_own_line = ?, foreign_after_own = ?,
       row_count = row_count + ?
     where file_id = ?`,
    checkpoint.fingerprint,
    checkpoint.offset,
    checkpoint.lines,
    checkpoint.tail_sha256,
    checkpoint.raw_records,
    JSON.stringify(checkpoint.damage),
    checkpoint.damage_count,
    checkpoint.first_own_line,
    checkpoint.foreign_after_own === null ? null : JSON.stringify(checkpoint.foreign_after_own),
    added,
    fileId,
  );
}

function forget(sql: Sql, goalId: GoalId): void {
  sql.run("delete from foreign_rows where file_id = (select file_id from foreign_files where goal_id = ?)", goalId);
  sql.run("delete from foreign_files where goal_id = ?", goalId);
}
