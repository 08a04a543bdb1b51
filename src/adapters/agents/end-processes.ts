/**
 * Ends processes: asks first, then makes them.
 *
 * Does not own: which ones (the caller's search).
 *
 * E1  It goes on until a search finds none: what is started meanwhile is found by the next round. Rounds are bounded.
 * E2  No process is signalled by a number alone: each was found to be wanted right before.
 */
import { setTimeout as sleep } from "node:timers/promises";
import type { ProcessRow } from "../../core/host/process-table.ts";
import type { ProcessSearch, Wanted } from "./process-search.ts";

const MAX_ROUNDS = 50;
const SHORTEST_LOOK_MS = 2;
const LONGEST_LOOK_MS = 50;
/** After a signal that nobody can ignore: time for the system to carry it out. */
const KILL_MS = 1000;

export interface Ending {
  readonly search: ProcessSearch;
  readonly wanted: Wanted;
  /** How long they may take to end by themselves. */
  readonly grace_ms: number;
}

/** How many there were. */
export async function endProcesses({ search, wanted, grace_ms }: Ending): Promise<number> {
  const met = new Set<string>();
  const deadline = performance.now() + grace_ms;
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const rows = search.find(wanted); // (E1, E2)
    if (rows.length === 0) break;
    for (const { pid, started } of rows) met.add(`${pid} ${started}`);
    const left = deadline - performance.now();
    signalAll(rows, left > 0 ? "SIGTERM" : "SIGKILL");
    await untilGone(search, rows, left > 0 ? left : KILL_MS);
  }
  return met.size;
}

function signalAll(rows: readonly ProcessRow[], signal: NodeJS.Signals): void {
  for (const { pid } of rows) {
    try {
      process.kill(pid, signal);
    } catch {
      // It has ended since, or is another person's.
    }
  }
}

async function untilGone(search: ProcessSearch, rows: readonly ProcessRow[], milliseconds: number): Promise<void> {
  const deadline = performance.now() + milliseconds;
  let running = rows;
  for (let wait = SHORTEST_LOOK_MS; ; wait = Math.min(LONGEST_LOOK_MS, wait * 2)) {
    running = search.stillRunning(running);
    const left = deadline - performance.now();
    if (running.length === 0 || left <= 0) return;
    await sleep(Math.min(wait, left));
  }
}
