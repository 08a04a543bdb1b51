/**
 * Brings a state file to say what the journal says: the second, short transaction after a commit (design 3).
 *
 * Does not own: which edits are needed (`core/plan/render.ts`), replacing the file safely (`ports/files.ts`).
 *
 * P1  Only the holder of the store's write lock replaces a state file; what a person saved meanwhile is merged first.
 * P2  A rendering that cannot be made leaves the journal as it is and stays due; it never loses what the file says.
 * P3  Todos that are withheld are neither added to the file nor taken from it.
 * P4  What the journal has in the archive moves to the archive section, with all its lines and under the id it is known by.
 */
import type { TodoRecord } from "../core/events.ts";
import type { GoalHead, Todos } from "../core/goal/head.ts";
import type { TodoId } from "../core/id.ts";
import { type Instant, millisecondsBetween, toRunTime } from "../core/instant.ts";
import { metadataValue } from "../core/plan/metadata.ts";
import type { PlanTodo } from "../core/plan/plan.ts";
import { type PlanTarget, renderPlan as renderText, type TodoTarget } from "../core/plan/render.ts";
import type { Problem } from "../core/result.ts";
import type { ReplaceOutcome } from "../ports/files.ts";
import type { LoadedGoal, PlanBase, Verdict } from "../ports/store.ts";
import { placesOf } from "./goal-places.ts";
import { stateOf } from "./read-plan.ts";
import { recoverStateFile } from "./recover-state-file.ts";
import type { RegistryRows } from "./registry-rows.ts";
import { isRenderingDue } from "./rendering-due.ts";
import { homeOf, type StateReading, type StateText } from "./state-file.ts";
import { beginJudging, changeOf } from "./transact.ts";
import type { GoalSubject } from "./view-key.ts";
import type { WritingWorkspace } from "./workspace.ts";
import { writeGoal } from "./write-goal.ts";

export type Rendering =
  /** The file says what it should. */
  | { readonly kind: "shown"; readonly wrote: boolean; readonly fingerprint: string }
  | { readonly kind: "due"; readonly problem: Problem };

/** Someone keeps saving the file: each time is merged, and the next command goes on. */
const MOST_TRIES = 20;
/** Nobody waits longer than that for a pause between two saves. */
const MOST_MS = 1000;

export async function renderGoal(workspace: WritingWorkspace, rows: RegistryRows, subject: GoalSubject): Promise<Rendering> {
  const begun = workspace.clock.now();
  const hasTime = (): boolean => millisecondsBetween(begun, workspace.clock.now()) < MOST_MS;
  for (let tries = 0; tries < MOST_TRIES && hasTime(); tries += 1) {
    const outcome = await renderOnce(workspace, rows, subject);
    if (outcome !== "again") return outcome;
  }
  return due({ code: "file_keeps_changing", message: "the state file was saved again and again while it was to be written" });
}

async function renderOnce(workspace: WritingWorkspace, rows: RegistryRows, subject: GoalSubject): Promise<Rendering | "again"> {
  await recoverStateFile(workspace, subject);
  const state = stateOf(workspace, rows, subject);
  if (state.kind !== "read") return due(stateProblem(state));
  const problem = (await isTaken(workspace, subject, state)) ? null : await takeIn(workspace, rows, { subject, state });
  return problem === null ? await replace(workspace, { subject, state }) : due(problem);
}

/** The file says what was accepted last: there is nothing to take in before it is written. */
async function isTaken({ store }: WritingWorkspace, { goal_id }: GoalSubject, { text }: StateText): Promise<boolean> {
  const { base } = await store.load({ goal_id, todos: "none", base: "text" });
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

async function replace(
  workspace: WritingWorkspace,
  { subject, state }: { readonly subject: GoalSubject; readonly state: StateText },
): Promise<Rendering | "again"> {
  const load = { goal_id: subject.goal_id, todos: "all", base: "text" } as const;
  const decide = ([loaded]: readonly LoadedGoal[]): Verdict<Rendering | "again"> => {
    if (loaded?.base?.text !== state.text) return { answer: "again", changes: [] };
    return replaceNow(workspace, { subject, state, loaded, base: loaded.base });
  };
  return (await workspace.store.transact([load], decide)).answer;
}

interface Replacing {
  readonly subject: GoalSubject;
  readonly state: StateText;
  readonly loaded: LoadedGoal;
  readonly base: PlanBase;
}

/** (P1) Called between begin and commit. */
function replaceNow(workspace: WritingWorkspace, { subject, state, loaded, base }: Replacing): Verdict<Rendering | "again"> {
  const { head } = loaded;
  if (head === null || !isRenderingDue(head, base)) {
    return { answer: { kind: "shown", wrote: false, fingerprint: state.fingerprint }, changes: [] };
  }
  const now = workspace.clock.now();
  const target = targetOf({ head, todos: loaded.todos, base, state, now });
  const rendered = renderText({ text: state.text, plan: state.plan }, target);
  if (rendered.kind !== "done")
    return { answer: due({ code: rendered.code, message: rendered.message, path: state.path }), changes: [] }; // (P2)
  const next = rendered.value.text;
  const outcome =
    next === state.text
      ? ({ kind: "replaced", fingerprint: state.fingerprint } as const)
      : replaceFile(workspace, subject, { state, next });
  if (outcome.kind !== "replaced") return { answer: afterNo(outcome, state.path), changes: [] };
  const ids = addedTo(loaded.todos, base).map((todo) => todo.todo_id);
  const shown: PlanBase = {
    ...base,
    text: next,
    ids: idsAfter(rendered.value.plan.todos, { added: ids, moved: movedIn(target), base }),
    fingerprint: outcome.fingerprint,
    accepted_at: now,
    rendered_seq: head.plan_seq,
  };
  const change = changeOf(beginJudging(loaded, now), { base: shown });
  return {
    answer: { kind: "shown", wrote: next !== state.text, fingerprint: outcome.fingerprint },
    changes: change === null ? [] : [change],
  };
}

function replaceFile(
  workspace: WritingWorkspace,
  subject: GoalSubject,
  { state, next }: { readonly state: StateText; readonly next: string },
): ReplaceOutcome {
  const declared = subject.registered?.goal;
  const folder = declared === undefined ? state.path : placesOf(workspace, declared).repo;
  const within = homeOf(state.path, folder);
  return workspace.files.replaceFile({ path: state.path, expected: { kind: "text", text: state.text }, next, within });
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

interface Wanted {
  readonly head: GoalHead;
  readonly todos: Todos;
  readonly base: PlanBase;
  readonly state: StateText;
  readonly now: Instant;
}

/** Values of the fields that LoopX owns, as far as the file says something else. */
function targetOf({ head, todos, base, state, now }: Wanted): PlanTarget {
  const entries = head.next_action.entries;
  const says = state.plan.next_action?.map((entry) => entry.text) ?? [];
  const differs = entries !== null && JSON.stringify(entries) !== JSON.stringify(says);
  const keeps = differs && base.sighting?.lacks_next_action !== true;
  const changed = state.plan.todos.flatMap((todo, at) => targetOfTodo(todo, base.ids[at], todos));
  const added = addedTo(todos, base).map((todo) => ({ ...todo }));
  const moves = keeps || changed.length > 0 || added.length > 0;
  return {
    ...(keeps && { next_action: entries }),
    ...(changed.length > 0 && { todos: changed }),
    ...(added.length > 0 && { added }),
    ...(moves && { front_matter: { updated_at: toRunTime(now) } }),
  };
}

function targetOfTodo(todo: PlanTodo, id: TodoId | undefined, todos: Todos): readonly TodoTarget[] {
  const wanted = id === undefined ? undefined : todos.get(id);
  if (wanted === undefined) return [];
  const change = {
    ...(wanted.text !== todo.text && { text: wanted.text }),
    ...(wanted.status !== todo.status && { status: wanted.status }),
    ...metadataChange(wanted, todo),
  };
  if (wanted.archived && !todo.archived) return [{ kind: "archive", todo, todo_id: wanted.todo_id, change }]; // (P4)
  return Object.keys(change).length === 0 ? [] : [{ kind: "keep", todo, change }];
}

function movedIn({ todos = [] }: PlanTarget): readonly TodoId[] {
  return todos.flatMap((wanted) => (wanted.kind === "archive" ? [wanted.todo_id] : []));
}

function metadataChange(wanted: TodoRecord, todo: PlanTodo): { readonly metadata?: Readonly<Record<string, string | null>> } {
  const keys = new Set([...Object.keys(wanted.metadata), ...Object.keys(todo.metadata)]);
  const [ours, theirs] = [wanted.metadata, todo.metadata];
  const different = [...keys].filter((key) => key !== "status" && metadataValue(ours, key) !== metadataValue(theirs, key));
  if (different.length === 0) return {};
  return { metadata: Object.fromEntries(different.map((key) => [key, metadataValue(ours, key) ?? null])) };
}

/** (P3) Todos of the journal that never stood in the file. */
function addedTo(todos: Todos, base: PlanBase): readonly TodoRecord[] {
  const missing = new Set<TodoId>([...base.ids, ...(base.sighting?.missing ?? [])]);
  return [...todos.values()].filter((todo) => !missing.has(todo.todo_id));
}

interface Naming {
  readonly added: readonly TodoId[];
  /** Into the archive section. */
  readonly moved: readonly TodoId[];
  readonly base: PlanBase;
}

/** Todos keep the ids they are known by; those that were added or moved stand in the file under their own. */
function idsAfter(after: readonly PlanTodo[], { added, moved, base }: Naming): readonly TodoId[] {
  const elsewhere = new Set<string>([...added, ...moved]);
  const places = base.ids.filter((id) => !elsewhere.has(id));
  let next = 0;
  return after.map((todo) => {
    const declared = todo.declared_id;
    if (declared !== null && elsewhere.delete(declared)) return declared;
    const kept = places[next] ?? todo.todo_id;
    next += 1;
    return kept;
  });
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
