/**
 * `archive`: moves a goal's folder out of `goals/`, as a journaled sequence that whoever meets it finishes.
 *
 * Does not own: the checks (`archive-checks.ts`), the sequence after its start (`archive-finish.ts`).
 *
 * A1  A preview judges everything that the real thing judges, and writes nothing (S06).
 * A2  Of several that archive one goal at once, one starts; the others finish the same move or are told where it went.
 */
import type { Instant } from "../core/instant.ts";
import { done, type Problem, type Refusal, type Reply, refuse } from "../core/result.ts";
import type { LoadedGoal, Verdict } from "../ports/store.ts";
import type { ArchiveRequest } from "./app.ts";
import { type ArchiveChecked, CHECKS, checkArchive, goalIdOf, noFolder } from "./archive-checks.ts";
import { finishMoves } from "./archive-finish-moves.ts";
import { uniqueArchivePath } from "./archive-place.ts";
import { ownerOf } from "./read-plan.ts";
import { type RegistryRows, registryRows } from "./registry-rows.ts";
import { beginJudging, changeOf, type Judged, judge } from "./transact.ts";
import type { MovingWorkspace } from "./workspace.ts";

export interface ArchiveAnswer {
  readonly ok: true;
  readonly goal_id: string;
  readonly registry: string;
  readonly runtime_root: string;
  readonly registry_member: boolean;
  readonly source: string;
  readonly archive_root: string;
  readonly archive_path: string;
  readonly dry_run: boolean;
  readonly archived: boolean;
  readonly action: "would-move" | "moved";
  readonly checks: readonly string[];
  readonly generation: number;
  /** `different`: the folder was copied, verified and then deleted, not renamed. */
  readonly mounts: "same" | "different";
  readonly warnings: readonly Problem[];
}

export async function archive(workspace: MovingWorkspace, request: ArchiveRequest): Promise<Reply<ArchiveAnswer>> {
  const rows = await registryRows(workspace);
  if (rows.kind !== "done") return rows;
  const id = goalIdOf(request.goalId);
  if (id.kind !== "done") return id;
  const met = request.dryRun ? done(null) : await finishMoves(workspace, id.value);
  if (met.kind !== "done") return met;
  if (met.value?.move === "archive") return await answerOfHead(workspace, rows.value, { request, warnings: met.value.warnings });
  const checked = await checkArchive(workspace, rows.value, request);
  if (checked.kind !== "done") return checked;
  return request.dryRun
    ? await preview(workspace, rows.value, checked.value)
    : await carryOut(workspace, rows.value, { request, checked: checked.value });
}

/** (A1) */
async function preview(workspace: MovingWorkspace, rows: RegistryRows, checked: ArchiveChecked): Promise<Reply<ArchiveAnswer>> {
  const now = workspace.clock.now();
  const loaded = await workspace.store.load({ goal_id: checked.subject.goal_id, todos: "none", base: "none" });
  const { lifecycle } = loaded.head ?? { lifecycle: null };
  const target = lifecycle?.kind === "archiving" ? lifecycle.target : pathFor(workspace, checked, now);
  const started = start(workspace, rows, { checked, loaded, target, now });
  if ("kind" in started) return started;
  const generation = started.draft.head?.generation ?? 1;
  return done(answer(workspace, rows, { checked, archive_path: target, generation, action: "would-move", warnings: [] }));
}

async function carryOut(
  workspace: MovingWorkspace,
  rows: RegistryRows,
  { request, checked }: { readonly request: ArchiveRequest; readonly checked: ArchiveChecked },
): Promise<Reply<ArchiveAnswer>> {
  const { goal_id } = checked.subject;
  const begun = await begin(workspace, rows, checked);
  if (begun === "gone") return await noFolder(workspace, goal_id, workspace.goal_folders.standing(goal_id));
  if (begun !== "begun") return begun;
  const finished = await finishMoves(workspace, goal_id);
  if (finished.kind !== "done") return finished;
  return await answerOfHead(workspace, rows, { request, warnings: finished.value?.warnings ?? [] }); // (A2)
}

/** (A2) `begun`: by this process or another. */
async function begin(
  workspace: MovingWorkspace,
  rows: RegistryRows,
  checked: ArchiveChecked,
): Promise<"begun" | "gone" | Refusal> {
  const { goal_id } = checked.subject;
  const decide = ([loaded]: readonly LoadedGoal[]): Verdict<"begun" | "gone" | Refusal> => {
    if (loaded?.head?.lifecycle.kind === "archiving") return { answer: "begun", changes: [] };
    if (loaded === undefined || workspace.goal_folders.standing(goal_id).kind !== "folder")
      return { answer: "gone", changes: [] };
    const now = workspace.clock.now();
    const started = start(workspace, rows, { checked, loaded, target: pathFor(workspace, checked, now), now });
    if ("kind" in started) return { answer: started, changes: [] };
    const change = changeOf(started);
    return { answer: "begun", changes: change === null ? [] : [change] };
  };
  return (await workspace.store.transact([{ goal_id, todos: "none", base: "none" }], decide)).answer;
}

interface Start {
  readonly checked: ArchiveChecked;
  readonly loaded: LoadedGoal;
  readonly target: string;
  readonly now: Instant;
}

/** A goal without a journal gets one first; so does a folder that was made anew under the id of an archived goal. */
function start(workspace: MovingWorkspace, rows: RegistryRows, { checked, loaded, target, now }: Start): Judged | Refusal {
  const judged = beginJudging(loaded, now);
  const refusal = judge(judged, [
    { kind: "open-goal", registry: ownerOf(workspace, rows, checked.subject) },
    { kind: "start-archive", source: checked.source, target },
  ]);
  return refusal ?? judged;
}

function pathFor(workspace: MovingWorkspace, { archive_root, subject }: ArchiveChecked, at: Instant): string {
  return uniqueArchivePath(workspace, { archive_root, goal_id: subject.goal_id, at });
}

interface Outcome {
  readonly request: ArchiveRequest;
  readonly warnings: readonly Problem[];
}

/** Where the journal says that the goal went. */
async function answerOfHead(
  workspace: MovingWorkspace,
  rows: RegistryRows,
  { request, warnings }: Outcome,
): Promise<Reply<ArchiveAnswer>> {
  const id = goalIdOf(request.goalId);
  if (id.kind !== "done") return id;
  const { head } = await workspace.store.load({ goal_id: id.value, todos: "none", base: "none" });
  if (head?.lifecycle.kind !== "archived")
    return refuse("goal_moving", `Goal ${id.value} is being moved by another process; try again.`);
  const { target } = head.lifecycle;
  const [registered = null] = await rows.find(id.value);
  const source = workspace.goal_folders.standing(id.value).path;
  const archive_root = target.slice(0, Math.max(1, target.lastIndexOf("/")));
  const mounts = workspace.goal_folders.mounts(source, target);
  const checked: ArchiveChecked = { subject: { goal_id: id.value, registered }, source, archive_root, mounts };
  return done(answer(workspace, rows, { checked, archive_path: target, generation: head.generation, action: "moved", warnings }));
}

interface Answered {
  readonly checked: ArchiveChecked;
  readonly archive_path: string;
  readonly generation: number;
  readonly action: ArchiveAnswer["action"];
  readonly warnings: readonly Problem[];
}

function answer(
  workspace: MovingWorkspace,
  rows: RegistryRows,
  { checked, archive_path, generation, action, warnings }: Answered,
): ArchiveAnswer {
  return {
    ok: true,
    goal_id: checked.subject.goal_id,
    registry: rows.path,
    runtime_root: workspace.roots.runtime_root,
    registry_member: checked.subject.registered !== null,
    source: checked.source,
    archive_root: checked.archive_root,
    archive_path,
    dry_run: action === "would-move",
    archived: action === "moved",
    action,
    checks: CHECKS,
    generation,
    mounts: checked.mounts,
    warnings,
  };
}
