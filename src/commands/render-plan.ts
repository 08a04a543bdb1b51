/**
 * Brings a state file to say what the journal says: the second, short transaction after a commit (design 3).
 *
 * Does not own: what the file is to say (`render-target.ts`), replacing the file safely (`ports/files.ts`).
 *
 * P1  Only the holder of the store's write lock replaces a state file; what a person saved meanwhile is merged first.
 * P2  A rendering that cannot be made leaves the journal as it is and stays due; it never loses what the file says.
 * P3  Nothing that takes time is done under the lock, and what another process has shown meanwhile is not shown again: the
 *     renderings of many writers become few.
 */
import type { GoalHead } from "../core/goal/head.ts";
import { millisecondsBetween } from "../core/instant.ts";
import type { Problem } from "../core/result.ts";
import type { Replacement, ReplaceOutcome } from "../ports/files.ts";
import type { LoadedGoal, PlanBase, Verdict } from "../ports/store.ts";
import { placesOf } from "./goal-places.ts";
import { stateOf } from "./read-plan.ts";
import { recoverStateFile } from "./recover-state-file.ts";
import type { RegistryRows } from "./registry-rows.ts";
import { type MadeText, textFor } from "./render-target.ts";
import { isRenderingDue } from "./rendering-due.ts";
import { homeOf, type StateReading, type StateText } from "./state-file.ts";
import { beginJudging, changeOf } from "./transact.ts";
import type { GoalSubject } from "./view-key.ts";
import type { WritingWorkspace } from "./workspace.ts";
import { writeGoal } from "./write-goal.ts";

export type Rendering =
  /** The file says what it should. */
  { readonly kind: "shown"; readonly wrote: boolean } | { readonly kind: "due"; readonly problem: Problem };

/** Someone keeps saving the file: each time is merged, and the next command goes on. */
const MOST_TRIES = 20;
/** Nobody waits longer than that for a pause between two saves. */
const MOST_MS = 1000;

/** `plan_seq`: what the file has to say at least, as a head counts it. */
export async function renderGoal(
  workspace: WritingWorkspace,
  rows: RegistryRows,
  { subject, plan_seq }: { readonly subject: GoalSubject; readonly plan_seq: number },
): Promise<Rendering> {
  const begun = workspace.clock.now();
  const hasTime = (): boolean => millisecondsBetween(begun, workspace.clock.now()) < MOST_MS;
  for (let tries = 0; tries < MOST_TRIES && hasTime(); tries += 1) {
    const outcome = await renderOnce(workspace, rows, { subject, plan_seq });
    if (outcome !== "again") return outcome;
  }
  return due({ code: "file_keeps_changing", message: "the state file was saved again and again while it was to be written" });
}

async function renderOnce(
  workspace: WritingWorkspace,
  rows: RegistryRows,
  { subject, plan_seq }: { readonly subject: GoalSubject; readonly plan_seq: number },
): Promise<Rendering | "again"> {
  const loaded = await loadedWhole(workspace, subject);
  if (loaded.base !== null && loaded.base.rendered_seq >= plan_seq) return { kind: "shown", wrote: true }; // (P3)
  await recoverStateFile(workspace, subject);
  const state = stateOf(workspace, rows, subject);
  if (state.kind !== "read") return due(stateProblem(state));
  if (isTaken(loaded, state)) return await replace(workspace, { subject, state, loaded });
  const problem = await takeIn(workspace, rows, { subject, state });
  return problem === null
    ? await replace(workspace, { subject, state, loaded: await loadedWhole(workspace, subject) })
    : due(problem);
}

async function loadedWhole({ store }: WritingWorkspace, { goal_id }: GoalSubject): Promise<LoadedGoal> {
  return await store.load({ goal_id, todos: "all", base: "text" });
}

/** The file says what was accepted last: there is nothing to take in before it is written. */
function isTaken({ base }: LoadedGoal, { text }: StateText): boolean {
  return base !== null && base.sighting === null && base.text === text;
}

async function takeIn(
  workspace: WritingWorkspace,
  rows: RegistryRows,
  { subject, state }: { readonly subject: GoalSubject; readonly state: StateText },
): Promise<Problem | null> {
  const taken = await writeGoal(workspace, rows, { subject, state, commands: () => [], rehearse: "store" });
  if (taken.kind !== "written")
    return { code: taken.kind === "replayed" ? "replayed" : taken.code, message: "the file could not be taken in" };
  return taken.withheld.some((entry) => entry.kind === "file_shrunk") ? shrunkProblem(state.path) : null; // (P2)
}

interface Replacing {
  readonly subject: GoalSubject;
  readonly state: StateText;
  /** What the journal says; it may say more by the time that the file is replaced, which is then due for whoever said it. */
  readonly loaded: LoadedGoal;
}

/** (P3) All that takes time is done before the lock is held. */
async function replace(workspace: WritingWorkspace, replacing: Replacing): Promise<Rendering | "again"> {
  const { subject, state, loaded } = replacing;
  const { head, base } = loaded;
  if (head === null || base?.text !== state.text) return "again";
  if (!isRenderingDue(head, base)) return { kind: "shown", wrote: false };
  const made = textFor({ head, todos: loaded.todos, base, state, now: workspace.clock.now() });
  if (made.kind !== "done") return due({ code: made.code, message: made.message, path: state.path }); // (P2)
  const replacement = replacementOf(workspace, subject, { state, next: made.value.text });
  const prepared = made.value.text === state.text ? null : workspace.files.prepareText(replacement);
  try {
    const decide = ([now]: readonly LoadedGoal[]): Verdict<Rendering | "again"> =>
      isSame(loaded, now) ? replaceNow(workspace, { ...replacement, prepared }, { now, base, made: made.value, head }) : AGAIN;
    const load = { goal_id: subject.goal_id, todos: "none", base: "text" } as const;
    return (await workspace.store.transact([load], decide, "derivable")).answer;
  } finally {
    if (prepared !== null) workspace.files.discardText(prepared);
  }
}

const AGAIN = { answer: "again", changes: [] } as const;

/** The file was neither taken in nor written since, and its goal is still that one. */
function isSame(before: LoadedGoal, now: LoadedGoal | undefined): now is LoadedGoal {
  const same = (read: (goal: LoadedGoal) => unknown): boolean => now !== undefined && read(before) === read(now);
  return (
    same(({ base }) => base?.text) &&
    same(({ base }) => base?.rendered_seq) &&
    same(({ base }) => JSON.stringify(base?.sighting)) &&
    same(({ head }) => head?.generation)
  );
}

interface Due {
  readonly now: LoadedGoal;
  readonly base: PlanBase;
  readonly head: GoalHead;
  readonly made: MadeText;
}

/** (P1) Called between begin and commit. */
function replaceNow(
  workspace: WritingWorkspace,
  replacement: Replacement & { readonly expected: { readonly kind: "text"; readonly text: string } },
  { now, base, head, made }: Due,
): Verdict<Rendering | "again"> {
  const { path, expected } = replacement;
  const moves = made.text !== expected.text;
  const outcome = moves
    ? workspace.files.replaceFile(replacement)
    : ({ kind: "replaced", fingerprint: base.fingerprint } as const);
  if (outcome.kind !== "replaced") return { answer: afterNo(outcome, path), changes: [] };
  const at = workspace.clock.now();
  const shown: PlanBase = {
    ...base,
    text: made.text,
    ids: made.ids,
    fingerprint: outcome.fingerprint,
    accepted_at: at,
    rendered_seq: head.plan_seq,
  };
  const change = changeOf(beginJudging(now, at), { base: shown });
  return { answer: { kind: "shown", wrote: moves }, changes: change === null ? [] : [change] };
}

function replacementOf(
  workspace: WritingWorkspace,
  subject: GoalSubject,
  { state, next }: { readonly state: StateText; readonly next: string },
): Replacement & { readonly expected: { readonly kind: "text"; readonly text: string } } {
  const declared = subject.registered?.goal;
  const folder = declared === undefined ? state.path : placesOf(workspace, declared).repo;
  return { path: state.path, expected: { kind: "text", text: state.text }, next, within: homeOf(state.path, folder) };
}

function afterNo(outcome: Exclude<ReplaceOutcome, { kind: "replaced" }>, path: string): Rendering | "again" {
  switch (outcome.kind) {
    case "changed":
    case "overtaken":
      return "again"; // (P1)
    case "missing":
      return due({ path, code: "state_file_missing", message: "the state file is gone" });
    default:
      return due(outcome.problem);
  }
}

function stateProblem(state: Exclude<StateReading, { kind: "read" }>): Problem {
  if (state.kind === "unreadable") return state.problem;
  const path = state.kind === "missing" ? { path: state.path } : {};
  return { ...path, code: "state_file_not_found", message: "there is no state file to write to" };
}

function shrunkProblem(path: string): Problem {
  return {
    path,
    code: "state_file_shrunk",
    message: "only the beginning of the file is left: nothing is written until it is whole",
  };
}

function due(problem: Problem): Rendering {
  return { kind: "due", problem };
}
