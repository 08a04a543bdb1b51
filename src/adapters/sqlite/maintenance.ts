/** Care of the store as a whole. */
import { chmodSync, closeSync, fsyncSync, openSync } from "node:fs";
import type { Maintenance } from "../../ports/store.ts";
import type { Connection } from "./connection.ts";
import { numberOf, textOf } from "./rows.ts";

const MAX_NOTE_BYTES = 65_536;

export function maintenanceOn(connection: Connection): Omit<Maintenance, "facts"> {
  const changes = changeCounter();
  return {
    exclusively: (work) =>
      connection.write(() => {
        const answer = work();
        if (answer instanceof Promise) throw new Error("exclusive work must not be asynchronous");
        return answer;
      }),
    changeCounter: () =>
      connection.outside((sql) => {
        const version = sql.row("pragma data_version") ?? {};
        return changes(`${connection.replacements} ${version["data_version"]}`);
      }),
    integrityProblems: async () => await connection.outside((await import("./integrity.ts")).problemsOf),
    rebuild: async (goalId, fold) => {
      const { rebuildGoal } = await import("./rebuild.ts");
      return { events: await connection.write((sql) => rebuildGoal(sql, goalId, fold)) };
    },
    copyTo: (path) => copyTo(connection, path),
    note: (key) =>
      connection.read((sql) => {
        const row = sql.row("select text from notes where key = ?", key);
        return row === undefined ? null : textOf(row, "text");
      }),
    async saveNote(key, text) {
      if (Buffer.byteLength(text) > MAX_NOTE_BYTES) throw new Error(`the note ${key} is larger than ${MAX_NOTE_BYTES} bytes`);
      return await connection.writeCache((sql) => {
        sql.run("insert into notes (key, text) values (?, ?) on conflict (key) do update set text = excluded.text", key, text);
        return true;
      });
    },
    mirroredSeq: (goalId, generation) =>
      connection.read((sql) => {
        const row = sql.row("select seq from mirrors where goal_id = ? and generation = ?", goalId, generation);
        return row === undefined ? 0 : numberOf(row, "seq");
      }),
    saveMirroredSeq: (goalId, generation, seq) =>
      connection.writeCache((sql) => {
        sql.run(
          `insert into mirrors (goal_id, generation, seq) values (?, ?, ?)
           on conflict (goal_id, generation) do update set seq = max(seq, excluded.seq)`,
          goalId,
          generation,
          seq,
        );
        return true;
      }),
    close: () => Promise.resolve(connection.close()),
  };
}

/** The engine promises a different number after a change, not a larger one. */
function changeCounter(): (version: string) => number {
  let last = "";
  let counter = 0;
  return (version) => {
    if (version !== last) counter += 1;
    last = version;
    return counter;
  };
}

/** `path` must not exist yet; the copy is as private as the store. */
async function copyTo(connection: Connection, path: string): Promise<void> {
  closeSync(openSync(path, "wx", 0o600));
  await connection.outside((sql) => {
    sql.run("vacuum into ?", path);
  });
  chmodSync(path, 0o600);
  const copy = openSync(path, "r");
  fsyncSync(copy);
  closeSync(copy);
}
