/** Cache of what is shown of each goal, in the order of attention. */
import type { GoalId } from "../../core/id.ts";
import { SEVERITY_ORDER } from "../../core/show/rank.ts";
import { MAX_VIEW_BYTES, type StoredView, type ViewCounts, type ViewEntry, type Views } from "../../ports/store-views.ts";
import { encodeCursor, placeAfter } from "./cursor.ts";
import { assertTexts, kept, type MemoryDatabase } from "./database.ts";
import { compareKeys, type Key, sortedBy } from "./order.ts";
import type { Session } from "./session.ts";

export function viewsIn(session: Session): Views {
  return {
    views: (registry, goalIds) =>
      session.read((database) => {
        const wanted = new Set(goalIds);
        return new Map(
          byId(database, registry).flatMap((entry) => (wanted.has(entry.goal_id) ? [[entry.goal_id, stored(entry)]] : [])),
        );
      }),
    saveViews: async (registry, entries) => {
      for (const entry of entries) assertFits(entry);
      return await session.writeCache(({ views }) => {
        const known = views.get(registry) ?? new Map<GoalId, ViewEntry>();
        for (const entry of entries) known.set(entry.goal_id, kept(entry));
        views.set(registry, known);
        return true;
      });
    },
    attention: (registry, { after, limit }) =>
      session.read((database) => {
        const ranked = sortedBy(
          byId(database, registry).filter(({ rank }) => rank !== null),
          keyOf,
        );
        const place = placeAfter(after, ranked.map(keyOf), compareKeys);
        return ranked.slice(place, place + limit).map((entry) => ({ ...stored(entry), cursor: encodeCursor(keyOf(entry)) }));
      }),
    viewPage: (registry, { after, limit }) =>
      session.read((database) => {
        const entries = byId(database, registry);
        const place = after === null ? 0 : entries.findIndex(({ goal_id }) => compareKeys([goal_id], [after]) > 0);
        return place < 0 ? [] : entries.slice(place, place + limit).map(stored);
      }),
    dueViews: (registry, now, limit) =>
      session.read((database) => {
        const due = byId(database, registry).filter(({ next_change_at: at }) => at !== null && at <= now);
        return sortedBy(due, ({ next_change_at: at, goal_id }) => [at ?? "", goal_id])
          .slice(0, limit)
          .map(({ goal_id }) => goal_id);
      }),
    viewCounts: (registry) => session.read((database) => countsOf(byId(database, registry))),
    forgetViews: async (registry, goalIds) => {
      let gone = 0;
      await session.writeCache(({ views }) => {
        const known = views.get(registry);
        for (const id of goalIds ?? [...(known?.keys() ?? [])]) if (known?.delete(id) === true) gone += 1;
        return true;
      });
      return gone;
    },
  };
}

function byId({ views }: MemoryDatabase, registry: string): readonly ViewEntry[] {
  return sortedBy(views.get(registry)?.values() ?? [], ({ goal_id }) => [goal_id]);
}

function stored({ goal_id, key, checked_at, view }: ViewEntry): StoredView {
  return { goal_id, key, checked_at, view };
}

function keyOf({ rank, goal_id }: ViewEntry): Key {
  if (rank === null) return [];
  return [rank.waits_for_person ? 0 : 1, SEVERITY_ORDER.indexOf(rank.severity), rank.since, goal_id];
}

/** V2 of the port. */
function assertFits({ goal_id, key, view }: ViewEntry): void {
  assertTexts(key, view);
  if (Buffer.byteLength(view) > MAX_VIEW_BYTES)
    throw new Error(`the view of goal ${goal_id} is larger than ${MAX_VIEW_BYTES} bytes`);
}

function countsOf(entries: readonly ViewEntry[]): ViewCounts {
  const sum = (of: (entry: ViewEntry) => number): number => entries.reduce((total, entry) => total + of(entry), 0);
  return {
    goals: entries.length,
    attention: sum(({ rank }) => (rank === null ? 0 : 1)),
    waiting_for_person: sum(({ rank }) => (rank?.waits_for_person === true ? 1 : 0)),
    runs: sum(({ run_count }) => run_count),
    open_todos: sum(({ open_todos }) => open_todos),
    waiting_todos: sum(({ waiting_todos }) => waiting_todos),
    stopped: sum(({ stopped }) => stopped),
    oldest_check: sortedBy(entries, ({ checked_at }) => [checked_at])[0]?.checked_at ?? null,
  };
}
