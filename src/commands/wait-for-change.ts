/**
 * Waits until something may have changed what an agent is told: a time, a commit of another process, a file that people edit, an order.
 *
 * Does not own: what is asked then (`run-loop.ts`).
 *
 * C1  Waiting writes nothing, and costs a look at one counter every so often; files are looked at less often still.
 * C2  What changed before the wait began, and after `since` was taken, ends it at once.
 */
import type { Instant } from "../core/instant.ts";
import { millisecondsBetween } from "../core/instant.ts";
import type { Scheduler } from "./scheduler.ts";
import type { WorkerOrders } from "./worker-orders.ts";
import type { Workspace } from "./workspace.ts";

export type WokenBy = "time" | "change" | "order" | "idle_limit";

/** What the world looked like when a decision was made. */
export interface Glimpse {
  readonly counter: number;
  readonly files: readonly (readonly [path: string, fingerprint: string | null])[];
}

export interface Waiting {
  readonly since: Glimpse;
  /** Null: no time is known. */
  readonly until: Instant | null;
  /** When whoever waits gives up. */
  readonly give_up_ms: number | null;
  readonly orders: WorkerOrders;
  readonly scheduler: Scheduler;
}

const STORE_EVERY_MS = 250;
const FILES_EVERY = 4;
/** No timer of the platform runs longer. */
const LONGEST_MS = 24 * 60 * 60_000;

type Watched = Pick<Workspace, "store" | "files" | "clock">;

export async function glimpse({ store, files }: Watched, paths: readonly string[]): Promise<Glimpse> {
  return { counter: await store.changeCounter(), files: paths.map((path) => [path, files.fingerprint(path)] as const) };
}

export async function waitForChange(watched: Watched, waiting: Waiting): Promise<WokenBy> {
  const { scheduler, orders, until, give_up_ms } = waiting;
  const begun = scheduler.elapsed();
  const left = until === null ? LONGEST_MS : Math.max(0, millisecondsBetween(watched.clock.now(), until));
  const { limit, by } = limitOf(left, give_up_ms);
  for (let round = 0; ; round += 1) {
    if (orders.end !== null || orders.takeWake()) return "order";
    if (await hasChanged(watched, waiting.since, round)) return "change"; // (C2)
    const rest = limit - (scheduler.elapsed() - begun);
    if (rest <= 0) return by;
    if (await paused(waiting, Math.min(rest, STORE_EVERY_MS))) return "order";
  }
}

function limitOf(left: number, give_up_ms: number | null): { readonly limit: number; readonly by: WokenBy } {
  const gives_up = give_up_ms !== null && give_up_ms < left;
  return gives_up ? { limit: give_up_ms, by: "idle_limit" } : { limit: left, by: "time" };
}

/** C1. */
async function hasChanged({ store, files }: Watched, since: Glimpse, round: number): Promise<boolean> {
  if ((await store.changeCounter()) !== since.counter) return true;
  return round % FILES_EVERY === 0 && since.files.some(([path, fingerprint]) => files.fingerprint(path) !== fingerprint);
}

/** True when an order came meanwhile. */
function paused({ scheduler, orders }: Waiting, milliseconds: number): Promise<boolean> {
  return new Promise((resolve) => {
    const end = (ordered: boolean): void => {
      cancel();
      deafen();
      resolve(ordered);
    };
    const cancel = scheduler.after(milliseconds, () => end(false));
    const deafen = orders.listen(() => end(true));
  });
}
