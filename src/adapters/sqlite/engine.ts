/**
 * The SQLite engine: the one built into Node where it is new enough, else the one that ships with LoopX.
 *
 * Does not own: what is done with a database (`connection.ts`) and what its errors mean (`faults.ts`).
 *
 * G1  An engine is accepted by its own `sqlite_version()`, never by the version of Node: before 3.51.3 two processes can
 *     corrupt a write-ahead log while it is reset.
 * G2  Nothing is loaded before a store is opened, and the addon is loaded straight from its file: no probing of platforms.
 */
import { Fault } from "../../errors.ts";

export type SqlValue = string | number | null;
export type Row = Readonly<Record<string, unknown>>;

/** What is used of `StatementSync`. */
export interface SqliteStatement {
  run(...values: readonly SqlValue[]): { readonly changes: number | bigint; readonly lastInsertRowid: number | bigint };
  get(...values: readonly SqlValue[]): Row | undefined;
  all(...values: readonly SqlValue[]): readonly Row[];
  iterate(...values: readonly SqlValue[]): Iterable<Row>;
}

/** What is used of `DatabaseSync`. */
export interface SqliteDatabase {
  exec(sql: string): void;
  prepare(sql: string): SqliteStatement;
  close(): void;
}

interface SqliteModule {
  readonly DatabaseSync: new (path: string, options: { readonly readOnly: boolean }) => SqliteDatabase;
}

export interface Engine {
  readonly name: "node:sqlite" | "@photostructure/sqlite";
  readonly version: string;
  open(path: string): SqliteDatabase;
  /** `path` may be a `file:` address with parameters. */
  openReadOnly(path: string): SqliteDatabase;
}

const OLDEST = [3, 51, 3] as const;

let loaded: Engine | null = null;

/** G1, G2. Throws `engine_too_old` when no engine here is new enough. */
export function openEngine(): Engine {
  loaded ??= accept(engineOf("node:sqlite", builtIn())) ?? accept(engineOf("@photostructure/sqlite", shipped()));
  if (loaded !== null) return loaded;
  throw new Fault({
    code: "engine_too_old",
    message: `No SQLite engine from ${OLDEST.join(".")} on was found for Node ${process.version} on ${process.platform}-${process.arch}.`,
    hint: "Install Node 24 or newer, or reinstall loopx so that its package @photostructure/sqlite is complete.",
  });
}

/** G1: answers `engine` when it is new enough. */
export function accept(engine: Engine | null): Engine | null {
  if (engine === null) return null;
  const parts = engine.version.split(".").map(Number);
  for (const [place, oldest] of OLDEST.entries()) {
    const part = parts[place] ?? 0;
    if (part !== oldest) return part > oldest ? engine : null;
  }
  return engine;
}

function engineOf(name: Engine["name"], module: SqliteModule | null): Engine | null {
  if (module === null) return null;
  const open = (path: string, readOnly: boolean): SqliteDatabase => new module.DatabaseSync(path, { readOnly });
  const probe = open(":memory:", false);
  const version = String(probe.prepare("select sqlite_version() as version").get()?.["version"]);
  probe.close();
  return { name, version, open: (path) => open(path, false), openReadOnly: (path) => open(path, true) };
}

function builtIn(): SqliteModule | null {
  const warn = process.emitWarning;
  process.emitWarning = (warning: string | Error, ...rest: readonly unknown[]): void => {
    const type = typeof rest[0] === "string" ? rest[0] : undefined;
    if (type !== "ExperimentalWarning") Reflect.apply(warn, process, [warning, ...rest]);
  };
  try {
    return (process.getBuiltinModule("node:sqlite" as "node:fs") as unknown as SqliteModule | undefined) ?? null;
  } finally {
    process.emitWarning = warn;
  }
}

/** G2: looked for where Node itself would look, at a tenth of what its resolver costs. */
function shipped(): SqliteModule | null {
  const { dirname, join } = process.getBuiltinModule("node:path");
  // The bundled program is CommonJS, where `import.meta` is empty; the library is ESM, where `__dirname` is not defined.
  let folder = typeof __dirname === "string" ? __dirname : import.meta.dirname;
  for (;;) {
    const addons = join(folder, "node_modules/@photostructure/sqlite/prebuilds", `${process.platform}-${process.arch}`);
    const found = loadAddon(addons, "glibc") ?? loadAddon(addons, "musl");
    if (found !== null) return found;
    if (dirname(folder) === folder) return null;
    folder = dirname(folder);
  }
}

function loadAddon(folder: string, libc: "glibc" | "musl"): SqliteModule | null {
  const file = `${folder}/@photostructure+sqlite.${libc}.node`;
  if (!process.getBuiltinModule("node:fs").existsSync(file)) return null;
  const module = { exports: {} };
  try {
    process.dlopen(module, file);
  } catch {
    return null;
  }
  return module.exports as SqliteModule;
}
