/** The store contract in memory. */
import { type MemoryDatabase, memoryDatabase } from "../../src/adapters/memory/database.ts";
import { memoryStore } from "../../src/adapters/memory/store.ts";
import { storeContract } from "./store.ts";
import type { StorePlace } from "./store-adapter.ts";

interface MemoryPlace extends StorePlace {
  readonly database: MemoryDatabase;
}

storeContract<MemoryPlace>("memory", {
  open: async () => {
    const database = memoryDatabase();
    return { store: memoryStore({ database }), database, dispose: async () => undefined };
  },
  another: async ({ database }) => memoryStore({ database }),
  readOnly: async ({ database }) => memoryStore({ database, access: "read_only" }),
  copy: { lacks: "What stands in memory is opened by nobody who finds its copy in a file." },
});
