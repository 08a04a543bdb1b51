/**
 * The frame of every command about todos: one transaction on the todos that it is about and everything they hang together with.
 *
 * Does not own: what is asked for (its callers), the frame of any write (`write-goal.ts`).
 *
 * W1  What a step looks at, and what its commands change or link, is loaded in the transaction that judges them; what was not is
 *     asked for, and all of it is judged again.
 * W2  A todo that is named is there, or nothing is written.
 * W3  What only a person may do with a question is refused to agents, whatever command asks for it.
 */
import type { GoalEvent, TodoRecord } from "../core/events.ts";
import type { GoalCommand } from "../core/goal/command.ts";
import type { GoalDraft } from "../core/goal/draft.ts";
import { forPersonFlaw } from "../core/goal/for-person.ts";
import type { GoalHead, Todos } from "../core/goal/head.ts";
import { type TodosOfCommand, todosOfCommand } from "../core/goal/todos-of-command.ts";
import type { AgentId, TodoId, TurnId } from "../core/id.ts";
import type { Instant } from "../core/instant.ts";
import { type BadInput, done, type Problem, type Refusal, type Reply, refuse } from "../core/result.ts";
import { standingGoal } from "./decide-in-write.ts";
import { unknownTodoIn } from "./goal-of-todo.ts";
import type { RegisteredGoal, RegistryRows } from "./registry-rows.ts";
import { showWrite } from "./show-write.ts";
import type { WritingWorkspace } from "./workspace.ts";
import { type Replayed, type WriteRequest, type Written, writeGoal } from "./write-goal.ts";

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

/** What has to be loaded before the step can be judged (W1). */
export interface Lacking {
  readonly kind: "lacking";
  readonly ids: "all" | readonly TodoId[];
  readonly needs_of?: readonly TodoId[];
}

export type Step = (state: TodoState) => readonly GoalCommand[] | Refusal | BadInput | Lacking;

export interface TodosRequest {
  readonly todos: "all" | readonly TodoId[];
  readonly same_text?: WriteRequest["same_text"];
  readonly step: Step;
  /** Null: each time it is asked for it is done anew. */
  readonly idempotency?: WriteRequest["idempotency"] | null;
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
  request: Omit<TodosRequest, "idempotency">,
): Promise<Reply<TodosWritten>> {
  const written = await writeTodosOnce(workspace, asking, request);
  if (written.kind === "replayed") throw new Error("a write without an idempotency key was carried out before");
  return written;
}

/** With an idempotency key: what was carried out before is not carried out again. */
export async function writeTodosOnce(
  workspace: WritingWorkspace,
  asking: Asking,
  request: TodosRequest,
): Promise<Reply<TodosWritten> | Replayed> {
  for (let asked: Asked = { todos: request.todos, needs_of: [] }; ; ) {
    const tried = await attempt(workspace, asking, { ...request, asked });
    if (tried.kind !== "lacking") return tried;
    asked = withMore(asked, tried);
  }
}

type Asked = TodosOfCommand;

function withMore(asked: Asked, { ids, needs_of = [] }: Pick<Lacking, "ids" | "needs_of">): Asked {
  const todos = asked.todos === "all" || ids === "all" ? "all" : [...new Set([...asked.todos, ...ids])];
  return { todos, needs_of: [...new Set([...asked.needs_of, ...needs_of])] };
}

/** (W1) Null: all that the commands are about was asked for. */
function lackingOf(commands: readonly GoalCommand[], asked: Asked): Lacking | null {
  let wanted = asked;
  for (const command of commands) {
    const { todos, needs_of } = todosOfCommand(command);
    wanted = withMore(wanted, { ids: todos, needs_of });
  }
  const has = (whole: Asked): string => JSON.stringify([whole.todos === "all" || whole.todos.length, whole.needs_of.length]);
  return has(wanted) === has(asked) ? null : { kind: "lacking", ids: wanted.todos, needs_of: wanted.needs_of };
}

async function attempt(
  workspace: WritingWorkspace,
  asking: Asking,
  { asked, same_text, step, idempotency = null }: TodosRequest & { readonly asked: Asked },
): Promise<Reply<TodosWritten> | Lacking | Replayed> {
  const { rows, registered, agent, turn, dryRun } = asking;
  const found: { lacking: Lacking | null; before: number } = { lacking: null, before: 0 };
  const written = await writeGoal(workspace, rows, {
    ...(await standingGoal(workspace, rows, registered)),
    actor: { ...(agent !== null && { agent_id: agent }), ...(turn !== null && { turn_id: turn }) },
    ...asked,
    ...(same_text !== undefined && { same_text }),
    ...(idempotency !== null && { idempotency }),
    rehearse: dryRun ? "rehearse" : "store",
    commands: (draft, _state, { at }) => {
      found.before = draft.events.length;
      if (draft.head === null) return refuse("goal_not_opened", "LoopX has no journal of this goal yet.");
      found.lacking = null;
      const made = judged(asking, draft.todos, {
        made: step({ head: draft.head, todos: draft.todos, at, asked: asked.todos }),
        asked,
      });
      if (!("kind" in made) || made.kind !== "lacking") return made;
      found.lacking = made;
      return [];
    },
  });
  if (written.kind !== "written") return written;
  return found.lacking ?? (await shownOf(workspace, asking, { written, before: found.before }));
}

/** (W1, W3) */
function judged(
  { registered, agent }: Asking,
  todos: Todos,
  { made, asked }: { readonly made: ReturnType<Step>; readonly asked: Asked },
): ReturnType<Step> {
  if ("kind" in made) return made;
  const lacking = lackingOf(made, asked);
  if (lacking !== null || agent === null) return lacking ?? made;
  return forPersonFlaw({ goal_id: registered.goal.goal_id, agent }, { todos, commands: made }) ?? made;
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

/** (W1) Null: those that are not there are nowhere. */
export function lackingFor({ asked }: Pick<TodoState, "asked">, ids: readonly TodoId[]): Lacking | null {
  if (asked === "all") return null;
  const lacking = ids.filter((id) => !asked.includes(id));
  return lacking.length === 0 ? null : { kind: "lacking", ids: lacking };
}

/** (W2) The first that is not there. */
export function strangerIn(registered: RegisteredGoal, todos: Todos, ids: readonly TodoId[]): BadInput | null {
  const stranger = ids.find((id) => !todos.has(id));
  return stranger === undefined ? null : unknownTodoIn(registered, stranger);
}

export function standing(draft: GoalDraft, id: TodoId): TodoRecord {
  const todo = draft.todos.get(id);
  if (todo === undefined) throw new Error(`todo ${id} was written and is not there`);
  return todo;
}
