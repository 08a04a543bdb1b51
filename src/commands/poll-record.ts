/**
 * Records what was looked up, in one transaction a goal (L1, L2 of `poll.ts`).
 *
 * Does not own: looking (`poll-look.ts`).
 */
import type { GoalEvent, TodoRecord } from "../core/events.ts";
import type { GoalCommand } from "../core/goal/command.ts";
import { isLive, leaseOf, NO_FENCE } from "../core/goal/fence.ts";
import { unchangedOf } from "../core/goal/todo-traits.ts";
import { type Instant, toRunTime } from "../core/instant.ts";
import { spareWriteBar } from "../core/quota/limits.ts";
import { done, type Problem, type Refusal, type Reply } from "../core/result.ts";
import { followingTodos } from "./poll-follow.ts";
import { conditionOf, hasEnded, type Looked, type Ran } from "./poll-look.ts";
import type { ReadyTodo } from "./todo-next.ts";
import type { WritingWorkspace } from "./workspace.ts";
import { type Asking, type TodoState, writeTodos } from "./write-todos.ts";

export interface PolledTodo {
  readonly goal_id: string;
  readonly todo_id: string;
}

export interface PolledMonitor extends PolledTodo {
  readonly target_key: string | null;
  readonly result_hash: string | null;
  readonly changed: boolean;
  readonly consecutive_no_change: number;
  readonly next_due_at: string | null;
  /** Ids of the todos that were added because of it. */
  readonly next_todos: readonly string[];
  readonly ran: Ran | null;
}

export interface PolledGoal {
  readonly polled: readonly PolledMonitor[];
  /** Their condition was met. */
  readonly woken: readonly PolledTodo[];
  readonly not_met: readonly (PolledTodo & { readonly ran: Ran })[];
  /** Monitors whose time was up. */
  readonly ended: readonly PolledTodo[];
  readonly decided: readonly (PolledTodo & { readonly outcome: string })[];
  readonly warnings: readonly Problem[];
}

export async function recordLooks(
  workspace: WritingWorkspace,
  asking: Asking,
  looks: readonly Looked[],
  ready: readonly ReadyTodo[] = [],
): Promise<Reply<PolledGoal>> {
  const { goal_id } = asking.registered.goal;
  const found: { barred: Refusal | null; added: readonly TodoRecord[] } = { barred: null, added: [] };
  const single = looks.length === 1;
  const written = await writeTodos(workspace, asking, {
    todos: looks.map(({ todo }) => todo.todo_id),
    step: (state) => {
      found.barred = spareBar(asking, state);
      if (found.barred !== null && single && looks[0]?.kind === "seen") return found.barred;
      const added = followingTodos(asking, state, { look: looks[0], ready });
      if ("kind" in added) return added;
      found.added = added;
      return [
        ...looks.flatMap((look) => commandsFor(look, state, found.barred)),
        ...added.map((todo) => ({ kind: "add-todo", todo }) as const),
      ];
    },
  });
  if (written.kind !== "done") return written;
  const { events, warnings, draft } = written.value;
  const about = ({ todo_id }: Pick<TodoRecord, "todo_id">): PolledTodo => ({ goal_id, todo_id });
  const happened = (look: Looked, type: GoalEvent["type"]): boolean =>
    events.some((event) => event.type === type && "todo_id" in event.data && event.data.todo_id === look.todo.todo_id);
  return done({
    polled: looks.flatMap((look) =>
      isLook(look) ? [shownMonitor(draft.todos.get(look.todo.todo_id) ?? look.todo, { goal_id, look, added: found.added })] : [],
    ),
    woken: looks.filter((look) => look.kind === "met" && happened(look, "todo.changed")).map(({ todo }) => about(todo)),
    not_met: looks.flatMap((look) => (look.kind === "not_met" ? [{ ...about(look.todo), ran: look.ran }] : [])),
    ended: looks.filter((look) => look.kind === "ended" && happened(look, "todo.closed")).map(({ todo }) => about(todo)),
    decided: [],
    warnings: [...warnings, ...(found.barred === null ? [] : [{ code: found.barred.code, message: found.barred.message }])],
  });
}

type LookOfMonitor = Extract<Looked, { kind: "seen" | "unseen" }>;

function isLook(look: Looked): look is LookOfMonitor {
  return look.kind === "seen" || look.kind === "unseen";
}

/** (L2) */
function spareBar({ registered }: Asking, { head }: TodoState): Refusal | null {
  const { quota, goal_id } = registered.goal;
  return quota.kind === "invalid" ? null : spareWriteBar({ goal_id, limits: quota.settings.limits }, head.runtime_bytes);
}

/** (L1) */
function commandsFor(look: Looked, state: TodoState, barred: Refusal | null): readonly GoalCommand[] {
  const { todo_id } = look.todo;
  const todo = state.todos.get(todo_id);
  switch (look.kind) {
    case "seen": {
      if (barred !== null) return [];
      const { result_hash, material_change } = look;
      return [{ kind: "poll-monitor", todo_id, result_hash, material_change }];
    }
    case "met": {
      const same = todo !== undefined && JSON.stringify(conditionOf(todo)) === JSON.stringify(conditionOf(look.todo));
      return same ? [{ kind: "wake-todo", todo_id }] : [];
    }
    case "ended":
      return todo === undefined ? [] : ending(todo, state);
    default:
      return [];
  }
}

/** One that an agent has in hand is ended when it is given back. */
function ending(todo: TodoRecord, { head, at }: TodoState): readonly GoalCommand[] {
  const { todo_id, metadata } = todo;
  const lease = leaseOf(head, todo_id);
  const inHand = lease !== null && isLive(lease, at);
  if (todo.status !== "open" || !hasEnded(todo, at) || inHand) return [];
  const fields = { status: "done" as const, metadata: expired(metadata, at) };
  return [
    { kind: "close-todo", todo_id, outcome: "superseded", next: { kind: "none", reason: "expired" }, fields, fence: NO_FENCE },
  ];
}

function expired(metadata: TodoRecord["metadata"], at: Instant): TodoRecord["metadata"] {
  return { ...metadata, outcome: "superseded", no_followup: "true", reason: "expired", completed_at: toRunTime(at) };
}

interface Looking {
  readonly goal_id: string;
  readonly look: LookOfMonitor;
  readonly added: readonly TodoRecord[];
}

function shownMonitor(todo: TodoRecord, { goal_id, look, added }: Looking): PolledMonitor {
  const { target_key = null, material_change, next_due_at = null } = todo.metadata;
  const seen = look.kind === "seen";
  return {
    goal_id,
    todo_id: todo.todo_id,
    target_key,
    result_hash: seen ? look.result_hash : null,
    changed: seen && material_change === "true",
    consecutive_no_change: unchangedOf(todo),
    next_due_at,
    next_todos: added.map(({ todo_id }) => todo_id),
    ran: look.ran,
  };
}
