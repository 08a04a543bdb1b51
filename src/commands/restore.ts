/**
 * `restore`: brings an archived folder back to `goals/`, as a journaled sequence that whoever meets it finishes.
 *
 * Does not own: the sequence after its start (`restore-finish.ts`).
 *
 * E1  An archive of the generation that stands archived goes on with its journal; any other one is a new generation, and
 *     what it holds are runs that others wrote.
 * E2  Nothing takes the place of a folder that is there.
 */

import { goalExists } from "../core/goal/archive.ts";
import type { ManifestIdentity } from "../core/goal/archive-manifest.ts";
import { parseArchiveName } from "../core/goal/archive-name.ts";
import type { GoalCommand } from "../core/goal/command.ts";
import type { GoalHead } from "../core/goal/head.ts";
import type { GoalId } from "../core/id.ts";
import { lastPart } from "../core/registry/path-text.ts";
import { done, type Problem, type Refusal, type Reply, refuse, reject } from "../core/result.ts";
import type { LoadedGoal, Verdict } from "../ports/store.ts";
import type { RestoreRequest } from "./app.ts";
import { goalIdOf } from "./archive-checks.ts";
import { finishMoves } from "./archive-finish-moves.ts";
import type { FinishedMove } from "./archive-move.ts";
import { absolute, archiveRoot, isIn } from "./archive-place.ts";
import { archiveRows } from "./archive-rows.ts";
import { ownerOf } from "./read-plan.ts";
import { findWritable, type RegistryRows, registryRows } from "./registry-rows.ts";
import { beginJudging, changeOf, type Judged, judge } from "./transact.ts";
import type { GoalSubject } from "./view-key.ts";
import type { MovingWorkspace } from "./workspace.ts";

export interface RestoreAnswer {
  readonly ok: true;
  readonly goal_id: string;
  readonly registry: string;
  readonly runtime_root: string;
  readonly registry_member: boolean;
  readonly archive_path: string;
  readonly target: string;
  readonly dry_run: boolean;
  readonly restored: boolean;
  readonly action: "would-move" | "moved";
  readonly generation: number;
  readonly mounts: "same" | "different";
  /** What the registry says of the goal; null where a preview cannot know. */
  readonly activation: FinishedMove["activation"] | null;
  readonly warnings: readonly Problem[];
}

interface Restorable {
  readonly subject: GoalSubject;
  readonly source: string;
  readonly target: string;
  readonly manifest: ManifestIdentity | null;
}

export async function restore(workspace: MovingWorkspace, request: RestoreRequest): Promise<Reply<RestoreAnswer>> {
  const rows = await registryRows(workspace);
  if (rows.kind !== "done") return rows;
  const id = goalIdOf(request.goalId);
  if (id.kind !== "done") return id;
  const met = request.dryRun ? done(null) : await finishMoves(workspace, id.value);
  if (met.kind !== "done") return met;
  if (met.value?.move === "restore")
    return done(
      answerOf(workspace, rows.value, {
        goal_id: id.value,
        finished: met.value,
        registered: await isRegistered(rows.value, id.value),
      }),
    );
  const found = await findRestorable(workspace, rows.value, { request, goal_id: id.value });
  if (found.kind !== "done") return found;
  return request.dryRun ? await preview(workspace, rows.value, found.value) : await carryOut(workspace, rows.value, found.value);
}

async function isRegistered(rows: RegistryRows, goalId: GoalId): Promise<boolean> {
  return (await rows.find(goalId)).length > 0;
}

interface Wanted {
  readonly request: RestoreRequest;
  readonly goal_id: GoalId;
}

async function findRestorable(
  workspace: MovingWorkspace,
  rows: RegistryRows,
  { request, goal_id }: Wanted,
): Promise<Reply<Restorable>> {
  const registered = (await isRegistered(rows, goal_id)) ? await findWritable(rows, goal_id) : done(null);
  if (registered.kind !== "done") return registered;
  const standing = workspace.goal_folders.standing(goal_id);
  if (standing.kind !== "missing") return goalExists(goal_id); // (E2)
  const source =
    request.archivePath === null ? await newest(workspace, { request, goal_id }) : given(workspace, request.archivePath);
  if (source.kind !== "done") return source;
  const manifest = workspace.goal_folders.manifest(source.value);
  const of = manifest?.goal_id ?? parseArchiveName(lastPart(source.value))?.goal_id;
  if (of !== goal_id) return notOfGoal(source.value, goal_id, of);
  return done({ subject: { goal_id, registered: registered.value }, source: source.value, target: standing.path, manifest });
}

async function newest(workspace: MovingWorkspace, { request, goal_id }: Wanted): Promise<Reply<string>> {
  const root = archiveRoot(workspace, request.archiveRoot);
  if (root.kind !== "done") return root;
  const where = request.archiveRoot === null ? "anywhere" : "in_root";
  const rows = await archiveRows(workspace, { goal_id, archive_root: root.value, where });
  const there = rows.find((row) => workspace.goal_folders.isFolder(row.archive_path));
  if (there !== undefined) return done(there.archive_path);
  return reject("unknown_archive", `There is no archive of goal ${goal_id}.`, { fix: "loopx archives" });
}

/** A folder itself, never a link to one, and no goal that stands. */
function given(workspace: MovingWorkspace, text: string): Reply<string> {
  const path = absolute(workspace, text);
  if (path === null || !workspace.goal_folders.exists(path))
    return reject("unknown_archive", `There is no folder ${text}.`, { fix: "loopx archives" });
  const real = workspace.goal_folders.isFolder(path) ? workspace.goal_folders.realPlace(path) : null;
  if (real === null) return refuse("archive_not_folder", `${path} is not a folder.`, { details: { path } });
  const goals = workspace.goal_folders.realPlace(`${workspace.roots.runtime_root}/goals`);
  if (goals !== null && (isIn(real, goals) || isIn(goals, real)))
    return refuse("archive_inside_goals", `${real} is no archive: it belongs to the goals that stand.`, {
      details: { path: real },
    });
  return done(real);
}

function notOfGoal(path: string, goalId: GoalId, of: GoalId | undefined): Refusal {
  const what = of === undefined ? "is no archive" : `is an archive of goal ${of}`;
  return refuse("not_its_archive", `${path} ${what}, not of ${goalId}.`, {
    details: { path, goal_id: goalId, archive_of: of ?? null },
  });
}

async function preview(workspace: MovingWorkspace, rows: RegistryRows, wanted: Restorable): Promise<Reply<RestoreAnswer>> {
  const loaded = await workspace.store.load({ goal_id: wanted.subject.goal_id, todos: "none", base: "none" });
  const started = start(workspace, rows, { wanted, loaded });
  if ("kind" in started) return started;
  return done({
    ...described(workspace, rows, {
      goal_id: wanted.subject.goal_id,
      archive_path: wanted.source,
      registered: wanted.subject.registered !== null,
    }),
    dry_run: true,
    restored: false,
    action: "would-move",
    generation: started.draft.head?.generation ?? 1,
    activation: null,
    warnings: [],
  });
}

async function carryOut(workspace: MovingWorkspace, rows: RegistryRows, wanted: Restorable): Promise<Reply<RestoreAnswer>> {
  const { goal_id, registered } = wanted.subject;
  const decide = ([loaded]: readonly LoadedGoal[]): Verdict<"begun" | Refusal> => {
    if (loaded?.head?.lifecycle.kind === "restoring") return { answer: "begun", changes: [] };
    if (loaded === undefined || workspace.goal_folders.exists(wanted.target)) return { answer: goalExists(goal_id), changes: [] }; // (E2)
    const started = start(workspace, rows, { wanted, loaded });
    if ("kind" in started) return { answer: started, changes: [] };
    const change = changeOf(started);
    return { answer: "begun", changes: change === null ? [] : [change] };
  };
  const begun = (await workspace.store.transact([{ goal_id, todos: "none", base: "none" }], decide)).answer;
  if (begun !== "begun") return begun;
  const finished = await finishMoves(workspace, goal_id);
  if (finished.kind !== "done") return finished;
  const end = finished.value ?? (await finishedElsewhere(workspace, wanted));
  if (end === null) return refuse("goal_moving", `Goal ${goal_id} is being moved by another process; try again.`);
  return done(answerOf(workspace, rows, { goal_id, finished: end, registered: registered !== null }));
}

/** What another process has brought to its end; null when the goal has gone on since. */
async function finishedElsewhere(workspace: MovingWorkspace, { subject, source }: Restorable): Promise<FinishedMove | null> {
  const { goal_id } = subject;
  const [end] = await workspace.store.events({ goal_id, type: "restore.done", order: "newest_first", limit: 1 });
  if (end?.type !== "restore.done" || end.data.source !== source) return null;
  const rows = await registryRows(workspace);
  const [registered] = rows.kind === "done" ? await rows.value.find(goal_id) : [];
  const state = registered?.goal.activation.state;
  const activation = state === undefined ? "not_registered" : state === "active" ? "active" : "stopped";
  return { move: "restore", generation: end.generation, archive_path: source, activation, warnings: [] };
}

/** (E1) */
function start(
  workspace: MovingWorkspace,
  rows: RegistryRows,
  { wanted, loaded }: { readonly wanted: Restorable; readonly loaded: LoadedGoal },
): Judged | Refusal {
  const { subject, source, target, manifest } = wanted;
  const own = isOwn(workspace, loaded.head, manifest);
  const opening: readonly GoalCommand[] = own ? [] : [{ kind: "open-goal", registry: ownerOf(workspace, rows, subject) }];
  if (manifest !== null && !own && isStanding(loaded.head)) return goalExists(subject.goal_id);
  const judged = beginJudging(loaded, workspace.clock.now());
  return judge(judged, [...opening, { kind: "start-restore", source, target, archive: own ? "own" : "foreign" }]) ?? judged;
}

function isOwn(workspace: MovingWorkspace, head: GoalHead | null, manifest: ManifestIdentity | null): boolean {
  const stands = head !== null && manifest !== null && manifest.generation === head.generation;
  return stands && manifest.store_id === workspace.store.facts().store_id;
}

function isStanding(head: GoalHead | null): boolean {
  return head?.lifecycle.kind === "active" || head?.lifecycle.kind === "stopped";
}

interface Described {
  readonly goal_id: GoalId;
  readonly archive_path: string;
  readonly registered: boolean;
}

function described(workspace: MovingWorkspace, rows: RegistryRows, { goal_id, archive_path, registered }: Described) {
  const target = workspace.goal_folders.standing(goal_id).path;
  return {
    ok: true,
    goal_id,
    registry: rows.path,
    runtime_root: workspace.roots.runtime_root,
    registry_member: registered,
    archive_path,
    target,
    mounts: workspace.goal_folders.mounts(archive_path, target),
  } as const;
}

interface Finished {
  readonly goal_id: GoalId;
  readonly finished: FinishedMove;
  readonly registered: boolean;
}

function answerOf(workspace: MovingWorkspace, rows: RegistryRows, { goal_id, finished, registered }: Finished): RestoreAnswer {
  const { archive_path, generation, activation, warnings } = finished;
  return {
    ...described(workspace, rows, { goal_id, archive_path, registered }),
    dry_run: false,
    restored: true,
    action: "moved",
    generation,
    activation,
    warnings,
  };
}
