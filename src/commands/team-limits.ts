/**
 * Whether any goal of a team may have one more running task: asked before each start of a worker.
 *
 * Does not own: the limit at each claim, which alone decides (`claim.ts`).
 *
 * M1  A look costs one read of a goal's head, and ends at the first goal that has room.
 */
import type { GoalId } from "../core/id.ts";
import { runningTaskBar } from "../core/quota/limits.ts";
import { settingsOf } from "../core/quota/settings-of.ts";
import { registryRows } from "./registry-rows.ts";
import type { Workspace } from "./workspace.ts";

export function runningTasksBar(workspace: Workspace, goals: readonly string[]): () => Promise<string | null> {
  return async () => {
    const rows = await registryRows(workspace);
    if (rows.kind !== "done") return null;
    let first: string | null = null;
    for (const id of goals) {
      const [registered] = await rows.value.find(id);
      if (registered === undefined) continue;
      const bar = await barOf(workspace, registered.goal);
      if (bar === null) return null; // (M1)
      first ??= bar;
    }
    return first;
  };
}

async function barOf(
  workspace: Workspace,
  goal: Parameters<typeof settingsOf>[0] & { readonly goal_id: GoalId },
): Promise<string | null> {
  const quota = settingsOf(goal);
  if (quota.kind === "refusal") return quota.message;
  const { goal_id } = goal;
  const { head } = await workspace.store.load({ goal_id, todos: "none", base: "none" });
  const now = workspace.clock.now();
  const live = Object.values(head?.leases ?? {}).filter((lease) => lease.expires_at > now);
  return runningTaskBar({ goal_id, limits: quota.settings.limits }, live.length + 1)?.message ?? null;
}
