import { performance } from "node:perf_hooks";
import type { Scheduler } from "../../commands/scheduler.ts";

export function nodeScheduler(): Scheduler {
  return {
    elapsed: () => performance.now(),
    after: (milliseconds, work) => {
      const timer = setTimeout(work, milliseconds);
      return () => clearTimeout(timer);
    },
    breathe: () => new Promise((resolve) => setImmediate(resolve)),
  };
}
