/** Cache of what is shown of each goal, with the order of attention as an index. */
import type { GoalId } from "../../core/id.ts";
import type { Instant } from "../../core/instant.ts";
import { SEVERITY_ORDER } from "../../core/show/rank.ts";
import { MAX_VIEW_BYTES, type StoredView, type ViewCounts, type ViewEntry, type Views } from "../../ports/store-views.ts";
import type { Connection } from "./connection.ts";
import { decodeCursor, encodeCursor } from "./cursor.ts";
import type { Row, SqlValue } from "./engine.ts";
import { goalIdOf, numberOf, textOf, viewOf } from "./rows.ts";
import type { Sql } from "./sql.ts";

const BEFORE_ALL = [-1, -1, "", ""] as const;

export function viewsOn(connection: Connection): Views {
  return {
    views: (registry, goalIds) =>
      connection.read((sql) => {
        const rows = sql.rows(
          `select goal_id, key, checked_at, view from views
           where registry = ? and goal_id in (select value from json_each(?)) order by goal_id`,
          registry,
          JSON.stringify(goalIds),
        );
        return new Map(rows.map(viewOf).map((view) => [view.goal_id, view]));
      }),
    async saveViews(registry, entries) {
      for (const entry of entries) assertFits(entry);
      return await connection.writeCache((sql) => {
        for (const entry of entries) putView(sql, registry, entry);
        return true;
      });
    },
    async attention(registry, { after, limit }) {
      const key = after === null ? BEFORE_ALL : decodeCursor(after, BEFORE_ALL.length);
      return await connection.read((sql) => selectAttention(sql, { registry, key, limit }));
    },
    viewPage: (registry, { after, limit }) =>
      connection.read((sql) =>
        sql
          .rows(
            "select goal_id, key, checked_at, view from views where registry = ? and goal_id > ? order by goal_id limit ?",
            registry,
            after ?? "",
            limit,
          )
          .map(viewOf),
      ),
    dueViews: (registry, now, limit) =>
      connection.read((sql) =>
        sql
          .rows(
            `select goal_id from views where registry = ? and next_change_at is not null and next_change_at <= ?
             order by next_change_at, goal_id limit ?`,
            registry,
            now,
            limit,
          )
          .map(goalIdOf),
      ),
    viewCounts: (registry) => connection.read((sql) => countsOf(sql, registry)),
    async forgetViews(registry, goalIds) {
      let gone = 0;
      await connection.writeCache((sql) => {
        gone = forget(sql, registry, goalIds);
        return true;
      });
      return gone;
    },
  };
}

/** V2. */
function assertFits({ goal_id, view }: ViewEntry): void {
  if (Buffer.byteLength(view) > MAX_VIEW_BYTES)
    throw new Error(`the view of goal ${goal_id} is larger than ${MAX_VIEW_BYTES} bytes`);
}

function putView(sql: Sql, registry: string, entry: ViewEntry): void {
  const { rank } = entry;
  sql.run(
    `insert into views (registry, goal_id, key, checked_at, view, waits_rank, severity_rank, since,
       run_count, open_todos, waiting_todos, stopped, next_change_at) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
     on conflict (registry, goal_id) do update set
       key = excluded.key, checked_at = excluded.checked_at, view = excluded.view, waits_rank = excluded.waits_rank,
       severity_rank = excluded.severity_rank, since = excluded.since, run_count = excluded.run_count,
       open_todos = excluded.open_todos, waiting_todos = excluded.waiting_todos, stopped = excluded.stopped,
       next_change_at = excluded.next_change_at`,
    registry,
    entry.goal_id,
    entry.key,
    entry.checked_at,
    entry.view,
    rank === null ? null : Number(!rank.waits_for_person),
    rank === null ? null : SEVERITY_ORDER.indexOf(rank.severity),
    rank === null ? null : rank.since,
    entry.run_count,
    entry.open_todos,
    entry.waiting_todos,
    entry.stopped,
    entry.next_change_at,
  );
}

function selectAttention(
  sql: Sql,
  { registry, key, limit }: { readonly registry: string; readonly key: readonly SqlValue[]; readonly limit: number },
): readonly (StoredView & { readonly cursor: string })[] {
  return sql
    .rows(
      `select goal_id, key, checked_at, view, waits_rank, severity_rank, since from views
       where registry = ? and since is not null and (waits_rank, severity_rank, since, goal_id) > (?, ?, ?, ?)
       order by waits_rank, severity_rank, since, goal_id limit ?`,
      registry,
      ...key,
      limit,
    )
    .map((row) => ({ ...viewOf(row), cursor: attentionCursor(row) }));
}

function attentionCursor(row: Row): string {
  return encodeCursor([numberOf(row, "waits_rank"), numberOf(row, "severity_rank"), textOf(row, "since"), goalIdOf(row)]);
}

function countsOf(sql: Sql, registry: string): ViewCounts {
  const row = sql.row("select * from view_counts where registry = ?", registry) ?? {};
  const count = (column: string): number => (row[column] as number | undefined) ?? 0;
  return {
    goals: count("goals"),
    attention: count("attention"),
    waiting_for_person: count("waiting_for_person"),
    runs: count("runs"),
    open_todos: count("open_todos"),
    waiting_todos: count("waiting_todos"),
    stopped: count("stopped"),
    oldest_check: oldestCheck(sql, registry),
  };
}

function oldestCheck(sql: Sql, registry: string): Instant | null {
  const row = sql.row("select min(checked_at) as oldest from views where registry = ?", registry) ?? {};
  return (row["oldest"] as Instant | undefined) ?? null;
}

function forget(sql: Sql, registry: string, goalIds: readonly GoalId[] | undefined): number {
  if (goalIds === undefined) return sql.run("delete from views where registry = ?", registry).changes;
  return sql.run(
    "delete from views where registry = ? and goal_id in (select value from json_each(?))",
    registry,
    JSON.stringify(goalIds),
  ).changes;
}
