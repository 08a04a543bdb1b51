/** Part of the composition root: what a simulation runs on. No project is looked for. */
import { memoryStore } from "./adapters/memory/store.ts";
import type { SimGround } from "./commands/sim.ts";
import { Fault } from "./errors.ts";
import type { Progress } from "./ports/system.ts";

export function simGround(progress: Progress): SimGround {
  const store = memoryStore();
  return {
    store,
    failNext: () => store.failNext(new Fault({ code: "disk_full", message: "A commit of the simulation fails here." })),
    progress,
    elapsed: () => Number(process.hrtime.bigint() / 1000n) / 1000,
  };
}
