/**
 * `openStore`: the store port on SQLite, in `<runtime_root>/loopx.db`.
 *
 * Does not own: what the store holds (one file a noun beside this one).
 */
import { accessSync, chmodSync, constants, lstatSync, mkdirSync, type Stats } from "node:fs";
import { dirname, join } from "node:path";
import type { Store } from "../../ports/store.ts";
import { archivesOn } from "./archives.ts";
import { type Patience, untilFree } from "./busy.ts";
import { Connection } from "./connection.ts";
import { declaredOn } from "./declared.ts";
import { type Engine, openEngine, type SqliteDatabase } from "./engine.ts";
import { faultOf, fileCode, unopenable } from "./faults.ts";
import { foreignOn } from "./foreign.ts";
import { FORMAT, formatOf } from "./format.ts";
import { journalOn } from "./journal.ts";
import { maintenanceOn } from "./maintenance.ts";
import { refuseNetworkFilesystem } from "./network.ts";
import { fixedSource, type Source } from "./source.ts";
import { Sql } from "./sql.ts";
import { viewsOn } from "./views.ts";

export interface StoreOptions {
  readonly runtime_root: string;
  /** `read_only` writes nothing, not even caches, and creates nothing: an empty store in memory stands in for a missing one. */
  readonly access?: "read_write" | "read_only";
  /** Longest wait for other processes, in milliseconds. */
  readonly longest_wait?: number;
  readonly network_filesystem?: "refuse" | "allow";
}

const LONGEST_WAIT = 30_000;
const LONG_LOG = 65_536;

/** Two processes that only read do not keep the log from being reset; this bounds it all the same. */
const SETTINGS = "pragma synchronous = full; pragma journal_size_limit = 4194304";

/** Creates the store where there is none yet. Throws `Fault` when it cannot be used; a disk that cannot be written is read. */
export async function openStore(options: StoreOptions): Promise<Store> {
  const path = join(options.runtime_root, "loopx.db");
  const patience = { path, bound: options.longest_wait ?? LONGEST_WAIT };
  try {
    const engine = openEngine();
    const connection = new Connection(await sourceOf(engine, options, patience), patience);
    return {
      ...journalOn(connection),
      ...declaredOn(connection),
      ...foreignOn(connection),
      ...viewsOn(connection),
      ...archivesOn(connection),
      ...maintenanceOn(connection),
      facts: () => ({
        engine: engine.name,
        engine_version: engine.version,
        format: FORMAT,
        store_id: connection.storeId,
        path,
        access: connection.access,
      }),
    };
  } catch (error) {
    throw faultOf(error, path);
  }
}

async function sourceOf(engine: Engine, options: StoreOptions, patience: Patience): Promise<Source> {
  const { runtime_root: root, access = "read_write", network_filesystem: network = "refuse" } = options;
  const found = plainFile(patience.path);
  const writable = isWritable(root, found, patience.path, access);
  if (!writable || (access === "read_only" && found === null))
    return await (await import("./stand-in.ts")).standIn(engine, patience);
  if (network === "refuse") refuseNetworkFilesystem(root);
  const sql = await (access === "read_only" ? openBeside(engine, patience) : openWritable(engine, found, patience));
  const source = await untilFree(() => fixedSource(sql, access), patience);
  if (access === "read_only") return source;
  return { ...source, close: () => closeWritable(sql, patience.path) };
}

function plainFile(path: string): Stats | null {
  const found = lstatSync(path, { throwIfNoEntry: false }) ?? null;
  if (found !== null && !found.isFile()) throw unopenable(path, "it is no plain file");
  return found;
}

/** False where the store or its folder cannot be written; creates the folder of a new store. */
function isWritable(root: string, found: Stats | null, path: string, access: "read_write" | "read_only"): boolean {
  if (found === null && access === "read_only") return false;
  try {
    if (found === null) createFolder(root);
    accessSync(root, constants.W_OK | constants.X_OK);
    if (found !== null) accessSync(path, constants.R_OK | constants.W_OK);
    return true;
  } catch (error) {
    const code = fileCode(error);
    if (code === "EROFS" || code === "EACCES" || code === "EPERM") return false;
    throw error;
  }
}

function createFolder(root: string): void {
  let standing = root;
  while (lstatSync(standing, { throwIfNoEntry: false }) === undefined && dirname(standing) !== standing)
    standing = dirname(standing);
  // Asked first: on a read-only disk Node's recursive mkdir says that a folder is missing.
  accessSync(standing, constants.W_OK | constants.X_OK);
  mkdirSync(root, { recursive: true, mode: 0o755 });
}

async function openWritable(engine: Engine, found: Stats | null, patience: Patience): Promise<Sql> {
  const database = await untilFree(() => engine.open(patience.path), patience);
  return await closedOnError(database, async () => {
    // Before anything is in it; the engine gives its log the same mode.
    if (found === null || found.size === 0) chmodSync(patience.path, 0o600);
    const format = await untilFree(() => formatOf(database, patience.path), patience);
    if (format < FORMAT) await (await import("./migrations.ts")).migrate(database, patience);
    await untilFree(() => database.exec(`pragma journal_mode = wal; ${SETTINGS}`), patience);
    return new Sql(database);
  });
}

/**
 * The engine that ships with LoopX ends a connection only when its statements are collected or the process ends by itself,
 * so a long log is emptied here: whoever opens the store next after a kill would have to read all of it.
 */
function closeWritable(sql: Sql, path: string): void {
  try {
    const log = lstatSync(`${path}-wal`, { throwIfNoEntry: false });
    if (log !== undefined && log.size > LONG_LOG) sql.exec("pragma wal_checkpoint(truncate)");
  } catch {
    // Nothing is lost when it stays long: all of it is committed.
  }
  sql.close();
}

/** Reads a store that others may be writing, through the same locks. */
async function openBeside(engine: Engine, patience: Patience): Promise<Sql> {
  const database = await untilFree(() => engine.openReadOnly(patience.path), patience);
  return await closedOnError(database, async () => {
    const format = await untilFree(() => formatOf(database, patience.path), patience);
    if (format < FORMAT) throw unopenable(patience.path, "its format is older; any command that writes brings it up to date");
    return new Sql(database);
  });
}

async function closedOnError<T>(database: SqliteDatabase, use: () => Promise<T>): Promise<T> {
  try {
    return await use();
  } catch (error) {
    database.close();
    throw error;
  }
}
