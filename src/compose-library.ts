/** The composition root of the library's plain functions: what they need, with nothing opened. */
import { homedir } from "node:os";
import { localFiles } from "./adapters/files/files.ts";
import { readRegistryFile } from "./adapters/files/registry-file.ts";
import { rootsView } from "./adapters/files/roots.ts";
import { systemClock } from "./adapters/system/system.ts";
import type { SeedPorts } from "./commands/seed-registry.ts";
import type { Files } from "./ports/files.ts";
import type { Clock } from "./ports/system.ts";

export interface LocalPorts extends SeedPorts {
  readonly files: Files;
  readonly clock: Clock;
}

export function localPorts(): LocalPorts {
  const home = process.env["HOME"] || homedir();
  const { realPath } = rootsView({ cwd: process.cwd(), home, env_registry: null });
  return { files: localFiles, clock: systemClock, home, realPath, readRegistry: readRegistryFile };
}
