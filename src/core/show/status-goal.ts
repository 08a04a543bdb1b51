/**
 * One goal as `loopx status --json` shows it, in as many bytes as there are.
 *
 * Does not own: which goals are shown (`status.ts`), what drifts, what an agent may do.
 *
 * W1  A row is first made whole. Only one that is too large is made again with shorter texts and lists, until it fits; the least detail is small
 *     whatever the data is.
 * W2  What was shortened carries `…`, and `left_out` of the row says how many texts and list entries are not all there.
 * W3  A command is shown whole or not at all: half a command is a trap.
 */
import type { Drift } from "../drift/drift.ts";
import type { Instant } from "../instant.ts";
import type { Problem } from "../result.ts";
import type { RunSummary } from "../runs/run.ts";
import { type Cutter, cutter } from "./cutter.ts";
import { futureRunsOf, latestRunOf, stoppageOf } from "./now.ts";
import { entryBytes } from "./print-json.ts";
import type { GoalView, ShownTodo } from "./view.ts";

export interface StatusRun {
  readonly generated_at: string | null;
  readonly classification: string;
  readonly recommended_action: string;
  readonly origin: RunSummary["origin"];
  readonly agent_id?: string;
  readonly turn_instance_id?: string;
  readonly todo_id?: string;
  readonly progress_scope?: string;
  readonly delivery_outcome?: string;
  readonly delivery_batch_scale?: string;
}

export interface StatusProblem {
  readonly path: string | null;
  readonly line: number | null;
  readonly code: string;
  readonly message: string;
}

export interface StatusTodos {
  readonly open: number;
  readonly blocked: number;
  readonly deferred: number;
  readonly done: number;
  readonly waiting_for_person: number;
  readonly next_for_person: readonly ShownTodo[];
  readonly next_for_agents: readonly ShownTodo[];
}

/** What of a row is not all there; null when it is whole (W2). */
export interface RowLeftOut {
  readonly texts: number;
  readonly drift: number;
  readonly problems: number;
  readonly todos: number;
}

export interface StatusGoal {
  readonly goal_id: string;
  readonly display_name: string | null;
  readonly registered: boolean;
  /** `invalid`: what the registry says is neither, and nothing acts on the goal. */
  readonly activation: "active" | "stopped" | "invalid";
  readonly activation_reason: string | null;
  readonly activation_since: Instant | null;
  readonly lifecycle: GoalView["lifecycle"]["kind"];
  readonly run_count: number;
  /** Runs dated after now, as far as they are known: none of them is the latest. */
  readonly future_runs: number;
  readonly next_action: string | null;
  readonly latest_run: StatusRun | null;
  readonly todos: StatusTodos;
  readonly state_file: { readonly kind: GoalView["state_file"]["kind"]; readonly path: string | null };
  readonly drift: readonly Drift[];
  readonly problems: readonly StatusProblem[];
  readonly left_out: RowLeftOut | null;
}

export interface RowSubject {
  readonly view: GoalView;
  readonly drift: readonly Drift[];
  readonly now: Instant;
}

interface Detail {
  readonly text: number;
  readonly drift: number;
  readonly problems: number;
  readonly todos: number;
}

const WHOLE: Detail = { text: Number.POSITIVE_INFINITY, drift: Number.POSITIVE_INFINITY, problems: 20, todos: 5 };
const DETAILS: readonly Detail[] = [
  WHOLE,
  { text: 320, drift: 8, problems: 5, todos: 3 },
  { text: 160, drift: 5, problems: 3, todos: 2 },
  { text: 80, drift: 3, problems: 2, todos: 1 },
  { text: 40, drift: 2, problems: 1, todos: 1 },
  { text: 24, drift: 1, problems: 1, todos: 0 },
];
const LEAST: Detail = { text: 16, drift: 0, problems: 0, todos: 0 };

/** A row and the bytes that it takes in its list. */
export interface FittedRow<Row> {
  readonly row: Row;
  readonly bytes: number;
}

/** W1. `shape` is what becomes of the row before it is measured: a selection of its fields. */
export function fitRow<Row>(subject: RowSubject, most: number, shape: (row: StatusGoal) => Row): FittedRow<Row> {
  for (const detail of DETAILS) {
    const row = shape(rowOf(subject, detail));
    const bytes = entryBytes(row);
    if (bytes <= most) return { row, bytes };
  }
  const row = shape(rowOf(subject, LEAST));
  return { row, bytes: entryBytes(row) };
}

/** The row with everything in it, however long. */
export function wholeRow(subject: RowSubject): StatusGoal {
  return rowOf(subject, WHOLE);
}

function rowOf({ view, drift, now }: RowSubject, detail: Detail): StatusGoal {
  const cut = cutter(detail.text);
  const run = latestRunOf(view, now);
  const shownDrift = drift.slice(0, detail.drift).map((entry) => shownDriftOf(entry, cut));
  const problems = view.problems.slice(0, detail.problems).map((problem) => shownProblem(problem, cut));
  const todos = todosOf(view, detail, cut);
  const row = {
    goal_id: view.goal_id,
    display_name: cut.textOrNull(view.display_name),
    registered: view.registered,
    ...activationOf(view, cut),
    lifecycle: view.lifecycle.kind,
    run_count: view.runs.count,
    future_runs: futureRunsOf(view, now).length,
    next_action: cut.textOrNull(view.next_action?.entries[0] ?? null),
    latest_run: run === null ? null : shownRun(run, cut),
    todos,
    state_file: {
      kind: view.state_file.kind,
      path: view.state_file.kind === "not_declared" ? null : cut.path(view.state_file.path),
    },
    drift: shownDrift,
    problems,
  };
  return { ...row, left_out: leftOut(view, { row, drift, texts: cut.count() }) };
}

/** W2. */
function leftOut(
  view: GoalView,
  { row, drift, texts }: { readonly row: Omit<StatusGoal, "left_out">; readonly drift: readonly Drift[]; readonly texts: number },
): RowLeftOut | null {
  const open = view.todo_counts.open;
  const missing = {
    texts,
    drift: drift.length - row.drift.length,
    problems: Math.max(0, view.problem_count - row.problems.length),
    todos: Math.max(0, open - row.todos.next_for_person.length - row.todos.next_for_agents.length),
  };
  return Object.values(missing).every((count) => count === 0) ? null : missing;
}

function activationOf(view: GoalView, cut: Cutter): Pick<StatusGoal, "activation" | "activation_reason" | "activation_since"> {
  const stoppage = stoppageOf(view);
  if (stoppage === null) {
    const invalid = view.activation.kind === "invalid" ? view.activation : null;
    return { activation: invalid?.kind ?? "active", activation_reason: null, activation_since: invalid?.since ?? null };
  }
  return { activation: "stopped", activation_reason: cut.text(stoppage.reason), activation_since: stoppage.since };
}

function shownRun(run: RunSummary, cut: Cutter): StatusRun {
  return {
    generated_at: cut.instantOrNull(run.generated_at),
    classification: cut.text(run.classification),
    recommended_action: cut.text(run.recommended_action),
    origin: run.origin,
    ...cut.present("agent_id", run.agent_id),
    ...cut.present("turn_instance_id", run.turn_instance_id),
    ...cut.present("todo_id", run.todo_id),
    ...cut.present("progress_scope", run.progress_scope),
    ...cut.present("delivery_outcome", run.delivery_outcome),
    ...cut.present("delivery_batch_scale", run.delivery_batch_scale),
  };
}

function todosOf(view: GoalView, { todos: most }: Detail, cut: Cutter): StatusTodos {
  const shown = (todos: readonly ShownTodo[]): readonly ShownTodo[] =>
    todos.slice(0, most).map((todo) => ({ ...todo, text: cut.text(todo.text), ...cut.present("claimed_by", todo.claimed_by) }));
  return {
    ...view.todo_counts,
    next_for_person: shown(view.open_user_todos),
    next_for_agents: shown(view.open_agent_todos),
  };
}

/** W3. */
function shownDriftOf(entry: Drift, cut: Cutter): Drift {
  return {
    ...entry,
    declared: cut.text(entry.declared),
    observed: cut.text(entry.observed),
    fix: "person" in entry.fix ? { person: cut.text(entry.fix.person) } : entry.fix,
    ...cut.present("subject", entry.subject),
  };
}

export function shownProblem({ path, line, code, message }: Problem, cut: Cutter): StatusProblem {
  return { path: path === undefined ? null : cut.path(path), line: line ?? null, code, message: cut.text(message) };
}
