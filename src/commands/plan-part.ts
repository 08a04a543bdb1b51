/**
 * The plan's part of a goal's view, from what was read and folded: no I/O here.
 *
 * Does not own: reading (`read-plan.ts`), what is added to it (`goal-view.ts`).
 *
 * B1  The same facts give the same view whether events were persisted or folded in memory.
 */
import type { TodoRecord } from "../core/events.ts";
import type { GoalHead } from "../core/goal/head.ts";
import type { GoalId } from "../core/id.ts";
import { type Instant, parseInstant } from "../core/instant.ts";
import { frontMatterEntry } from "../core/plan/front-matter.ts";
import type { DeclaredGoal } from "../core/registry/registry.ts";
import type { Problem } from "../core/result.ts";
import type { Activation, DeclaredWait, GoalView, ShownTodo, StateFile, Withheld } from "../core/show/view.ts";
import { type PlanPart, SHOWN_PROBLEMS } from "./goal-view.ts";
import type { StateReading } from "./state-file.ts";

export const SHOWN_TODOS = 5;

export interface PlanMaterial {
  readonly goal_id: GoalId;
  readonly declared: DeclaredGoal | null;
  readonly shares_state_file_with: readonly string[];
  readonly registry_changed_at: Instant;
  readonly state: StateReading;
  readonly head: GoalHead | null;
  readonly withheld: readonly Withheld[];
  readonly problem: Problem | null;
  /** Open todos in ready order, the first few of each. */
  readonly agent_todos: readonly TodoRecord[];
  readonly user_todos: readonly TodoRecord[];
  readonly unregistered_claims: readonly TodoRecord[];
}

export function planPartOf(material: PlanMaterial): PlanPart {
  const { declared, head, state } = material;
  const problems = [
    ...(material.problem === null ? [] : [material.problem]),
    ...(declared?.problems ?? []),
    ...problemsOfFile(state),
  ];
  return {
    goal_id: material.goal_id,
    registered: declared !== null,
    display_name: declared?.display_name ?? null,
    domain: declared?.domain ?? null,
    declared_status: declared?.status ?? null,
    registered_agents: declared?.registered_agents ?? [],
    ...(declared !== null && { adapter: declared.adapter }),
    ...declaredWait(declared),
    activation: activationOf(declared, material.registry_changed_at),
    state_file: stateFileOf(state),
    shares_state_file_with: material.shares_state_file_with,
    registry_changed_at: material.registry_changed_at,
    next_action: nextActionOf(head, state),
    objective: state.kind === "read" ? state.plan.objective : "",
    todo_counts: head?.todo_counts ?? { open: 0, blocked: 0, deferred: 0, done: 0, waiting_for_person: 0 },
    open_agent_todos: material.agent_todos.map(shownTodo),
    open_user_todos: material.user_todos.map(shownTodo),
    unregistered_claims: material.unregistered_claims.map(shownTodo),
    conflicts: head?.conflicts ?? [],
    withheld: material.withheld,
    cadence_ms: declared?.cadence_ms ?? null,
    problems: problems.slice(0, SHOWN_PROBLEMS),
    problem_count: problems.length,
  };
}

function declaredWait(declared: DeclaredGoal | null): { readonly declared_wait?: DeclaredWait } {
  const text = (key: string): string | null => {
    const value = declared?.entry[key];
    return typeof value === "string" && value !== "" ? value : null;
  };
  const waiting_on = text("waiting_on");
  if (waiting_on === null) return {};
  return {
    declared_wait: {
      waiting_on,
      status: text("attention_status"),
      action: text("operator_question") ?? text("recommended_action"),
    },
  };
}

function problemsOfFile(state: StateReading): readonly Problem[] {
  if (state.kind === "unreadable") return [state.problem];
  return state.kind === "read" ? state.problems : [];
}

function activationOf(declared: DeclaredGoal | null, registryChangedAt: Instant): Activation {
  switch (declared?.activation.state) {
    case "stopped":
      return { kind: "stopped", reason: declared.activation.reason ?? "", since: declared.activation.updated_at };
    case "invalid":
      return { kind: "invalid", since: registryChangedAt };
    default:
      return { kind: "active" };
  }
}

function stateFileOf(state: StateReading): StateFile {
  switch (state.kind) {
    case "read":
      return {
        kind: "read",
        path: state.path,
        sha256_16: state.sha256_16,
        changed_at: state.changed_at,
        updated_at: parseInstant(frontMatterEntry(state.plan.front_matter, "updated_at")?.value),
      };
    case "missing":
      return { kind: "missing", path: state.path, since: state.since };
    case "unreadable":
      return { kind: "unreadable", path: state.path, since: state.since, problem: state.problem };
    case "not_declared":
      return { kind: "not_declared", since: state.since };
  }
}

/** As old as the file where that is older: LoopX may have met it much later than it was written. */
function nextActionOf(head: GoalHead | null, state: StateReading): GoalView["next_action"] {
  const entries = head?.next_action.entries ?? null;
  if (head === null || entries === null) return null;
  const accepted = head.next_action.changed_at;
  const since = state.kind === "read" && state.changed_at < accepted ? state.changed_at : accepted;
  return { entries, since };
}

function shownTodo(todo: TodoRecord): ShownTodo {
  const claimant = todo.metadata["claimed_by"];
  return {
    todo_id: todo.todo_id,
    text: todo.text,
    priority: todo.priority,
    ...(todo.task_class !== null && { task_class: todo.task_class }),
    ...(claimant !== undefined && { claimed_by: claimant }),
  };
}
