/**
 * The plan's part of a goal's view: registry entry, state file and todos, what a person changed folded in memory (T1).
 */
import type { TodoRecord } from "../core/events.ts";
import type { GoalHead, Todos } from "../core/goal/head.ts";
import { compareReady } from "../core/goal/ready-order.ts";
import type { GoalId } from "../core/id.ts";
import { type Instant, laterOf } from "../core/instant.ts";
import type { Problem } from "../core/result.ts";
import type { Withheld } from "../core/show/view.ts";
import type { LoadedGoal } from "../ports/store.ts";
import { placesOf } from "./goal-places.ts";
import type { PlanPart } from "./goal-view.ts";
import { planPartOf, SHOWN_TODOS } from "./plan-part.ts";
import { type GoalReconciliation, needsTodos, type ReconcileInput, reconcileGoal } from "./reconcile-goal.ts";
import type { RegistryRows } from "./registry-rows.ts";
import { isRenderingDue } from "./rendering-due.ts";
import { readStateFile, type StateReading } from "./state-file.ts";
import { beginJudging, judge } from "./transact.ts";
import type { GoalSubject } from "./view-key.ts";
import type { Workspace } from "./workspace.ts";

export interface Folded {
  readonly head: GoalHead | null;
  /** Null: as they stand in the store. */
  readonly todos: Todos | null;
  readonly withheld: readonly Withheld[];
  /** Why the journal of that name is not this goal's. */
  readonly problem: Problem | null;
  /** The file does not say yet what the journal says. */
  readonly rendering_due: boolean;
}

export async function readPlanPart(
  workspace: Workspace,
  rows: RegistryRows,
  { subject, now }: { readonly subject: GoalSubject; readonly now: Instant },
): Promise<{ readonly plan: PlanPart; readonly folded: boolean }> {
  const declared = subject.registered?.goal ?? null;
  const state = stateOf(workspace, rows, subject);
  const fold = await foldFiles(workspace, rows, { subject, state, now });
  const todos = await shownTodos(workspace, {
    goalId: subject.goal_id,
    todos: fold.todos,
    agents: declared?.registered_agents ?? [],
  });
  const plan = planPartOf({
    goal_id: subject.goal_id,
    declared,
    shares_state_file_with: subject.registered?.shares_state_file_with ?? [],
    registry_changed_at: rows.changed_at,
    state,
    head: fold.head,
    withheld: fold.withheld,
    problem: fold.problem,
    ...todos,
  });
  return { plan, folded: isUnfinished(fold) };
}

/** Whether a command that writes has something to do here: what is withheld is settled by time alone. */
function isUnfinished({ todos, withheld, problem, rendering_due }: Folded): boolean {
  return problem === null && (todos !== null || withheld.length > 0 || rendering_due);
}

/** Real path of the registry that owns the goal: a global registry names it (`source_registry`). */
export function ownerOf(workspace: Pick<Workspace, "roots" | "home" | "tree">, rows: RegistryRows, subject: GoalSubject): string {
  if (subject.registered === null) return rows.path;
  const { registry_path } = placesOf(workspace, subject.registered.goal);
  return workspace.tree.realPath(registry_path) ?? registry_path;
}

/** The state file of a goal as it stands on disk. */
export function stateOf(workspace: Workspace, rows: RegistryRows, subject: GoalSubject): StateReading {
  if (subject.registered === null) {
    const folder = `${workspace.roots.runtime_root}/goals/${subject.goal_id}`;
    return { kind: "not_declared", since: workspace.tree.changedAt(folder) ?? rows.changed_at };
  }
  const places = placesOf(workspace, subject.registered.goal);
  return readStateFile(workspace, places.state_file, { folder: places.repo, since: rows.changed_at });
}

/** What the journal would say if the files were taken in now; first sightings are remembered. */
export async function foldFiles(
  workspace: Workspace,
  rows: RegistryRows,
  { subject, state, now }: { readonly subject: GoalSubject; readonly state: StateReading; readonly now: Instant },
): Promise<Folded> {
  const { store } = workspace;
  const base = await store.load({ goal_id: subject.goal_id, todos: "none", base: "text" });
  const loaded: LoadedGoal = needsTodos(base.base, state)
    ? await store.load({ goal_id: subject.goal_id, todos: "all", base: "text" })
    : base;
  const registry = ownerOf(workspace, rows, subject);
  const declared = subject.registered?.goal ?? null;
  if (loaded.head !== null && declared !== null && loaded.head.registry !== registry) {
    return ofAnother(loaded, { registry, declared, state, now, at: momentOf(state, rows, now) });
  }
  const found = reconcileGoal({ loaded, registry, declared, state, now });
  if (found.base !== null && found.seen !== loaded.base?.sighting) await store.saveSighting(subject.goal_id, found.seen);
  return folded(loaded, found, momentOf(state, rows, now));
}

function folded(loaded: LoadedGoal, found: GoalReconciliation, at: Instant): Folded {
  const { head, base } = loaded;
  const { withheld } = found;
  const unchanged: Folded = { head, todos: null, withheld, problem: null, rendering_due: isRenderingDue(head, base) };
  if (found.commands.length === 0) return unchanged;
  const judged = beginJudging(loaded, at);
  return judge(judged, found.commands) === null
    ? { ...unchanged, head: judged.draft.head, todos: judged.draft.todos }
    : unchanged;
}

/** The files are shown as if there were no journal: that one tells of a goal of another project. */
function ofAnother(loaded: LoadedGoal, input: Omit<ReconcileInput, "loaded"> & { readonly at: Instant }): Folded {
  const fresh: LoadedGoal = { ...loaded, head: null, todos: new Map(), base: null };
  const message = `the runtime root holds a goal of this id that belongs to ${loaded.head?.registry ?? ""}; use another id or another runtime root`;
  const shown = folded(fresh, reconcileGoal({ ...input, loaded: fresh }), input.at);
  return { ...shown, todos: shown.todos ?? new Map(), problem: { path: input.registry, code: "goal_belongs_to", message } };
}

/** A change is as old as the file that shows it, so that two readings of one file are equal. */
function momentOf(state: StateReading, rows: RegistryRows, now: Instant): Instant {
  const changed = state.kind === "read" ? laterOf(state.changed_at, rows.changed_at) : rows.changed_at;
  return changed < now ? changed : now;
}

export async function shownTodos(
  { store }: Workspace,
  { goalId, todos, agents }: { readonly goalId: GoalId; readonly todos: Todos | null; readonly agents: readonly string[] },
): Promise<{
  readonly agent_todos: readonly TodoRecord[];
  readonly user_todos: readonly TodoRecord[];
  readonly unregistered_claims: readonly TodoRecord[];
}> {
  const limit = SHOWN_TODOS;
  const claims = agents.length > 0;
  if (todos === null) {
    return {
      agent_todos: await store.readyTodos(goalId, { role: "agent", limit }),
      user_todos: await store.readyTodos(goalId, { role: "user", limit }),
      unregistered_claims: claims ? await store.claimedTodos(goalId, { except: agents, limit }) : [],
    };
  }
  const open = [...todos.values()].filter((todo) => todo.status === "open" && !todo.archived).sort(compareReady);
  const isStrange = (claimant: string | undefined): boolean => claimant !== undefined && !agents.includes(claimant);
  return {
    agent_todos: open.filter((todo) => todo.role === "agent").slice(0, limit),
    user_todos: open.filter((todo) => todo.role === "user").slice(0, limit),
    unregistered_claims: claims ? open.filter((todo) => isStrange(todo.metadata["claimed_by"])).slice(0, limit) : [],
  };
}
