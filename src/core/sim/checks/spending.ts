/** I2, I3: what is spent and set aside never passes the cap, and each spending has its own work. */
import type { GoalEvent, Units } from "../../events.ts";
import { UNITS, windowOf } from "../../quota/law.ts";
import type { Ledger } from "../ledger.ts";
import { type Flaw, flaw, type Step } from "../step.ts";

const GROWING: ReadonlySet<GoalEvent["type"]> = new Set<GoalEvent["type"]>([
  "turn.spent",
  "lease.taken",
  "lease.moved",
  "lease.renewed",
]);

/** I3, before the step is counted. */
export function billFlaw({ events }: Step, { spent_turns, accountable_turns }: Ledger): Flaw | null {
  const written = new Set(accountable_turns);
  for (const event of events) {
    if (event.type === "turn.written" && event.data.turn_id !== undefined && DELIVERS.has(event.data.outcome))
      written.add(event.data.turn_id);
    if (event.type !== "turn.spent" || event.data.units.slots === 0) continue;
    const { turn_id } = event.data;
    if (turn_id === undefined || !written.has(turn_id)) return flaw("I3", `turn ${turn_id} was spent and delivered nothing`);
    if (spent_turns.has(turn_id)) return flaw("I3", `turn ${turn_id} was spent twice`);
  }
  return null;
}

const DELIVERS: ReadonlySet<string> = new Set(["completed", "progress"]);

/**
 * I2: `before` is what was taken at the same instant before the step. A cap that a person lowered, and a clock that went back, can
 * leave more than the cap; then nothing more may be taken.
 */
export function capFlaw(step: Step, ledger: Ledger, before: Units): Flaw | null {
  const { quota } = ledger.terms.goal;
  if (quota.kind === "invalid" || !step.events.some(({ type }) => GROWING.has(type))) return null;
  const { caps } = windowOf(quota.settings);
  const after = ledger.taken(step.at);
  for (const unit of UNITS) {
    const cap = caps[unit];
    if (cap !== null && after[unit] > cap && after[unit] > before[unit])
      return flaw("I2", `${after[unit]} ${unit} are spent and set aside, ${before[unit]} were before, and the cap is ${cap}`);
  }
  return null;
}
