/**
 * Writes what is missing of a goal's run files before its folder is archived.
 *
 * Does not own: which files those are (`core/runs/mirror.ts`) and what they hold (`mirror-run.ts`).
 */
import { missingMirrors } from "../core/runs/mirror.ts";
import type { RunEvent } from "../core/runs/summary.ts";
import { type Underway, whileUnderway } from "./archive-move.ts";
import { ownRows } from "./foreign-runs.ts";
import { isRun, writeRunFiles } from "./mirror-run.ts";
import type { MovingWorkspace } from "./workspace.ts";

const RUNS_AT_ONCE = 1000;

/** A run whose files cannot be written is in the archive's journal all the same. */
export async function completeMirror(workspace: MovingWorkspace, underway: Underway): Promise<void> {
  const { head, rows, lifecycle } = underway;
  if (head.run_count === 0) return;
  const [registered = null] = await rows.find(head.goal_id);
  const runs = await runsOf(workspace, underway);
  await whileUnderway(workspace, underway, () => {
    if (!workspace.goal_folders.isFolder(lifecycle.source)) return;
    const own = ownRows({ store: workspace.store, files: workspace.run_files, generation: head.generation }, head.goal_id);
    const has = (name: string): boolean => workspace.run_files.has(head.goal_id, name);
    for (const { event, named } of missingMirrors({ runs, own, has })) {
      const outcome = writeRunFiles(workspace, event, { registered, named, attempt: "again" });
      if (outcome.kind === "written") continue;
      workspace.log.write("warn", "run_files_not_written", { goal_id: head.goal_id, seq: event.seq, ...outcome });
      return;
    }
  });
}

async function runsOf({ store }: MovingWorkspace, { head }: Underway): Promise<readonly RunEvent[]> {
  const { goal_id, generation } = head;
  const runs: RunEvent[] = [];
  for (let beyond_seq = 0; ; ) {
    const page = await store.events({
      goal_id,
      generation,
      type: "run.recorded",
      order: "oldest_first",
      beyond_seq,
      limit: RUNS_AT_ONCE,
    });
    runs.push(...page.filter(isRun));
    beyond_seq = page.at(-1)?.seq ?? 0;
    if (page.length < RUNS_AT_ONCE) return runs;
  }
}
