/**
 * The frame of every command about todos: one transaction on the todos that it is about and everything they hang together with.
 *
 * Does not own: what is asked for (its callers), the frame of any write (`write-goal.ts`).
 *
 * W1  What a step looks at is loaded, or it is asked again with more: a dependency is followed to its end, so that a circle
 *     is found whatever else was written meanwhile.
 * W2  A todo that is named is there, or nothing is written.
 */
import { loopxCommand } from "../core/command-line.ts";
import type { GoalEvent, TodoRecord } from "../core/events.ts";
import type { GoalCommand } from "../core/goal/command.ts";
import type { GoalDraft } from "../core/goal/draft.ts";
import type { GoalHead, Todos } from "../core/goal/head.ts";
import { needsOf } from "../core/goal/todo-traits.ts";
import type { AgentId, GoalId, TodoId, TurnId } from "../core/id.ts";
import type { Instant } from "../core/instant.ts";
import { type BadInput, done, type Problem, type Refusal, type Reply, refuse, reject } from "../core/result.ts";
import { stateToWriteOn } from "./decide-in-write.ts";
import type { RegisteredGoal, RegistryRows } from "./registry-rows.ts";
import { showWrite } from "./show-write.ts";
import type { WritingWorkspace } from "./workspace.ts";
import { type WriteRequest, type Written, writeGoal } from "./write-goal.ts";

export interface Asking {
  readonly rows: RegistryRows;
  readonly registered: RegisteredGoal;
  /** Null: a person, or somebody without a name. */
  readonly agent: AgentId | null;
  readonly turn: TurnId | null;
  readonly dryRun: boolean;
}

/** What a step judges. */
export interface TodoState {
  readonly head: GoalHead;
  readonly todos: Todos;
  readonly at: Instant;
  /** What was asked to be loaded. */
  readonly asked: "all" | readonly TodoId[];
}

/** Ids that have to be loaded before the step can be judged (W1). */
export interface Lacking {
  readonly kind: "lacking";
  readonly ids: "all" | readonly TodoId[];
}

export type Step = (state: TodoState) => readonly GoalCommand[] | Refusal | BadInput | Lacking;

export interface TodosRequest {
  readonly todos: "all" | readonly TodoId[];
  readonly same_text?: WriteRequest["same_text"];
  readonly step: Step;
}

export interface TodosWritten {
  readonly draft: GoalDraft;
  /** Those of this command; what people changed in the files came before. */
  readonly events: readonly GoalEvent[];
  readonly warnings: readonly Problem[];
}

export async function writeTodos(
  workspace: WritingWorkspace,
  asking: Asking,
  request: TodosRequest,
): Promise<Reply<TodosWritten>> {
  const { goal_id } = asking.registered.goal;
  for (let { todos } = request; ; ) {
    const tried = await attempt(workspace, asking, { ...request, todos });
    if (tried.kind !== "lacking") return tried;
    todos = todos === "all" || tried.ids === "all" ? "all" : await closureOf(workspace, goal_id, [...todos, ...tried.ids]); // (W1)
  }
}

async function attempt(
  workspace: WritingWorkspace,
  asking: Asking,
  { todos, same_text, step }: TodosRequest,
): Promise<Reply<TodosWritten> | Lacking> {
  const { rows, registered, agent, turn, dryRun } = asking;
  const found: { lacking: Lacking | null; before: number } = { lacking: null, before: 0 };
  const written = await writeGoal(workspace, rows, {
    subject: { goal_id: registered.goal.goal_id, registered },
    state: await stateToWriteOn(workspace, rows, registered),
    actor: { ...(agent !== null && { agent_id: agent }), ...(turn !== null && { turn_id: turn }) },
    todos,
    ...(same_text !== undefined && { same_text }),
    rehearse: dryRun ? "rehearse" : "store",
    commands: (draft, _state, { at }) => {
      found.before = draft.events.length;
      if (draft.head === null) return refuse("goal_not_opened", "LoopX has no journal of this goal yet.");
      const made = step({ head: draft.head, todos: draft.todos, at, asked: todos });
      if (!("kind" in made) || made.kind !== "lacking") return made;
      found.lacking = made;
      return [];
    },
  });
  if (written.kind === "refusal" || written.kind === "bad_input") return written;
  if (written.kind === "replayed") throw new Error("a write about todos has no idempotency key");
  return found.lacking ?? (await shownOf(workspace, asking, { written, before: found.before }));
}

async function shownOf(
  workspace: WritingWorkspace,
  { rows, registered, dryRun }: Asking,
  { written, before }: { readonly written: Written; readonly before: number },
): Promise<Reply<TodosWritten>> {
  const { draft, base } = written;
  const subject = { goal_id: registered.goal.goal_id, registered };
  const moved = !dryRun && draft.events.length > 0;
  const shown = moved
    ? await showWrite(workspace, rows, { subject, events: draft.events, head: draft.head, base })
    : { warnings: [] };
  return done({ draft, events: draft.events.slice(before), warnings: shown.warnings });
}

/** The ids, and all that they need, followed to the end. */
async function closureOf(workspace: WritingWorkspace, goal_id: GoalId, ids: readonly TodoId[]): Promise<readonly TodoId[]> {
  const known = new Set(ids);
  for (let before = -1; before < known.size; ) {
    before = known.size;
    const { todos } = await workspace.store.load({ goal_id, todos: [...known], base: "none" });
    for (const todo of todos.values()) if (known.has(todo.todo_id)) for (const id of needsOf(todo)) known.add(id);
  }
  return [...known];
}

/** (W1) What `from` needs and is not among what was asked for; null: everything it needs is there, or is nowhere. */
export function lackingFor({ todos, asked }: Pick<TodoState, "todos" | "asked">, from: readonly TodoId[]): Lacking | null {
  if (asked === "all") return null;
  const loaded = new Set(asked);
  const seen = new Set<TodoId>();
  const lacking: TodoId[] = [];
  const follow = [...from];
  for (let id = follow.pop(); id !== undefined; id = follow.pop()) {
    if (seen.has(id)) continue;
    seen.add(id);
    const todo = todos.get(id);
    if (!loaded.has(id)) lacking.push(id);
    if (todo !== undefined) follow.push(...needsOf(todo));
  }
  return lacking.length === 0 ? null : { kind: "lacking", ids: lacking };
}

/** (W2) */
export function unknownTodoIn({ goal }: RegisteredGoal, todoId: string): BadInput {
  return reject("unknown_todo", `Goal ${goal.goal_id} has no todo ${todoId}.`, {
    fix: loopxCommand("todo", "list", "--goal-id", goal.goal_id),
  });
}

/** The first that is not there. */
export function strangerIn(registered: RegisteredGoal, todos: Todos, ids: readonly TodoId[]): BadInput | null {
  const stranger = ids.find((id) => !todos.has(id));
  return stranger === undefined ? null : unknownTodoIn(registered, stranger);
}

export function standing(draft: GoalDraft, id: TodoId): TodoRecord {
  const todo = draft.todos.get(id);
  if (todo === undefined) throw new Error(`todo ${id} was written and is not there`);
  return todo;
}
