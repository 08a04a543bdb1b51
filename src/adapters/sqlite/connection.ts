/**
 * Reads and writes as transactions on one database.
 *
 * Does not own: what is read and written (the files named after their nouns), where the database comes from (`source.ts`).
 *
 * K1  A transaction begins and ends within one turn of the event loop: two operations of one process never share one.
 * K2  `work` of a write runs at most once; when it throws or the commit fails, nothing of it stays and the connection is usable.
 * K3  Facts are on the disk when `write` resolves; caches may lose their last commits to a power cut, never their consistency.
 */
import { Fault } from "../../errors.ts";
import { letOthersGo, type Patience, untilFree } from "./busy.ts";
import { faultOf, readOnly } from "./faults.ts";
import { monotonic } from "./monotonic.ts";
import type { Source } from "./source.ts";
import type { Sql } from "./sql.ts";

type Outcome<T> = { readonly kind: "committed"; readonly value: T } | { readonly kind: "abandoned"; readonly error: unknown };
type Durability = "full" | "normal";

/** A cache that cannot be written now is no reason for a read to fail or to wait long (S3). */
const CACHE_CANNOT_BE_WRITTEN: ReadonlySet<string> = new Set(["disk_full", "read_only", "store_busy"]);
const CACHE_WAIT = 250;
const LONGEST_RUN = 10;

export class Connection {
  readonly patience: Patience;
  readonly #source: Source;
  #durability: Durability | null = null;
  #committedAt = Number.NEGATIVE_INFINITY;
  #pausedAt = Number.NEGATIVE_INFINITY;

  constructor(source: Source, patience: Patience) {
    this.#source = source;
    this.patience = patience;
  }

  get access(): "read_write" | "read_only" {
    return this.#source.access;
  }

  /** All that `work` reads is of one committed state; it may run again when the store was busy. */
  async read<T>(work: (sql: Sql) => T): Promise<T> {
    return await this.#guarded(async () => {
      const sql = await this.#source.current();
      const attempt = (): Outcome<T> => transaction(sql, "begin", (within) => onSnapshot(within, work));
      return await untilFree(() => unwrap(attempt()), this.patience);
    });
  }

  /** K1, K2, K3. Throws `read_only` where the store cannot be written. */
  async write<T>(work: (sql: Sql) => T, durability: Durability = "full"): Promise<T> {
    return await this.#guarded(() => this.#write(work, durability, this.patience));
  }

  /** S3: false without an effect where the store cannot be written, else what `work` answers. */
  async writeCache(work: (sql: Sql) => boolean): Promise<boolean> {
    if (this.access === "read_only") return false;
    const patience = { ...this.patience, bound: Math.min(CACHE_WAIT, this.patience.bound) };
    try {
      return await this.#guarded(() => this.#write(work, "normal", patience));
    } catch (error) {
      if (error instanceof Fault && CACHE_CANNOT_BE_WRITTEN.has(error.code)) return false;
      throw error;
    }
  }

  /** For statements that cannot run inside a transaction. */
  async outside<T>(work: (sql: Sql) => T): Promise<T> {
    return await this.#guarded(async () => {
      const sql = await this.#source.current();
      return await untilFree(() => work(sql), this.patience);
    });
  }

  /** How often the database under this connection was replaced by a newer copy. */
  get replacements(): number {
    return this.#source.replacements;
  }

  get storeId(): string {
    return this.#source.storeId;
  }

  close(): void {
    this.#source.close();
  }

  async #write<T>(work: (sql: Sql) => T, durability: Durability, patience: Patience): Promise<T> {
    if (this.access === "read_only") throw readOnly(this.patience.path);
    const sql = await this.#source.current();
    await this.#letOthersGo(durability);
    const outcome = await untilFree(() => {
      this.#persist(sql, durability);
      return transaction(sql, "begin immediate", work);
    }, patience);
    this.#committedAt = monotonic();
    return unwrap(outcome);
  }

  /** Commits of caches are short: a run of them pauses now and then, not after each. */
  async #letOthersGo(durability: Durability): Promise<void> {
    if (durability === "normal" && monotonic() - this.#pausedAt < LONGEST_RUN) return;
    await letOthersGo(this.#committedAt);
    this.#pausedAt = monotonic();
  }

  /** K3. In write-ahead mode a full commit also syncs the commits before it. */
  #persist(sql: Sql, durability: Durability): void {
    if (this.#durability === durability) return;
    sql.exec(`pragma synchronous = ${durability}`);
    this.#durability = durability;
  }

  async #guarded<T>(operation: () => Promise<T>): Promise<T> {
    try {
      return await operation();
    } catch (error) {
      throw faultOf(error, this.patience.path);
    }
  }
}

/** Throws only when it could not begin; what happens afterwards is the outcome (K2). */
function transaction<T>(sql: Sql, begin: "begin" | "begin immediate", work: (sql: Sql) => T): Outcome<T> {
  sql.run(begin);
  try {
    const value = work(sql);
    sql.run("commit");
    return { kind: "committed", value };
  } catch (error) {
    abandon(sql);
    return { kind: "abandoned", error };
  }
}

/** The first row that is read is what may be busy; afterwards the state that is read stays. */
function onSnapshot<T>(sql: Sql, work: (sql: Sql) => T): T {
  sql.row("select key from meta limit 1");
  return work(sql);
}

function abandon(sql: Sql): void {
  try {
    sql.run("rollback");
  } catch {
    // "No transaction is active": the engine rolled back by itself.
  }
}

function unwrap<T>(outcome: Outcome<T>): T {
  if (outcome.kind === "abandoned") throw outcome.error;
  return outcome.value;
}
