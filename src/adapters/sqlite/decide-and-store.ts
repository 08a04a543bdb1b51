/**
 * What happens between begin and commit of a write: load, decide, store.
 *
 * Does not own: the transaction round it (`connection.ts`). Loaded where something is written: most commands only read.
 */
import type { Committed, Keeping, LoadedGoal, LoadRequest, Verdict } from "../../ports/store.ts";
import { applyChange } from "./apply.ts";
import type { Connection } from "./connection.ts";
import { assertContinues } from "./continuity.ts";
import { readOnly } from "./faults.ts";
import { loadFrontier } from "./frontier.ts";
import { loadGoal } from "./load.ts";
import type { Sql } from "./sql.ts";

export interface Transaction<T> {
  readonly requests: readonly LoadRequest[];
  readonly decide: (loaded: readonly LoadedGoal[]) => Verdict<T>;
  readonly keeping: Keeping;
  readonly connection: Connection;
}

/** S1, S2. */
export function decideAndStore<T>(sql: Sql, { requests, decide, keeping, connection }: Transaction<T>): Committed<T> {
  const loaded = requests.map((request) => loadGoal(sql, request, { loadFrontier }));
  const verdict = decide(loaded);
  if (verdict instanceof Promise) throw new Error("decide must not be asynchronous");
  if (verdict.changes.length > 0 && connection.access === "read_only") throw readOnly(connection.patience.path);
  assertContinues(verdict.changes, loaded, keeping);
  let last: number | null = null;
  for (const change of verdict.changes) {
    const before = loaded.find((goal) => goal.goal_id === change.goal_id)?.head ?? null;
    last = applyChange(sql, change, before) ?? last;
  }
  return { answer: verdict.answer, pos: last === null ? null : String(last) };
}
