/**
 * Derives what can be derived of goals again: head and todos from the journal, caches from the files.
 *
 * Does not own: the fold (`core/goal/evolve.ts`), replacing rows in one transaction (the store).
 *
 * R1  The answer says whether head and todos were, byte for byte, what the journal gives; if not, they are now.
 * R2  What another process commits meanwhile is no difference: the comparison is made again.
 */

import { foldJournal } from "../core/goal/fold-journal.ts";
import { type GoalId, parseGoalId } from "../core/id.ts";
import { done, type Reply, reject } from "../core/result.ts";
import { isFault } from "../errors.ts";
import type { LoadedGoal, Store } from "../ports/store.ts";
import type { RebuildRequest } from "./app.ts";
import { everyHead } from "./every-head.ts";
import { everyGoal, type RegistryRows, registryRows, unknownGoal } from "./registry-rows.ts";
import { subjectOf } from "./subjects.ts";
import type { Workspace } from "./workspace.ts";

export interface RebuiltGoal {
  readonly goal_id: string;
  readonly events: number;
  readonly equal: boolean;
}

export interface RebuildAnswer {
  readonly ok: true;
  readonly registry: string;
  readonly goal_count: number;
  readonly events: number;
  /** How many goals were not equal and are now. */
  readonly different: number;
  /** Those that differed first. */
  readonly goals: readonly RebuiltGoal[];
  readonly left_out: { readonly goals: number };
}

const SHOWN = 50;
const MOST_TRIES = 20;

export async function rebuild(workspace: Workspace, { goalId }: RebuildRequest): Promise<Reply<RebuildAnswer>> {
  const rows = await registryRows(workspace);
  if (rows.kind !== "done") return rows;
  const ids =
    goalId === null ? done(await journaledGoals(workspace, rows.value)) : await namedGoal(workspace, rows.value, goalId);
  if (ids.kind !== "done") return ids;
  const goals: RebuiltGoal[] = [];
  for (const id of ids.value) {
    goals.push(await rebuildGoal(workspace, id));
    await workspace.store.forgetForeign(id);
    workspace.progress.report(goals.length, ids.value.length, "goals");
  }
  await workspace.store.forgetViews(rows.value.path, ids.value);
  return done(answerOf(rows.value.path, goals));
}

function answerOf(registry: string, goals: readonly RebuiltGoal[]): RebuildAnswer {
  const different = goals.filter(({ equal }) => !equal);
  const shown = [...different, ...goals.filter(({ equal }) => equal)].slice(0, SHOWN);
  return {
    ok: true,
    registry,
    goal_count: goals.length,
    events: goals.reduce((sum, { events }) => sum + events, 0),
    different: different.length,
    goals: shown,
    left_out: { goals: goals.length - shown.length },
  };
}

/** Goals of this project that have a journal, and those of the registry, whose head may be lost. */
async function journaledGoals({ store }: Workspace, rows: RegistryRows): Promise<readonly GoalId[]> {
  const ids = new Set<GoalId>();
  for await (const head of everyHead({ store, registry: rows.path })) ids.add(head.goal_id);
  for await (const { goal } of everyGoal(rows)) ids.add(goal.goal_id);
  return [...ids];
}

async function namedGoal(workspace: Workspace, rows: RegistryRows, text: string): Promise<Reply<readonly GoalId[]>> {
  const subject = await subjectOf(workspace, rows, text);
  if (subject.kind === "done") return done([subject.value.goal_id]);
  const parsed = parseGoalId(text);
  if (!parsed.ok) return reject(parsed.flaw.code, `goal id ${JSON.stringify(text)} ${parsed.flaw.message}`);
  return (await hasJournal(workspace.store, parsed.id)) ? done([parsed.id]) : await unknownGoal(rows, parsed.id);
}

async function hasJournal(store: Store, goalId: GoalId): Promise<boolean> {
  return (await store.events({ goal_id: goalId, order: "newest_first", limit: 1 })).length > 0;
}

/** (R1) */
async function rebuildGoal({ store }: Workspace, goalId: GoalId): Promise<RebuiltGoal> {
  if (!(await hasJournal(store, goalId))) return { goal_id: goalId, events: 0, equal: true };
  let rebuilt: RebuiltGoal = { goal_id: goalId, events: 0, equal: false };
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    const counter = await store.changeCounter();
    const before = await loadDerived(store, goalId);
    let after: Derived = { head: null, todos: new Map() };
    const { events } = await store.rebuild(goalId, (journal, snapshot) => {
      after = foldJournal(journal, snapshot);
      return after;
    });
    rebuilt = { goal_id: goalId, events, equal: before !== null && textOf(before) === textOf(after) };
    if (rebuilt.equal || counter === (await store.changeCounter())) return rebuilt; // (R2)
  }
  return rebuilt;
}

type Derived = Pick<LoadedGoal, "head" | "todos">;

/** Null: what is stored cannot be read. */
async function loadDerived(store: Store, goalId: GoalId): Promise<Derived | null> {
  try {
    return await store.load({ goal_id: goalId, todos: "all", base: "none" });
  } catch (error) {
    if (isFault(error)) throw error;
    return null;
  }
}

function textOf({ head, todos }: Derived): string {
  const sorted = [...todos].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, todo]) => todo);
  return JSON.stringify({ head, todos: sorted });
}
