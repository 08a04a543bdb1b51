/** The store contract on SQLite. */
import { mkdirSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openStore } from "../../src/adapters/sqlite/store.ts";
import type { Store } from "../../src/ports/store.ts";
import { storeContract } from "./store.ts";
import type { StorePlace } from "./store-adapter.ts";

interface SqlitePlace extends StorePlace {
  readonly folder: string;
  readonly root: string;
  readonly opened: Store[];
}

async function open(): Promise<SqlitePlace> {
  const folder = mkdtempSync(join(tmpdir(), "loopx-store-"));
  const root = join(folder, "root");
  const store = await openStore({ runtime_root: root });
  const opened = [store];
  const dispose = async (): Promise<void> => {
    for (const each of opened) await each.close();
    rmSync(folder, { recursive: true });
  };
  return { store, folder, root, opened, dispose };
}

async function opening(place: SqlitePlace, access: "read_write" | "read_only"): Promise<Store> {
  const store = await openStore({ runtime_root: place.root, access });
  place.opened.push(store);
  return store;
}

storeContract<SqlitePlace>("sqlite", {
  open,
  another: (place) => opening(place, "read_write"),
  readOnly: (place) => opening(place, "read_only"),
  copy: (place) => {
    const root = join(place.folder, "copy");
    return { path: join(place.folder, "copied.db"), open: () => openCopy(place, root) };
  },
});

async function openCopy(place: SqlitePlace, root: string): Promise<Store> {
  mkdirSync(root);
  renameSync(join(place.folder, "copied.db"), join(root, "loopx.db"));
  return await openStore({ runtime_root: root });
}
