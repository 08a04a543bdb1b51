/**
 * What had been spent in a window by one event of the journal, as it then stood.
 *
 * V1  Spends and voids that came later do not count.
 */
import type { GoalEvent, GoalEventType } from "../core/events.ts";
import { addUnits } from "../core/goal/evolve-turn.ts";
import type { GoalHead } from "../core/goal/head.ts";
import type { Instant } from "../core/instant.ts";
import type { SpendQuery, SpendWindow, Store } from "../ports/store.ts";

const PAGE = 512;
const NOTHING = { slots: 0, tokens: 0, wall_ms: 0 };

export async function spentUntil(store: Store, head: GoalHead, { since, entries }: SpendQuery): Promise<SpendWindow> {
  const voids = await newestOf(store, head, { type: "turn.voided", since });
  const voided = new Set(voids.flatMap((event) => (event.type === "turn.voided" ? [event.data.spent_seq] : [])));
  const spends = await newestOf(store, head, { type: "turn.spent", since });
  const inside = spends.flatMap((event) =>
    event.type === "turn.spent" && !voided.has(event.seq) ? [{ seq: event.seq, at: event.at, units: event.data.units }] : [],
  );
  const oldest = inside.toSorted((a, b) => (a.at < b.at || (a.at === b.at && a.seq < b.seq) ? -1 : 1));
  return {
    since,
    units: oldest.reduce((sum, { units }) => addUnits(sum, units, 1), NOTHING),
    entries: oldest.slice(0, entries),
  };
}

/** (V1) A void of what was spent in the window lies in it, too. */
async function newestOf(
  store: Store,
  { goal_id, generation, seq }: GoalHead,
  { type, since }: { readonly type: GoalEventType; readonly since: Instant },
): Promise<readonly GoalEvent[]> {
  const found: GoalEvent[] = [];
  for (let beyond_seq = seq + 1; ; ) {
    const events = await store.events({ goal_id, generation, type, order: "newest_first", beyond_seq, limit: PAGE });
    found.push(...events.filter(({ at }) => at > since));
    const last = events.at(-1);
    if (last === undefined || events.length < PAGE || last.at <= since) return found;
    beyond_seq = last.seq;
  }
}
