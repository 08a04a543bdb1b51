/** A clock that tests move by hand. */
import type { Scheduler } from "./scheduler.ts";

export interface HandScheduler extends Scheduler {
  /** Runs what is due within the next `milliseconds`, in order, and lets what follows settle. */
  advance(milliseconds: number): Promise<void>;
  pending(): number;
}

export function handScheduler(): HandScheduler {
  let now = 0;
  let timers: { readonly at: number; readonly work: () => void }[] = [];
  const settle = async (): Promise<void> => {
    for (let turn = 0; turn < 50; turn += 1) await Promise.resolve();
  };
  return {
    elapsed: () => now,
    after: (milliseconds, work) => {
      const timer = { at: now + milliseconds, work };
      timers.push(timer);
      return () => {
        timers = timers.filter((each) => each !== timer);
      };
    },
    breathe: () => Promise.resolve(),
    pending: () => timers.length,
    advance: async (milliseconds) => {
      const end = now + milliseconds;
      for (;;) {
        const [next] = timers.filter((timer) => timer.at <= end).sort((a, b) => a.at - b.at);
        if (next === undefined) break;
        timers = timers.filter((each) => each !== next);
        now = Math.max(now, next.at);
        next.work();
        await settle();
      }
      now = end;
      await settle();
    },
  };
}
