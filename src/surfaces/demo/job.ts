/**
 * The main job: a team works off the plan, what came of it is counted, and an answer of the person starts a team for the rest.
 *
 * Does not own: the plan (`work.ts`), what is said (`words.ts`), any rule of LoopX.
 *
 * J1  What is told is read from the store and the disk after the team has ended, never remembered from what was planned.
 */
import { readdirSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import type { App } from "../../commands/app.ts";
import { type LaunchRequest, type TeamAudience, type TeamEnding, UNASKED } from "../../commands/launch-words.ts";
import type { Reply } from "../../core/result.ts";
import type { EvidenceListPayload } from "../../core/show/evidence.ts";
import type { ShownWaiting } from "../../core/show/gate.ts";
import type { TodoListPayload } from "../../core/show/todo-list.ts";
import { type Screen, teamScreen } from "./team-view.ts";
import { WORK_GOALS } from "./work.ts";

export interface Job {
  readonly app: App;
  readonly screen: Screen;
  readonly folder: string;
  readonly onSignal: TeamAudience["onSignal"];
}

export interface Outcome {
  readonly closed: readonly string[];
  /** Open, and held up by a question that nobody has answered yet. */
  readonly held: readonly string[];
  /** Open without such a reason. */
  readonly left: readonly string[];
  readonly watched: number;
  readonly checks_passed: number;
  readonly checks_failed: number;
  /** Closed todos with a check that had failed before. */
  readonly repaired: number;
  readonly files: number;
  readonly waiting: readonly ShownWaiting[];
}

/** A session is held as long as the process that supervised it lives: each team of this one has its own. */
export interface Team {
  readonly session: string;
  readonly agents: readonly string[];
}

export async function runJob(job: Job, team: Team): Promise<TeamEnding["outcome"]> {
  const screen = teamScreen(job.screen);
  try {
    const request = { ...REQUEST, session: team.session, agentIds: team.agents };
    const { onChange } = screen;
    const answer = answerOf(await job.app.launch(request, { onPlan: () => undefined, onChange, onSignal: job.onSignal }));
    if (answer.kind !== "over") throw new Error(`The team was ${answer.kind}.`);
    return answer.ending.outcome;
  } finally {
    screen.end();
  }
}

/** J1. */
export async function outcomeOf({ app, folder }: Job): Promise<Outcome> {
  const goals = await Promise.all(WORK_GOALS.map(({ id }) => goalOutcome(app, id)));
  const todos = goals.flatMap((goal) => goal.todos);
  const checks = goals.flatMap((goal) => goal.evidence);
  const waiting = answerOf(await app.gateList({ goalId: null, todoId: null, limit: null, cursor: null })).gates;
  const closed = todos.filter(({ status }) => status === "done").map(({ todo_id }) => todo_id);
  const open = todos.filter(({ status, kind }) => status !== "done" && kind === "work").map(({ todo_id }) => todo_id);
  const held = heldUp(new Set(waiting.map(({ todo_id }) => todo_id)));
  const failed = checks.filter(({ outcome }) => outcome !== "passed");
  return {
    closed,
    held: open.filter((id) => held.has(id)),
    left: open.filter((id) => !held.has(id)),
    watched: todos.filter(({ kind, metadata }) => kind === "monitor" && metadata["last_checked_at"] !== undefined).length,
    checks_passed: checks.length - failed.length,
    checks_failed: failed.length,
    repaired: new Set(failed.flatMap(({ todo_id }) => (closed.some((id) => id === todo_id) ? [todo_id] : []))).size,
    files: MADE_IN.reduce((sum, name) => sum + filesIn(`${folder}/${name}`), 0),
    waiting,
  };
}

/** What these questions hold up, and what comes after that. Todos are planned in the order in which they can be done. */
function heldUp(questions: ReadonlySet<string>): ReadonlySet<string> {
  const held = new Set<string>();
  for (const { question, todos } of WORK_GOALS) {
    if (question !== undefined && questions.has(question.id)) held.add(question.holds_up);
    for (const { id, after = [] } of todos) if (after.some((before) => held.has(before))) held.add(id);
  }
  return held;
}

async function goalOutcome(
  app: App,
  goalId: string,
): Promise<Pick<TodoListPayload, "todos"> & Pick<EvidenceListPayload, "evidence">> {
  const { evidence } = answerOf(await app.evidenceList({ goalId, todoId: null, cursor: null, limit: 100 }));
  return { todos: await todosFrom(app, goalId, null), evidence };
}

async function todosFrom(app: App, goalId: string, cursor: string | null): Promise<TodoListPayload["todos"]> {
  const asked = { goalId, todoId: null, role: "agent", status: null, limit: null } as const;
  const { todos, left_out } = answerOf(await app.todoList({ ...asked, cursor }));
  return left_out.cursor === null ? todos : [...todos, ...(await todosFrom(app, goalId, left_out.cursor))];
}

/** Until nobody is asked any more; false: interrupted before. */
export async function answered({ app }: Job, interrupted: AbortSignal): Promise<boolean> {
  while (!interrupted.aborted) {
    await sleep(ASK_MS, null, { signal: interrupted }).catch(() => null);
    const { gate_count } = answerOf(await app.gateList({ goalId: null, todoId: null, limit: 1, cursor: null }));
    if (gate_count === 0) return !interrupted.aborted;
  }
  return false;
}

export function answerOf<T>(reply: Reply<T>): T {
  if (reply.kind === "done") return reply.value;
  throw new Error(`${reply.message} (${reply.code})`);
}

function filesIn(folder: string): number {
  try {
    return readdirSync(folder).length;
  } catch {
    return 0;
  }
}

const ASK_MS = 1000;
/** Folders that are not there before the work begins. */
const MADE_IN: readonly string[] = ["data", "reports", "site", "results", "release", "public"];

const REQUEST: LaunchRequest = { ...UNASKED, turnTimeoutSeconds: 30, idleExit: "2" };
