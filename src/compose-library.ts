/** The composition root of the library's plain functions: what they need, with nothing opened. */
import { homedir } from "node:os";
import { editableFiles } from "./adapters/files/editable-files.ts";
import { goalFolders } from "./adapters/files/goal-folders.ts";
import { readRegistryFile } from "./adapters/files/registry-file.ts";
import { rootsView } from "./adapters/files/roots.ts";
import { systemClock, systemIds } from "./adapters/system/system.ts";
import type { SeedPorts } from "./commands/seed-registry.ts";
import type { EditableFiles } from "./ports/files.ts";
import type { GoalFolders } from "./ports/goal-folders.ts";
import type { Clock, Ids } from "./ports/system.ts";

export interface LocalPorts extends SeedPorts {
  readonly files: EditableFiles;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly goal_folders: GoalFolders;
}

export function localPorts(): LocalPorts {
  const home = process.env["HOME"] || homedir();
  const { realPath } = rootsView({ cwd: process.cwd(), home, env_registry: null });
  const goal_folders = goalFolders({ runtime_root: "/" });
  return {
    files: editableFiles,
    clock: systemClock,
    ids: systemIds,
    home,
    realPath,
    readRegistry: readRegistryFile,
    goal_folders,
  };
}
