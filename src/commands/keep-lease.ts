/**
 * Keeps a lease while something runs that must stop when it is lost.
 *
 * Does not own: leases (`core/goal`), what is stopped (the caller).
 *
 * K1  Lost is what a renewal says, or that the lease's time has passed without one that said "held"; nothing else. A renewal that
 *     fails proves nothing before that time.
 * K2  The time that is left counts from the moment a renewal was asked for: the answer may have been on its way for long.
 * K3  One renewal at a time; after the end none is asked for, and an answer that still comes changes nothing.
 */
import type { Scheduler } from "./scheduler.ts";

export type Renewal = { readonly kind: "held"; readonly for_ms: number } | { readonly kind: "lost" };

export interface LeaseKeeping {
  /** What is left of it now. */
  readonly left_ms: number;
  readonly renew_every_ms: number;
  readonly renew: () => Promise<Renewal>;
}

/** Calls `onLost` at most once. Answers how to end the keeping. */
export function keepLease(scheduler: Scheduler, keeping: LeaseKeeping, onLost: () => void): () => void {
  let ended = false;
  let cancelExpiry = (): void => {};
  let cancelRenewal = (): void => {};
  const end = (): void => {
    ended = true;
    cancelExpiry();
    cancelRenewal();
  };
  const lose = (): void => {
    end();
    onLost();
  };
  const holdFor = (milliseconds: number): void => {
    cancelExpiry();
    cancelExpiry = scheduler.after(Math.max(0, milliseconds), lose); // (K1)
  };
  const renew = async (): Promise<void> => {
    const askedAt = scheduler.elapsed();
    const renewal = await keeping.renew().catch(() => null); // (K1)
    if (ended) return; // (K3)
    if (renewal?.kind === "lost") return lose();
    if (renewal !== null) holdFor(renewal.for_ms - (scheduler.elapsed() - askedAt)); // (K2)
    plan();
  };
  const plan = (): void => {
    cancelRenewal = scheduler.after(keeping.renew_every_ms, () => void renew());
  };
  holdFor(keeping.left_ms);
  plan();
  return end;
}
