/** What a goal spent, derived from its events (W1 of `adapters/sqlite/spend.ts`). */
import type { GoalEvent, Units } from "../../core/events.ts";
import { addUnits } from "../../core/goal/evolve-turn.ts";
import type { SpendEntry, SpendQuery, SpendWindow } from "../../ports/store.ts";
import { sortedBy } from "./order.ts";

const NOTHING: Units = { slots: 0, tokens: 0, wall_ms: 0 };

export function spendAfter(spend: readonly SpendEntry[], event: GoalEvent): readonly SpendEntry[] {
  if (event.type === "turn.voided") return spend.filter(({ seq }) => seq !== event.data.spent_seq);
  if (event.type !== "turn.spent") return spend;
  return sortedBy([...spend, { seq: event.seq, at: event.at, units: event.data.units }], ({ at, seq }) => [at, seq]);
}

export function spendWindow(spend: readonly SpendEntry[], { since, entries }: SpendQuery): SpendWindow {
  const inside = spend.filter(({ at }) => at > since);
  const units = inside.reduce((sum, entry) => addUnits(sum, entry.units, 1), NOTHING);
  return { since, units, entries: inside.slice(0, entries) };
}
