/** The registry as it was last read. */
import { compareText } from "../../core/show/rank.ts";
import type { Declared } from "../../ports/store.ts";
import type { DeclaredRow } from "../../ports/store-declared.ts";
import { assertTexts, kept } from "./database.ts";
import { sortedBy } from "./order.ts";
import type { Session } from "./session.ts";

export function declaredIn(session: Session): Declared {
  return {
    registry: (path) => session.read(({ registries }) => registries.get(path)?.checkpoint ?? null),
    saveRegistry: (checkpoint, goals) =>
      session.writeCache(({ registries }) => {
        assertTexts(checkpoint.path, checkpoint.header, ...goals.flatMap(({ goal_id, data }) => [goal_id, data]));
        registries.set(checkpoint.path, kept({ checkpoint, rows: sortedBy(goals, keyOf) }));
        return true;
      }),
    declared: (path, goalId) =>
      session.read(({ registries }) =>
        (registries.get(path)?.rows ?? []).filter((row) => compareText(row.goal_id, goalId) === 0),
      ),
    declaredPage: (path, { after, limit }) =>
      session.read(({ registries }) => {
        const rows = (registries.get(path)?.rows ?? []).filter((row) => after === null || compareText(row.goal_id, after) > 0);
        const last = rows[limit - 1];
        return rows.filter((row, at) => at < limit || row.goal_id === last?.goal_id);
      }),
  };
}

function keyOf({ goal_id, ordinal }: DeclaredRow): readonly [string, number] {
  return [goal_id, ordinal];
}
