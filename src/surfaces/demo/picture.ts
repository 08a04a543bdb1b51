/**
 * Whether LoopX sees in the sample project what was put there.
 *
 * P1  Every goal is there once, and each has exactly the kinds of drift that it was made with.
 */
import { SAMPLE_GOALS } from "./sample.ts";

export interface Seen {
  readonly goal_count: number;
  readonly drift: readonly { readonly goal_id: string; readonly kind: string }[];
}

/** What differs, one sentence each; empty: the picture stands (P1). */
export function differences({ goal_count, drift }: Seen): readonly string[] {
  const count = goal_count === SAMPLE_GOALS.length ? [] : [`${SAMPLE_GOALS.length} goals were made and ${goal_count} are seen`];
  const goals = SAMPLE_GOALS.flatMap((goal) => {
    const found = drift.filter((entry) => entry.goal_id === goal.id).map((entry) => entry.kind);
    const same = found.toSorted().join() === [...goal.drift].sort().join();
    return same ? [] : [`${goal.id} should have ${words(goal.drift)} and has ${words(found)}`];
  });
  const known = new Set(SAMPLE_GOALS.map((goal) => goal.id));
  const strange = drift.filter((entry) => !known.has(entry.goal_id)).map((entry) => `${entry.goal_id} has ${entry.kind}`);
  return [...count, ...goals, ...strange];
}

function words(kinds: readonly string[]): string {
  return kinds.length === 0 ? "no drift" : kinds.join(", ");
}
