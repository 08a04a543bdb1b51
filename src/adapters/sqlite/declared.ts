/** The registry as it was last read. */
import type { Declared } from "../../ports/store.ts";
import type { DeclaredRow, RegistryCheckpoint } from "../../ports/store-declared.ts";
import type { Connection } from "./connection.ts";
import { declaredOf, registryOf } from "./rows.ts";
import type { Sql } from "./sql.ts";

export function declaredOn(connection: Connection): Declared {
  return {
    registry: (path) =>
      connection.read((sql) => {
        const row = sql.row("select * from registries where path = ?", path);
        return row === undefined ? null : registryOf(row);
      }),
    saveRegistry: (checkpoint, goals) =>
      connection.writeCache((sql) => {
        putRegistry(sql, checkpoint);
        replaceDeclared(sql, checkpoint.path, goals);
        return true;
      }),
    declared: (path, goalId) =>
      connection.read((sql) =>
        sql
          .rows("select goal_id, ordinal, data from declared where registry = ? and goal_id = ? order by ordinal", path, goalId)
          .map(declaredOf),
      ),
    declaredPage: (path, page) => connection.read((sql) => declaredPage(sql, path, page)),
  };
}

function declaredPage(
  sql: Sql,
  path: string,
  page: { readonly after: string | null; readonly limit: number },
): readonly DeclaredRow[] {
  const found = sql
    .rows(
      `select goal_id, ordinal, data from declared where registry = ? and goal_id > ? order by goal_id, ordinal limit ?`,
      path,
      page.after ?? "",
      page.limit,
    )
    .map(declaredOf);
  const last = found.at(-1);
  if (last === undefined || found.length < page.limit) return found;
  const others = sql.rows(
    `select goal_id, ordinal, data from declared where registry = ? and goal_id = ? and ordinal > ? order by ordinal`,
    path,
    last.goal_id,
    last.ordinal,
  );
  return [...found, ...others.map(declaredOf)];
}

function putRegistry(sql: Sql, checkpoint: RegistryCheckpoint): void {
  sql.run(
    `insert into registries (path, fingerprint, sha256, goal_count, header, problems) values (?, ?, ?, ?, ?, ?)
     on conflict (path) do update set
       fingerprint = excluded.fingerprint, sha256 = excluded.sha256, goal_count = excluded.goal_count,
       header = excluded.header, problems = excluded.problems`,
    checkpoint.path,
    checkpoint.fingerprint,
    checkpoint.sha256,
    checkpoint.goal_count,
    checkpoint.header,
    JSON.stringify(checkpoint.problems),
  );
}

/** Rows that did not change are not written. */
function replaceDeclared(sql: Sql, path: string, goals: readonly DeclaredRow[]): void {
  const keyOf = (row: DeclaredRow): string => `${row.ordinal} ${row.goal_id}`;
  const gone = new Map<string, DeclaredRow>();
  for (const row of sql.rows("select goal_id, ordinal, data from declared where registry = ?", path)) {
    const known = declaredOf(row);
    gone.set(keyOf(known), known);
  }
  for (const goal of goals) {
    const known = gone.get(keyOf(goal));
    gone.delete(keyOf(goal));
    if (known?.data !== goal.data) putDeclared(sql, path, goal);
  }
  for (const { goal_id, ordinal } of gone.values()) {
    sql.run("delete from declared where registry = ? and goal_id = ? and ordinal = ?", path, goal_id, ordinal);
  }
}

function putDeclared(sql: Sql, path: string, { goal_id, ordinal, data }: DeclaredRow): void {
  sql.run(
    `insert into declared (registry, goal_id, ordinal, data) values (?, ?, ?, ?)
     on conflict (registry, goal_id, ordinal) do update set data = excluded.data`,
    path,
    goal_id,
    ordinal,
    data,
  );
}
