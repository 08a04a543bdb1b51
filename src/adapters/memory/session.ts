/**
 * One opening of a database in memory: who may write, in what order, and which write is to fail.
 *
 * Q1  Writers take turns in the order in which they came; each one's work is synchronous and whole.
 * Q2  A fault that was asked for hits the next write that is no cache, after its work was decided and before any of it is
 *     stored.
 */
import { Fault } from "../../errors.ts";
import type { MemoryDatabase } from "./database.ts";

export class Session {
  readonly database: MemoryDatabase;
  readonly access: "read_write" | "read_only";
  #ownCommits = 0;
  #closed = false;
  readonly #faults: Fault[] = [];

  constructor(database: MemoryDatabase, access: "read_write" | "read_only") {
    this.database = database;
    this.access = access;
  }

  failNext(fault: Fault): void {
    this.#faults.push(fault);
  }

  close(): void {
    this.#closed = true;
  }

  /** Commits of others since the database was made. */
  get foreignCommits(): number {
    return this.database.commits - this.#ownCommits;
  }

  async read<T>(work: (database: MemoryDatabase) => T): Promise<T> {
    this.#assertOpen();
    return work(this.database);
  }

  /** Q1. `decide` changes nothing; the `commit` that it returns does, and is not called when a fault is due (Q2). */
  write<T>(decide: (database: MemoryDatabase) => Prepared<T>): Promise<T> {
    return this.#inTurn(() => {
      const { answer, commit } = decide(this.database);
      if (commit === null) return answer;
      this.#assertWritable();
      commit();
      this.#committed();
      return answer;
    });
  }

  /** Q1. Work that stores nothing here, while nobody else writes. */
  alone<T>(work: () => T): Promise<T> {
    return this.#inTurn(() => {
      this.#assertWritable();
      return work();
    });
  }

  /** False where nothing can be written, or `work` says so. */
  writeCache(work: (database: MemoryDatabase) => boolean): Promise<boolean> {
    return this.#inTurn(() => {
      const done = this.access === "read_write" && work(this.database);
      if (done) this.#committed();
      return done;
    });
  }

  /** Q2. */
  #assertWritable(): void {
    if (this.access === "read_only") throw readOnly();
    const fault = this.#faults.shift();
    if (fault !== undefined) throw fault;
  }

  #committed(): void {
    this.#ownCommits += 1;
    this.database.commits += 1;
  }

  #inTurn<T>(work: () => T): Promise<T> {
    const turn = this.database.queue.then(() => {
      this.#assertOpen();
      return work();
    });
    this.database.queue = turn.catch(() => undefined);
    return turn;
  }

  #assertOpen(): void {
    if (this.#closed) throw new Error("the store was closed");
  }
}

export interface Prepared<T> {
  readonly answer: T;
  /** Null: there is nothing to store. Must not throw. */
  readonly commit: (() => void) | null;
}

function readOnly(): Fault {
  return new Fault({ code: "read_only", message: "The store in memory was opened for reading only." });
}
