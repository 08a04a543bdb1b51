/**
 * `gate list` and `gate show`: what waits for a person, over all goals or one; a read.
 *
 * Does not own: what is shown of each (`core/show/gate.ts`).
 *
 * L1  A goal whose files were edited is read as it stands now; of all others the store says whether anything waits there, and
 *     only those where something does are looked into.
 */
import type { TodoRecord } from "../core/events.ts";
import { scopeCovers } from "../core/goal/decision-scope.ts";
import { coversByName, decisionScopesOf, gateScopeOf, kindOf } from "../core/goal/todo-traits.ts";
import { parseTodoId } from "../core/id.ts";
import { done, type Problem, type Reply } from "../core/result.ts";
import { buildGateList, compareWaiting, type GateListPayload, type Waiting } from "../core/show/gate.ts";
import { parseCursor, parseExtent } from "../core/show/paging.ts";
import type { GateListRequest } from "./app-todos.ts";
import { badTodoId } from "./goal-of-todo.ts";
import { readTodos, type TodoReading } from "./read-todos.ts";
import { everyGoal, findRegistered, type RegisteredGoal, type RegistryRows, registryRows } from "./registry-rows.ts";
import type { Workspace } from "./workspace.ts";

/** Of one goal. */
const MOST = 10_000;

export async function gateList(workspace: Workspace, request: GateListRequest): Promise<Reply<GateListPayload>> {
  const rows = await registryRows(workspace);
  if (rows.kind !== "done") return rows;
  if (request.todoId !== null && parseTodoId(request.todoId) === null) return badTodoId(request.todoId);
  const extent = parseExtent(request.limit === null ? {} : { limit: String(request.limit) });
  if (extent.kind !== "done") return extent;
  const cursor = request.cursor === null ? done(null) : parseCursor(request.cursor, ["gates"]);
  if (cursor.kind !== "done") return cursor;
  const goals = await goalsFor(rows.value, request.goalId);
  if (goals.kind !== "done") return goals;
  const found = await waitingIn(workspace, rows.value, goals.value);
  const waiting = found.waiting
    .filter(({ todo }) => request.todoId === null || todo.todo_id === request.todoId)
    .sort(compareWaiting);
  const seen = cursor.value?.seen ?? 0;
  const limited = extent.value.kind === "limit" ? extent.value.rows : waiting.length;
  return done(
    buildGateList({
      goal_filter: request.goalId,
      waiting: waiting.slice(seen, seen + limited),
      count: waiting.length,
      seen,
      extent: request.limit === null ? "page" : "limit",
      goals_looked_at: goals.value.length,
      problems: found.problems,
      now: workspace.clock.now(),
    }),
  );
}

async function goalsFor(rows: RegistryRows, goalId: string | null): Promise<Reply<readonly RegisteredGoal[]>> {
  if (goalId !== null) {
    const found = await findRegistered(rows, goalId);
    return found.kind === "done" ? done([found.value]) : found;
  }
  const goals: RegisteredGoal[] = [];
  for await (const registered of everyGoal(rows)) if (registered.goal.standing === "clear") goals.push(registered);
  return done(goals);
}

interface Found {
  readonly waiting: Waiting[];
  readonly problems: Problem[];
}

async function waitingIn(workspace: Workspace, rows: RegistryRows, goals: readonly RegisteredGoal[]): Promise<Found> {
  const found: Found = { waiting: [], problems: [] };
  for (const [at, registered] of goals.entries()) {
    const reading = await readTodos(workspace, rows, { registered, todos: "none" });
    found.problems.push(...reading.problems.slice(0, 1));
    if ((reading.head?.todo_counts.waiting_for_person ?? 0) > 0) found.waiting.push(...(await waitingOf(registered, reading))); // (L1)
    workspace.progress.report(at + 1, goals.length, "goals");
  }
  return found;
}

async function waitingOf({ goal }: RegisteredGoal, { page }: TodoReading): Promise<readonly Waiting[]> {
  const query = { statuses: ["open"], archived: false, skip: 0, limit: MOST } as const;
  const { todos } = await page({ ...query, role: "user" });
  const scoped = todos.some((todo) => kindOf(todo) === "gate" && gateScopeOf(todo).kind === "decision");
  const work = scoped ? (await page({ ...query, role: "agent" })).todos : [];
  return todos.map((todo) => ({ goal_id: goal.goal_id, todo, holds: heldBy(todo, work) }));
}

function heldBy(gate: TodoRecord, work: readonly TodoRecord[]): readonly string[] {
  const scope = gateScopeOf(gate);
  if (scope.kind !== "decision") return coversByName(gate);
  return work
    .filter((todo) => decisionScopesOf(todo).some((needed) => scopeCovers(scope.scope, needed)))
    .map(({ todo_id }) => todo_id);
}
