/**
 * The counter of a goal's runtime data against what is there: its folder, and its events in the store.
 *
 * B1  The counter is an estimate that every write keeps; only a difference that matters is told.
 */

import { eventBytes } from "../../core/goal/event-bytes.ts";
import type { GoalHead } from "../../core/goal/head.ts";
import type { GoalId } from "../../core/id.ts";
import { counted } from "../../core/show/markdown/table.ts";
import { everyHead } from "../every-head.ts";
import type { RegistryRows } from "../registry-rows.ts";
import { goalsFolder, type WritingWorkspace } from "../workspace.ts";
import { writeAndShow } from "../write-and-show.ts";
import { type Check, FIX, type Found, looked, NO_STORE } from "./check.ts";

const PAGE = 1000;
const MOST_OFF = 0.1;
/** Below it a difference says nothing. */
const LEAST_BYTES: number = 64 * 1024;

export const runtimeBytes: Check = {
  name: "runtime_bytes",
  look: async ({ workspace, rows }) => {
    if (workspace === null || rows === null) return NO_STORE;
    const found: Found[] = [];
    let goals = 0;
    for await (const head of everyHead({ store: workspace.store, registry: rows.path })) {
      if (head.lifecycle.kind !== "active" && head.lifecycle.kind !== "stopped") continue;
      goals += 1;
      found.push(...(await ofGoal(workspace, rows, head)));
    }
    return looked(counted(goals, "goal"), found);
  },
};

async function ofGoal(workspace: WritingWorkspace, rows: RegistryRows, head: GoalHead): Promise<readonly Found[]> {
  const { goal_id, runtime_bytes: counter } = head;
  const bytes = await measured(workspace, goal_id);
  const off = Math.abs(bytes - counter);
  if (off < LEAST_BYTES || off <= bytes * MOST_OFF) return []; // (B1)
  const [registered] = await rows.find(goal_id);
  const message = `the data of goal ${goal_id} take ${bytes} bytes; its counter says ${counter}`;
  const path = `${goalsFolder(workspace)}/${goal_id}`;
  if (registered === undefined) return [{ severity: "info", message, path }];
  const repair = async (): Promise<string | null> => {
    const acting = { rows, registered, agent: null };
    const commands = (): readonly [{ readonly kind: "measure-runtime"; readonly bytes: number }] => [
      { kind: "measure-runtime", bytes },
    ];
    const written = await writeAndShow(workspace, acting, { dryRun: false, commands });
    return written.kind === "written" ? `the counter of goal ${goal_id} says ${bytes} bytes now` : null;
  };
  return [{ severity: "info", message, path, fix: FIX, repair }];
}

async function measured(workspace: WritingWorkspace, goal_id: GoalId): Promise<number> {
  let bytes = workspace.tree.bytesBelow(`${goalsFolder(workspace)}/${goal_id}`);
  for (let beyond_seq = 0; ; ) {
    const page = await workspace.store.events({ goal_id, order: "oldest_first", beyond_seq, limit: PAGE });
    bytes += page.reduce((sum, event) => sum + eventBytes(event), 0);
    const last = page.at(-1);
    if (last === undefined || page.length < PAGE) return bytes;
    beyond_seq = last.seq;
  }
}
