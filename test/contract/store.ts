/**
 * What every adapter of the store port must do; each test names the invariant of the port that it holds it to.
 *
 * An adapter that cannot be asked something says why with `lacks`; that part of the suite is then left out for it.
 */
import type { StoreAdapter, StorePlace } from "./store-adapter.ts";
import { archivesContract } from "./store-archives.ts";
import { declaredContract } from "./store-declared.ts";
import { foldContract } from "./store-fold.ts";
import { foreignContract } from "./store-foreign.ts";
import { goalsWithContract } from "./store-goals-with.ts";
import { journalContract } from "./store-journal.ts";
import { linksContract } from "./store-links.ts";
import { maintenanceContract } from "./store-maintenance.ts";
import { pastContract } from "./store-past.ts";
import { sharingContract } from "./store-sharing.ts";
import { spendContract } from "./store-spend.ts";
import { todosContract } from "./store-todos.ts";
import { viewsContract } from "./store-views.ts";

export function storeContract<P extends StorePlace>(name: string, adapter: StoreAdapter<P>): void {
  journalContract(name, adapter);
  todosContract(name, adapter);
  linksContract(name, adapter);
  goalsWithContract(name, adapter);
  foldContract(name, adapter);
  spendContract(name, adapter);
  declaredContract(name, adapter);
  foreignContract(name, adapter);
  viewsContract(name, adapter);
  archivesContract(name, adapter);
  maintenanceContract(name, adapter);
  pastContract(name, adapter);
  sharingContract(name, adapter);
}
