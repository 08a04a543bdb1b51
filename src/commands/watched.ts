/**
 * The goals of a project as a program that stays watches them (`live.ts`).
 *
 * Does not own: when to look and what a change means; it names the files and takes them in.
 */
import type { GoalId } from "../core/id.ts";
import { placesOf } from "./goal-places.ts";
import type { Watched } from "./live.ts";
import type { WatchedGoal } from "./live-sweep.ts";
import { refreshSubjects } from "./refresh-all.ts";
import { type RegistryRows, registryRows } from "./registry-rows.ts";
import { registeredSubjects, unregisteredSubjects } from "./subjects.ts";
import type { GoalSubject } from "./view-key.ts";
import { goalsFolder, type Workspace } from "./workspace.ts";

const DUE_AT_ONCE = 500;

export function watchedGoals(workspace: Workspace): Watched {
  let known: Known | null = null;
  const look = async (): Promise<Known> => {
    known = await lookAgain(workspace, known);
    return known;
  };
  return {
    goals: async () => (await look()).goals,
    due: async () => await workspace.store.dueViews((await look()).rows.path, workspace.clock.now(), DUE_AT_ONCE),
    reconcile: async (goalIds) => {
      const { rows, subjects } = await look();
      const wanted = goalIds.flatMap((id) => subjects.get(id) ?? []);
      await refreshSubjects(await workspace.writing(), rows, { subjects: wanted, dryRun: false });
      await forgetGone(
        workspace,
        rows,
        goalIds.filter((id) => !subjects.has(id)),
      );
    },
  };
}

interface Known {
  readonly stamp: string;
  readonly rows: RegistryRows;
  readonly subjects: ReadonlyMap<GoalId, GoalSubject>;
  readonly goals: readonly WatchedGoal[];
}

/** The same value while neither the registry nor the folders under `goals/` changed. */
async function lookAgain(workspace: Workspace, known: Known | null): Promise<Known> {
  const found = await registryRows(workspace);
  if (found.kind !== "done") {
    if (known !== null) return known;
    throw new Error(`the registry cannot be read: ${found.message}`);
  }
  const rows = found.value;
  const stamp = `${rows.fingerprint} ${workspace.tree.changedAt(goalsFolder(workspace)) ?? ""}`;
  if (known?.stamp === stamp) return known;
  const all = [...(await registeredSubjects(rows)), ...(await unregisteredSubjects(workspace, rows))];
  return {
    stamp,
    rows,
    subjects: new Map(all.map((subject) => [subject.goal_id, subject])),
    goals: all.map((subject) => watchedGoal(workspace, subject)),
  };
}

function watchedGoal(workspace: Workspace, subject: GoalSubject): WatchedGoal {
  const goal = subject.registered?.goal ?? null;
  const state = goal === null ? null : placesOf(workspace, goal).state_file;
  const index = `${goalsFolder(workspace)}/${subject.goal_id}/runs/index.jsonl`;
  return {
    goal_id: subject.goal_id,
    declaration: subject.registered?.digest ?? "",
    paths: state === null ? [index] : [state, index],
  };
}

async function forgetGone(workspace: Workspace, rows: RegistryRows, gone: readonly GoalId[]): Promise<void> {
  if (gone.length > 0) await workspace.store.forgetViews(rows.path, gone);
}
