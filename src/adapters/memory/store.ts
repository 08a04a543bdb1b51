/**
 * `memoryStore`: the store port in memory, for unit tests and simulation.
 *
 * Does not own: what the store holds (one file a noun beside this one).
 */
import type { Fault } from "../../errors.ts";
import type { Store } from "../../ports/store.ts";
import { archivesIn } from "./archives.ts";
import { type MemoryDatabase, memoryDatabase } from "./database.ts";
import { declaredIn } from "./declared.ts";
import { foreignIn } from "./foreign.ts";
import { journalIn } from "./journal.ts";
import { maintenanceIn } from "./maintenance.ts";
import { Session } from "./session.ts";
import { viewsIn } from "./views.ts";

export interface MemoryStore extends Store {
  /** The next write that is no cache throws `fault`, and nothing of it is stored. */
  failNext(fault: Fault): void;
}

export interface MemoryStoreOptions {
  /** Shared by stores that stand for several processes; without it the store is alone. */
  readonly database?: MemoryDatabase;
  readonly access?: "read_write" | "read_only";
}

export function memoryStore({ database = memoryDatabase(), access = "read_write" }: MemoryStoreOptions = {}): MemoryStore {
  const session = new Session(database, access);
  return {
    ...journalIn(session),
    ...declaredIn(session),
    ...foreignIn(session),
    ...viewsIn(session),
    ...archivesIn(session),
    ...maintenanceIn(session),
    failNext: (fault) => session.failNext(fault),
  };
}
