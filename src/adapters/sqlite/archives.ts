/** Where archived goals went. */
import type { Archives } from "../../ports/store.ts";
import type { Connection } from "./connection.ts";
import { decodeCursor, encodeCursor } from "./cursor.ts";
import { archiveOf } from "./rows.ts";

/** Sorts after every instant. */
const AFTER_ALL = ["~", ""] as const;

export function archivesOn(connection: Connection): Archives {
  return {
    saveArchive: (record) =>
      connection.write((sql) => {
        sql.run(
          `insert into archives (archive_path, goal_id, generation, archived_at, restored_at) values (?, ?, ?, ?, ?)
           on conflict (archive_path) do update set
             goal_id = excluded.goal_id, generation = excluded.generation, archived_at = excluded.archived_at,
             restored_at = excluded.restored_at`,
          record.archive_path,
          record.goal_id,
          record.generation,
          record.archived_at,
          record.restored_at,
        );
      }),
    async archives({ goal_id, after, limit }) {
      const key = after === null ? AFTER_ALL : decodeCursor(after, AFTER_ALL.length);
      return await connection.read((sql) =>
        sql
          .rows(
            `select archive_path, goal_id, generation, archived_at, restored_at from archives
             where ${goal_id === null ? "" : "goal_id = ? and"} (archived_at, archive_path) < (?, ?)
             order by archived_at desc, archive_path desc limit ?`,
            ...(goal_id === null ? [] : [goal_id]),
            ...key,
            limit,
          )
          .map(archiveOf)
          .map((record) => ({ ...record, cursor: encodeCursor([record.archived_at, record.archive_path]) })),
      );
    },
  };
}
