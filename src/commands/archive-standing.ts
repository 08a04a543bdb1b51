/**
 * Work on the files of goals while none of their folders can move: what is written for a goal that has just been archived
 * would make a folder in its old place.
 *
 * D1  Such work runs while the store's write lock is held, and is told which of the goals stand at that instant.
 */
import type { GoalId } from "../core/id.ts";
import type { LoadedGoal, Store, Verdict } from "../ports/store.ts";

/** Generation of each goal that stands; null for one without a journal. */
export type Standing = ReadonlyMap<GoalId, number | null>;

/** `work` must not await, and be short: everybody else waits. */
export async function whileStanding<T>(
  store: Pick<Store, "transact">,
  goalIds: readonly GoalId[],
  work: (standing: Standing) => T,
): Promise<T> {
  const requests = [...new Set(goalIds)].map((goal_id) => ({ goal_id, todos: "none", base: "none" }) as const);
  const decide = (loaded: readonly LoadedGoal[]): Verdict<T> => ({ answer: work(standingOf(loaded)), changes: [] });
  return (await store.transact(requests, decide)).answer;
}

function standingOf(loaded: readonly LoadedGoal[]): Standing {
  const standing = new Map<GoalId, number | null>();
  for (const { goal_id, head } of loaded) {
    if (head === null) standing.set(goal_id, null);
    else if (head.lifecycle.kind === "active" || head.lifecycle.kind === "stopped") standing.set(goal_id, head.generation);
  }
  return standing;
}
