/**
 * What archive and restore share when they finish a move that a journal began.
 *
 * Does not own: the two sequences (`archive-finish.ts`, `restore-finish.ts`).
 *
 * V1  A folder gets or loses its name only while the store's write lock is held and the journal still stands where the move
 *     began: of two processes that finish one move, each step is made by one.
 */
import type { GoalCommand } from "../core/goal/command.ts";
import type { GoalHead, Lifecycle } from "../core/goal/head.ts";
import type { Problem, Reply } from "../core/result.ts";
import type { FolderMove, Published, StagedFolder } from "../ports/goal-folders.ts";
import type { LoadedGoal, Verdict } from "../ports/store.ts";
import type { RegistryRows } from "./registry-rows.ts";
import { beginJudging, changeOf, judge } from "./transact.ts";
import type { MovingWorkspace } from "./workspace.ts";

type OnTheWay = Extract<Lifecycle, { kind: "archiving" | "restoring" }>;

/** A goal on its way, as its journal has it. */
export interface Underway<L extends OnTheWay = OnTheWay> {
  readonly head: GoalHead;
  readonly lifecycle: L;
  readonly rows: RegistryRows;
}

export type Archiving = Underway<Extract<Lifecycle, { kind: "archiving" }>>;
export type Restoring = Underway<Extract<Lifecycle, { kind: "restoring" }>>;

export interface FinishedMove {
  readonly move: "archive" | "restore";
  readonly generation: number;
  /** The archive, whichever way it went. */
  readonly archive_path: string;
  /** What the registry says of the goal now. */
  readonly activation: "active" | "stopped" | "not_registered";
  readonly warnings: readonly Problem[];
}

/** `again`: the move has gone on elsewhere, or something changed; look anew. */
export type MoveStep = Reply<FinishedMove> | "again";

export function folderMove({ source, target }: OnTheWay): FolderMove {
  return { source, target };
}

/** V1. */
export async function whileUnderway<T>({ store }: MovingWorkspace, { head }: Underway, work: () => T): Promise<T | "again"> {
  const decide = ([loaded]: readonly LoadedGoal[]): Verdict<T | "again"> => ({
    answer: isAt(loaded, head) ? work() : "again",
    changes: [],
  });
  return (await store.transact([{ goal_id: head.goal_id, todos: "none", base: "none" }], decide)).answer;
}

export function stepAfter(outcome: Published | "again"): "moved" | "again" {
  return outcome === "moved" ? "moved" : "again";
}

/** Where it is not wanted any more, the copy goes. */
export async function publishCopy(
  workspace: MovingWorkspace,
  underway: Underway,
  staged: StagedFolder,
): Promise<"moved" | "again"> {
  const { goal_folders: folders } = workspace;
  const step = stepAfter(await whileUnderway(workspace, underway, () => folders.publish(folderMove(underway.lifecycle), staged)));
  if (step === "again") folders.discard(staged);
  return step;
}

/** Records the end of the way. */
export async function recordEnd(
  workspace: MovingWorkspace,
  { head }: Underway,
  command: GoalCommand,
): Promise<"recorded" | "again"> {
  const decide = ([loaded]: readonly LoadedGoal[]): Verdict<"recorded" | "again"> => {
    if (loaded === undefined || !isAt(loaded, head)) return { answer: "again", changes: [] };
    const judged = beginJudging(loaded, workspace.clock.now());
    const refusal = judge(judged, [command]);
    const change = refusal === null ? changeOf(judged) : null;
    return change === null ? { answer: "again", changes: [] } : { answer: "recorded", changes: [change] };
  };
  return (await workspace.store.transact([{ goal_id: head.goal_id, todos: "none", base: "none" }], decide)).answer;
}

function isAt(loaded: LoadedGoal | undefined, head: GoalHead): boolean {
  return loaded?.head?.generation === head.generation && loaded.head.seq === head.seq;
}

/** What was derived from the folder where it was. */
export async function forgetFolder({ store }: MovingWorkspace, { head, rows }: Underway): Promise<void> {
  await store.forgetForeign(head.goal_id);
  await store.forgetViews(rows.path, [head.goal_id]);
}
