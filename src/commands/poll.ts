/**
 * `poll`: what was seen of a monitor is recorded, or everything that is due is looked up.
 *
 * Does not own: what follows from a look (`core/goal/monitor.ts`), running a program (`ports/command-runner.ts`).
 *
 * L1  Programs run before the transaction; it acts only on what still stands as it was looked up for.
 * L2  What was seen is a spare write: a goal whose folder is full takes none. What ends or wakes is written all the same.
 * L3  A rehearsal runs nothing.
 * L4  A goal that is not active is passed over, unless it is named.
 */
import { loopxCommand } from "../core/command-line.ts";
import type { TodoRecord } from "../core/events.ts";
import { kindOf } from "../core/goal/todo-traits.ts";
import { parseTodoId } from "../core/id.ts";
import { done, type Reply, refuse, reject } from "../core/result.ts";
import type { PollRequest } from "./app.ts";
import { badTodoId, goalOfTodo } from "./goal-of-todo.ts";
import { isDue, type Looked, lookAt } from "./poll-look.ts";
import { type PolledGoal, recordLooks } from "./poll-record.ts";
import { readTodos } from "./read-todos.ts";
import { everyGoal, type RegisteredGoal, registryRows } from "./registry-rows.ts";
import { settleGates } from "./settle-gates.ts";
import { askingOn } from "./todo-asking.ts";
import { readyNext } from "./todo-next.ts";
import type { WritingWorkspace } from "./workspace.ts";
import type { Asking } from "./write-todos.ts";

export interface PollAnswer extends PolledGoal {
  readonly ok: true;
  readonly dry_run: boolean;
  readonly goals_looked_at: number;
  /** Entries beyond what is shown of each list. */
  readonly left_out: number;
}

/** Of each list. */
const SHOWN = 10;

function answered(request: PollRequest, goals: number, found: PolledGoal): PollAnswer {
  const lists = [found.polled, found.woken, found.not_met, found.ended, found.decided];
  const left_out = lists.reduce((sum, { length }) => sum + Math.max(0, length - SHOWN), 0);
  return {
    ok: true,
    dry_run: request.dryRun,
    goals_looked_at: goals,
    polled: found.polled.slice(0, SHOWN),
    woken: found.woken.slice(0, SHOWN),
    not_met: found.not_met.slice(0, SHOWN),
    ended: found.ended.slice(0, SHOWN),
    decided: found.decided.slice(0, SHOWN),
    warnings: found.warnings.slice(0, SHOWN),
    left_out,
  };
}

const NOTHING: PolledGoal = { polled: [], woken: [], not_met: [], ended: [], decided: [], warnings: [] };

export async function poll(workspace: WritingWorkspace, request: PollRequest): Promise<Reply<PollAnswer>> {
  if (request.todoId !== null || request.targetKey !== null) return await pollOne(workspace, request);
  const goals = await goalsToPoll(workspace, request.goalId);
  if (goals.kind !== "done") return goals;
  let found = NOTHING;
  for (const [at, goalId] of goals.value.entries()) {
    const polled = await pollGoal(workspace, { ...request, goalId });
    if (polled.kind !== "done" && request.goalId !== null) return polled;
    found = polled.kind === "done" ? together(found, polled.value) : withWarning(found, goalId, polled.message);
    workspace.progress.report(at + 1, goals.value.length, "goals");
  }
  return done(answered(request, goals.value.length, found));
}

/** (L4) */
async function goalsToPoll(workspace: WritingWorkspace, goalId: string | null): Promise<Reply<readonly string[]>> {
  if (goalId !== null) return done([goalId]);
  const rows = await registryRows(workspace);
  if (rows.kind !== "done") return rows;
  const goals: string[] = [];
  for await (const { goal } of everyGoal(rows.value)) {
    if (goal.standing === "clear" && goal.activation.state === "active") goals.push(goal.goal_id);
  }
  return done(goals);
}

function together(a: PolledGoal, b: PolledGoal): PolledGoal {
  return {
    polled: [...a.polled, ...b.polled],
    woken: [...a.woken, ...b.woken],
    not_met: [...a.not_met, ...b.not_met],
    ended: [...a.ended, ...b.ended],
    decided: [...a.decided, ...b.decided],
    warnings: [...a.warnings, ...b.warnings],
  };
}

function withWarning(found: PolledGoal, goalId: string, message: string): PolledGoal {
  return { ...found, warnings: [...found.warnings, { code: "goal_not_polled", message: `${goalId}: ${message}` }] };
}

type OnGoal = PollRequest & { readonly goalId: string };

async function asked(workspace: WritingWorkspace, request: OnGoal): Promise<Reply<Asking>> {
  return await askingOn(workspace, { ...request, turnInstanceId: null });
}

/** Unfinished todos of a goal that are looked through. */
const MOST = 100_000;

async function unfinished(workspace: WritingWorkspace, { rows, registered }: Asking): Promise<readonly TodoRecord[]> {
  const { page } = await readTodos(workspace, rows, { registered, todos: "none" });
  const query = { statuses: ["open", "deferred"], role: "agent", archived: false, skip: 0, limit: MOST } as const;
  return (await page(query)).todos;
}

async function pollGoal(workspace: WritingWorkspace, request: OnGoal): Promise<Reply<PolledGoal>> {
  const asking = await asked(workspace, request);
  if (asking.kind !== "done") return asking;
  const { goal_id } = asking.value.registered.goal;
  const settled = request.dryRun ? done({ decided: [], warnings: [] }) : await settleGates(workspace, asking.value);
  if (settled.kind !== "done") return settled;
  const now = workspace.clock.now();
  const due = (await unfinished(workspace, asking.value)).filter((todo) => isDue(todo, now));
  const looks: Looked[] = [];
  for (const todo of due) looks.push(await lookAt(workspace, asking.value.registered, { todo, now, dryRun: request.dryRun }));
  const recorded = looks.length === 0 ? done(NOTHING) : await recordLooks(workspace, asking.value, looks);
  if (recorded.kind !== "done") return recorded;
  const decided = settled.value.decided.map((each) => ({ goal_id, ...each }));
  return done(together({ ...NOTHING, decided, warnings: settled.value.warnings }, recorded.value));
}

async function pollOne(workspace: WritingWorkspace, request: PollRequest): Promise<Reply<PollAnswer>> {
  if (request.todoId !== null && parseTodoId(request.todoId) === null) return badTodoId(request.todoId);
  const goalId = await goalOfMonitor(workspace, request);
  if (goalId.kind !== "done") return goalId;
  const asking = await asked(workspace, { ...request, goalId: goalId.value });
  if (asking.kind !== "done") return asking;
  const found = await monitorIn(workspace, asking.value, request);
  if (found.kind !== "done") return found;
  const looked = await lookOf(workspace, asking.value, { todo: found.value, request });
  if (looked.kind !== "done") return looked;
  const ready = request.next === undefined ? done([]) : readyNext(workspace, asking.value.registered, request.next);
  if (ready.kind !== "done") return ready;
  const recorded = await recordLooks(workspace, asking.value, [looked.value], ready.value);
  if (recorded.kind !== "done") return recorded;
  return done(answered(request, 1, recorded.value));
}

async function goalOfMonitor(workspace: WritingWorkspace, { goalId, todoId }: PollRequest): Promise<Reply<string>> {
  if (goalId !== null) return done(goalId);
  if (todoId !== null) return await goalOfTodo(workspace, todoId);
  return reject("option_missing", "Say which goal has the monitor of that target.", { fix: loopxCommand("goal", "list") });
}

async function monitorIn(
  workspace: WritingWorkspace,
  asking: Asking,
  { todoId, targetKey }: PollRequest,
): Promise<Reply<TodoRecord>> {
  const { goal_id } = asking.registered.goal;
  const todos = await unfinished(workspace, asking);
  const fitting = todos.filter((todo) =>
    todoId === null ? kindOf(todo) === "monitor" && todo.metadata["target_key"] === targetKey : todo.todo_id === todoId,
  );
  const [only, second] = fitting;
  const fix = loopxCommand("todo", "list", "--goal-id", goal_id);
  if (only === undefined)
    return reject("unknown_todo", `Goal ${goal_id} has no unfinished monitor ${todoId ?? `of ${targetKey ?? ""}`}.`, { fix });
  if (second === undefined) return done(only);
  return reject("todo_ambiguous", `Several monitors of goal ${goal_id} watch ${targetKey ?? ""}: name one by --todo-id.`, {
    near: fitting.map(({ todo_id }) => todo_id),
    fix,
  });
}

interface Look {
  readonly todo: TodoRecord;
  readonly request: PollRequest;
}

async function lookOf(workspace: WritingWorkspace, { registered }: Asking, { todo, request }: Look): Promise<Reply<Looked>> {
  const { resultHash, materialChange } = request;
  if (resultHash !== null) {
    if (!/^[\x21-\x7e]{1,160}$/.test(resultHash)) {
      return reject("result_hash_invalid", "A result hash is 1 to 160 characters without white space.");
    }
    return done({ kind: "seen", todo, result_hash: resultHash, material_change: materialChange, ran: null });
  }
  if (kindOf(todo) !== "monitor") return notAMonitor(todo, registered);
  if (todo.metadata["run"] === undefined) {
    return reject("result_hash_required", `${todo.todo_id} has no --run of its own: say what was seen with --result-hash.`, {
      fix: loopxCommand("poll", "--goal-id", registered.goal.goal_id, "--todo-id", todo.todo_id, "--result-hash", "…"),
    });
  }
  const looked = await lookAt(workspace, registered, { todo, now: workspace.clock.now(), dryRun: request.dryRun });
  return done(looked.kind === "seen" ? { ...looked, material_change: materialChange } : looked);
}

function notAMonitor({ todo_id }: TodoRecord, { goal }: RegisteredGoal): Reply<never> {
  return refuse("not_a_monitor", `${todo_id} is no open monitor.`, {
    details: { todo_id },
    fix: loopxCommand("todo", "show", "--goal-id", goal.goal_id, "--todo-id", todo_id),
  });
}
