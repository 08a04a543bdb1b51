/** How busy this machine is. */
import { availableParallelism, loadavg } from "node:os";
import type { SystemLoad } from "../../ports/process.ts";

export function systemLoad(averages: readonly number[] = loadavg(), cores: number = availableParallelism()): SystemLoad {
  const one_minute = averages[0] ?? 0;
  return { one_minute, cores, per_core: one_minute / Math.max(1, cores) };
}
