/** The engine of the store, and whether this process may write through it. */
import { isFault } from "../../errors.ts";
import { type Check, type Examined, type Look, looked, NO_ROOTS } from "./check.ts";

export const engine: Check = {
  name: "engine",
  look: (examined) => {
    const { roots, workspace } = examined;
    if (roots.kind !== "done") return NO_ROOTS;
    const path = `${roots.value.runtime_root}/loopx.db`;
    if (workspace === null)
      return looked("the store cannot be opened", [{ severity: "error", message: failure(examined), path }]);
    const { engine: name, engine_version, format, access } = workspace.store.facts();
    const says = `${name} ${engine_version}, format ${format}`;
    return access === "read_write" ? looked(says) : readOnly(examined, { says, path });
  },
};

function failure({ store_failure }: Examined): string {
  if (!isFault(store_failure)) return store_failure instanceof Error ? store_failure.message : String(store_failure);
  return store_failure.hint === null ? store_failure.message : `${store_failure.message} ${store_failure.hint}`;
}

function readOnly({ tree }: Examined, { says, path }: { readonly says: string; readonly path: string }): Look {
  if (tree.look(path) === "missing") return looked(`${says}, no store yet`);
  const message = "the store cannot be written here: reads answer, commands that write are refused";
  return looked(`${says}, read-only`, [{ severity: "warning", message, path }]);
}
