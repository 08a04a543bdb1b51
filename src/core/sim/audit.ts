/**
 * Holds every step of a simulated world to the laws.
 *
 * Does not own: the laws (one file each in `checks`), what is counted (`ledger.ts`).
 *
 * A1  The first law that a step breaks is what is told; nothing that comes after it can be trusted.
 */
import { foldJournal } from "../goal/fold-journal.ts";
import type { GoalState } from "../goal/head.ts";
import { answerFlaw, deadEndFlaw } from "./checks/answers.ts";
import { bestWorkFlaw } from "./checks/best-work.ts";
import { answeredFlaw, closingFlaw, stoppedFlaw } from "./checks/closing.ts";
import { foldFlaw, refusalFlaw, storeFlaw } from "./checks/journal.ts";
import { holdingFlaw, leaseFlaw } from "./checks/leases.ts";
import { billFlaw, capFlaw } from "./checks/spending.ts";
import type { Ledger } from "./ledger.ts";
import type { Flaw, Step } from "./step.ts";

type Check = (step: Step, ledger: Ledger) => Flaw | null;

const ON_WHAT_STOOD: readonly Check[] = [
  refusalFlaw,
  leaseFlaw,
  billFlaw,
  closingFlaw,
  stoppedFlaw,
  answerFlaw,
  bestWorkFlaw,
  deadEndFlaw,
];
const ON_WHAT_STANDS: readonly Check[] = [foldFlaw, answeredFlaw, holdingFlaw];

/** A1. Counts the step in the ledger. */
export function audit(step: Step, ledger: Ledger): Flaw | null {
  for (const check of ON_WHAT_STOOD) {
    const found = check(step, ledger);
    if (found !== null) return found;
  }
  const before = ledger.taken(step.at);
  ledger.apply(step);
  for (const check of ON_WHAT_STANDS) {
    const found = check(step, ledger);
    if (found !== null) return found;
  }
  return capFlaw(step, ledger, before);
}

/** Everything that is in the store, derived again from the events that were acknowledged. */
export function auditStore(live: GoalState, ledger: Ledger): Flaw | null {
  return storeFlaw(live, foldJournal(ledger.events));
}
