/** Every check, in the order in which they are shown: first what the others stand on. */
import { accessTimes } from "./access-times.ts";
import { archives } from "./archives.ts";
import { certificates } from "./certificates.ts";
import type { Check } from "./check.ts";
import { disk } from "./disk.ts";
import { engine } from "./engine.ts";
import { integrity } from "./integrity.ts";
import { leftovers } from "./leftovers.ts";
import { mounts } from "./mounts.ts";
import { node } from "./node.ts";
import { port } from "./port.ts";
import { projections } from "./projections.ts";
import { registry } from "./registry.ts";
import { roots } from "./roots.ts";
import { runFiles } from "./run-files.ts";
import { runIndexes } from "./run-indexes.ts";
import { runtimeBytes } from "./runtime-bytes.ts";
import { stateFiles } from "./state-files.ts";

export const CHECKS: readonly Check[] = [
  node,
  certificates,
  roots,
  registry,
  stateFiles,
  engine,
  integrity,
  runFiles,
  runIndexes,
  archives,
  runtimeBytes,
  projections,
  leftovers,
  disk,
  mounts,
  accessTimes,
  port,
];
