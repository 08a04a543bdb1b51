/** Timers of this machine. */
import { performance } from "node:perf_hooks";

export interface NodeScheduler {
  elapsed(): number;
  after(milliseconds: number, work: () => void): () => void;
  breathe(): Promise<void>;
}

export function nodeScheduler(): NodeScheduler {
  return {
    elapsed: () => performance.now(),
    after: (milliseconds, work) => {
      const timer = setTimeout(work, milliseconds);
      return () => clearTimeout(timer);
    },
    breathe: () => new Promise((resolve) => setImmediate(resolve)),
  };
}
