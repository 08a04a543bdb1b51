/**
 * The files of recorded runs against the journal.
 *
 * F1  Files and rows are written by the one process that may write shared files, after looking again: nothing is doubled.
 * F2  A run of this instant is left to the process that recorded it: it writes its files right after its commit.
 */

import type { GoalHead } from "../../core/goal/head.ts";
import type { GoalId } from "../../core/id.ts";
import { epochOf } from "../../core/instant.ts";
import { type MissingMirror, missingMirrors } from "../../core/runs/mirror.ts";
import type { RunEvent } from "../../core/runs/summary.ts";
import { counted } from "../../core/show/markdown/table.ts";
import { everyHead } from "../every-head.ts";
import { ownRows } from "../foreign-runs.ts";
import { isRun, writeRunFiles } from "../mirror-run.ts";
import type { RegistryRows } from "../registry-rows.ts";
import { goalsFolder, type WritingWorkspace } from "../workspace.ts";
import { type Check, FIX, type Found, looked, NO_STORE } from "./check.ts";

const PAGE = 1000;
const OTHERS_ARE_WRITING_MS = 2000;

export const runFiles: Check = {
  name: "run_files",
  look: async ({ workspace, rows }) => {
    if (workspace === null || rows === null) return NO_STORE;
    const found: Found[] = [];
    let runs = 0;
    for await (const head of everyHead({ store: workspace.store, registry: rows.path })) {
      if (!isHere(head)) continue;
      runs += head.run_count;
      found.push(...(await ofGoal(workspace, rows, head)));
    }
    return looked(counted(runs, "recorded run"), found);
  },
};

function isHere({ lifecycle, run_count }: GoalHead): boolean {
  return run_count > 0 && (lifecycle.kind === "active" || lifecycle.kind === "stopped");
}

async function ofGoal(workspace: WritingWorkspace, rows: RegistryRows, head: GoalHead): Promise<readonly Found[]> {
  const { goal_id } = head;
  const runs = await settledRuns(workspace, goal_id);
  const missing = missingOf(workspace, head, runs);
  if (missing.length === 0) return [];
  const message = `${missing.length} of ${runs.length} runs of goal ${goal_id} have no row or file beside the journal`;
  const path = `${goalsFolder(workspace)}/${goal_id}/runs/index.jsonl`;
  return [{ severity: "warning", message, path, fix: FIX, repair: () => write(workspace, rows, { head, runs }) }];
}

/** (F2) */
async function settledRuns({ store, clock }: WritingWorkspace, goal_id: GoalId): Promise<readonly RunEvent[]> {
  const now = epochOf(clock.now());
  const runs: RunEvent[] = [];
  for (let beyond_seq = 0; ; ) {
    const page = await store.events({ goal_id, type: "run.recorded", order: "oldest_first", beyond_seq, limit: PAGE });
    runs.push(...page.filter(isRun).filter(({ at }) => Math.abs(now - epochOf(at)) >= OTHERS_ARE_WRITING_MS));
    const last = page.at(-1);
    if (last === undefined || page.length < PAGE) return runs;
    beyond_seq = last.seq;
  }
}

function missingOf(
  { store, run_files }: WritingWorkspace,
  { goal_id, generation }: GoalHead,
  runs: readonly RunEvent[],
): readonly MissingMirror[] {
  const own = ownRows({ store, files: run_files, generation }, goal_id);
  return missingMirrors({ runs, own, has: (name) => run_files.has(goal_id, name) });
}

/** (F1) */
async function write(
  workspace: WritingWorkspace,
  rows: RegistryRows,
  { head, runs }: { readonly head: GoalHead; readonly runs: readonly RunEvent[] },
): Promise<string | null> {
  const { goal_id } = head;
  const [registered = null] = await rows.find(goal_id);
  const outcomes = await workspace.store.exclusively(() =>
    missingOf(workspace, head, runs).map(({ event, named }) =>
      writeRunFiles(workspace, event, { registered, named, attempt: "again" }),
    ),
  );
  const written = outcomes.filter(({ kind }) => kind === "written").length;
  return written === outcomes.length ? `wrote the files of ${written} runs of goal ${goal_id}` : null;
}
