/** The timers of the platform, in the shape that use cases ask for. */
import { performance } from "node:perf_hooks";

export const timers = {
  elapsed: (): number => performance.now(),
  after: (milliseconds: number, work: () => void): (() => void) => {
    const timer = setTimeout(work, milliseconds);
    return () => clearTimeout(timer);
  },
  breathe: (): Promise<void> => new Promise((resolve) => setImmediate(resolve)),
};
