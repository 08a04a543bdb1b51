/** The cached views of the goals of a registry, as one of the caches that can be counted and pruned. */
import type { GoalId } from "../core/id.ts";
import { epochOf } from "../core/instant.ts";
import { type ShownUse, totalOf } from "../core/show/cache.ts";
import { type Bounds, type Held, NO_BOUNDS, toEvict } from "../core/verify/evict.ts";
import type { CacheScope } from "../ports/verdict-cache.ts";
import type { Workspace } from "./workspace.ts";

const PAGE = 1000;

interface HeldView extends Held {
  readonly goal_id: GoalId;
}

type Views = Pick<Workspace, "store">;

async function viewsOf({ store }: Views, registry: string): Promise<readonly HeldView[]> {
  const held: HeldView[] = [];
  for (let after: string | null = null; ; ) {
    const page: Awaited<ReturnType<typeof store.viewPage>> = await store.viewPage(registry, { after, limit: PAGE });
    for (const { goal_id, checked_at, view } of page)
      held.push({ goal_id, name: goal_id, used_at: epochOf(checked_at), bytes: view.length });
    const last = page.at(-1);
    if (last === undefined || page.length < PAGE) return held;
    after = last.goal_id;
  }
}

export async function viewStats(views: Views, registry: string): Promise<ShownUse> {
  return useOf(await viewsOf(views, registry));
}

export async function clearViews(views: Views, registry: string, mode: CacheScope["mode"]): Promise<ShownUse> {
  const use = await viewStats(views, registry);
  if (mode === "remove") await views.store.forgetViews(registry);
  return use;
}

export async function pruneViews(
  views: Views,
  registry: string,
  { bounds, mode }: { readonly bounds: Partial<Bounds>; readonly mode: CacheScope["mode"] },
): Promise<ShownUse> {
  const going = toEvict(await viewsOf(views, registry), { ...NO_BOUNDS, ...bounds });
  const ids = going.map(({ goal_id }) => goal_id);
  if (mode === "remove" && ids.length > 0) await views.store.forgetViews(registry, ids);
  return useOf(going);
}

function useOf(held: readonly HeldView[]): ShownUse {
  return totalOf(held.map(({ bytes }) => ({ entries: 1, bytes })));
}
