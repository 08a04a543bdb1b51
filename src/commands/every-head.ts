/** Heads of all goals whose journal is this registry's, by id. */
import type { GoalHead } from "../core/goal/head.ts";
import type { Store } from "../ports/store.ts";

const PAGE = 500;

export async function* everyHead({
  store,
  registry,
}: {
  readonly store: Pick<Store, "heads">;
  readonly registry: string;
}): AsyncGenerator<GoalHead> {
  for (let after: string | null = null; ; ) {
    const page: readonly GoalHead[] = await store.heads({ after, limit: PAGE });
    yield* page.filter((head) => head.registry === registry);
    const last = page.at(-1);
    if (last === undefined || page.length < PAGE) return;
    after = last.goal_id;
  }
}
