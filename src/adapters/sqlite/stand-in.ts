/**
 * What is read where the store cannot be written. Loaded only there.
 *
 * O1  Nothing but the engine opens a store that an engine may have open: closing another descriptor would drop its locks.
 *     A copy is made only where the store cannot be opened for writing.
 * O2  `immutable` is used only where no write-ahead log lies beside the store; it would be overlooked.
 * O3  What stands in is replaced when the files beneath have changed since.
 */
import type { Patience } from "./busy.ts";
import { copyFiles, type FileCopy, fileStamp } from "./copy.ts";
import type { Engine, SqliteDatabase } from "./engine.ts";
import { FORMAT, formatOf } from "./format.ts";
import { type Source, storeIdOf } from "./source.ts";
import { Sql } from "./sql.ts";

interface Stand {
  readonly stamp: string;
  readonly sql: Sql;
  readonly copy: FileCopy | null;
}

/** O2, O3: a store whose folder cannot be written. */
export async function standIn(engine: Engine, patience: Patience): Promise<Source> {
  let stand = await makeStand(engine, patience);
  let replacements = 0;
  const close = (): void => {
    stand.sql.close();
    stand.copy?.remove();
  };
  return {
    access: "read_only",
    get replacements() {
      return replacements;
    },
    get storeId() {
      return storeIdOf(stand.sql);
    },
    async current() {
      if (fileStamp(patience.path) === stand.stamp) return stand.sql;
      const next = await makeStand(engine, patience);
      close();
      stand = next;
      replacements += 1;
      return stand.sql;
    },
    close,
  };
}

async function makeStand(engine: Engine, patience: Patience): Promise<Stand> {
  const stamp = fileStamp(patience.path);
  if (stamp === "") return { stamp, sql: await emptyInMemory(engine, patience), copy: null };
  const unchanging = stamp.includes("wal") ? null : openImmutable(engine, patience.path);
  if (unchanging !== null) return { stamp, sql: new Sql(unchanging), copy: null };
  const copy = copyFiles(patience.path);
  try {
    return { stamp, sql: new Sql(await openCopy(engine, { ...patience, path: copy.path })), copy };
  } catch (error) {
    copy.remove();
    throw error;
  }
}

async function emptyInMemory(engine: Engine, patience: Patience): Promise<Sql> {
  const database = engine.open(":memory:");
  await (await import("./migrations.ts")).migrate(database, patience);
  return new Sql(database);
}

/** Null when the file has an older format, which is then read from a copy that can be brought up to date. */
function openImmutable(engine: Engine, path: string): SqliteDatabase | null {
  const { pathToFileURL } = process.getBuiltinModule("node:url");
  const database = engine.openReadOnly(`${pathToFileURL(path).href}?immutable=1`);
  try {
    if (formatOf(database, path) === FORMAT) return database;
  } catch (error) {
    database.close();
    throw error;
  }
  database.close();
  return null;
}

async function openCopy(engine: Engine, patience: Patience): Promise<SqliteDatabase> {
  const database = engine.open(patience.path);
  try {
    await (await import("./migrations.ts")).migrate(database, patience);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}
