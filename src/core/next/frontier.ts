/**
 * The few todos that a decision about one agent can rest on, out of all todos of the goal.
 *
 * Does not own: the decision (`next.ts`), how a store finds them by its indexes (adapters; `test/contract` holds both to
 * this file).
 *
 * F1  Every list is in the order in which its todos are taken up, and at most as long as was asked for. A list that is
 *     shorter than that is whole; that of the gates always is, because one that is not seen would let work through.
 * F2  Only what a row can tell by itself is judged here: exclusions, capabilities, live leases and decision scopes are not.
 * F3  Whoever let a lease run out owns the todo no longer, although its claim stands in the file until somebody takes over.
 * F4  Of one rank, what the agent has claimed is taken up before what is nobody's; and a monitor that is due, by its rank, before one
 *     that is not.
 */
import type { TodoRecord } from "../events.ts";
import { holderOf, isLive, leaseOf } from "../goal/fence.ts";
import type { GoalHead } from "../goal/head.ts";
import { compareReady, UNRANKED } from "../goal/ready-order.ts";
import { dueAtOf, kindOf, ownerOf, wakeOf } from "../goal/todo-traits.ts";
import type { AgentId, TodoId } from "../id.ts";
import type { Instant } from "../instant.ts";
import { compareText } from "../show/rank.ts";

export interface FrontierQuery {
  /** Null: nobody in particular; then what anybody claimed is among `work`. */
  readonly agent: AgentId | null;
  readonly now: Instant;
  /** Of each list. */
  readonly limit: number;
  /** No list but this one. */
  readonly only?: "gates";
}

export interface Frontier {
  /** Open work of the agent or of nobody that waits for nothing. */
  readonly work: readonly TodoRecord[];
  /** Open work of the agent or of nobody that waits for a todo, a gate or a time. */
  readonly waiting: readonly TodoRecord[];
  /** Open work of others. */
  readonly held: readonly TodoRecord[];
  /** Open monitors of the agent or of nobody: those that are due and wait for nothing, then the others by their time; one without is due. */
  readonly monitors: readonly TodoRecord[];
  readonly gates: readonly TodoRecord[];
  readonly actions: readonly TodoRecord[];
  /** Deferred todos with a condition, of the agent or of nobody, that wait for nothing any more. */
  readonly woken: readonly TodoRecord[];
  /** Blocked todos of the agent or of nobody. */
  readonly blocked: readonly TodoRecord[];
  /** Closed work without a word of what comes next. */
  readonly gaps: readonly TodoRecord[];
  /** The earliest time after `now` that a todo waits for. */
  readonly next_due_at: Instant | null;
}

type Asking = Pick<FrontierQuery, "agent" | "now">;

/** What a store keeps beside the record to find it by. */
export interface TodoColumns {
  readonly kind: string;
  /** Waits for a todo or a gate, or for a condition that only `poll` can find met. */
  readonly waits: boolean;
  readonly due_at: Instant | null;
  /** Has a condition that brings it back when it is deferred. */
  readonly wakes: boolean;
  readonly gap: boolean;
  readonly owner: AgentId | null;
}

export function columnsOf(todo: TodoRecord): TodoColumns {
  const wake = wakeOf(todo);
  return {
    kind: kindOf(todo),
    waits: (todo.waits_for ?? []).length > 0 || (wake?.kind === "polled" && todo.wake_met !== true),
    due_at: dueAtOf(todo),
    wakes: wake !== null,
    gap: todo.gap === true,
    owner: ownerOf(todo),
  };
}

type Row = TodoColumns & { readonly todo: TodoRecord };

/** The part of a head that todos are found by. */
export type Holding = Pick<GoalHead, "leases"> | null;

export function frontierOf(todos: Iterable<TodoRecord>, query: FrontierQuery, head: Holding): Frontier {
  const rows = rowsOf(
    [...todos].filter((todo) => !todo.archived || todo.gap === true),
    query,
    head,
  );
  const standing = rows.filter(({ todo }) => !todo.archived);
  const open = standing.filter(({ todo }) => todo.status === "open");
  const { agent, now, limit } = query;
  const forPerson = (of: string): readonly TodoRecord[] =>
    open
      .filter(({ kind }) => kind === of)
      .map(({ todo }) => todo)
      .sort(compareReady);
  const gates = forPerson("gate"); // (F1)
  if (query.only === "gates") return { ...EMPTY_FRONTIER, gates };
  const take = (found: readonly Row[]): readonly TodoRecord[] => found.slice(0, limit).map(({ todo }) => todo);
  const own = (row: Row): boolean => agent === null || row.owner === null || row.owner === agent;
  const held = (row: Row): boolean => row.waits || isLater(row, now);
  const work = open.filter(({ kind }) => kind === "work");
  const mine = work.filter(own);
  const monitors = open.filter((row) => row.kind === "monitor" && own(row));
  return {
    work: take(mine.filter((row) => !held(row))),
    waiting: take(mine.filter(held)),
    held: take(work.filter((row) => !own(row))),
    monitors: take([...monitors.filter((row) => !held(row)), ...monitors.filter(held).sort(compareTimes)]),
    gates,
    actions: forPerson("action").slice(0, limit),
    woken: take(standing.filter((row) => row.todo.status === "deferred" && row.wakes && own(row) && !held(row))),
    blocked: take(standing.filter((row) => row.todo.status === "blocked" && own(row))),
    gaps: take(rows.filter(({ gap }) => gap).sort((a, b) => compareText(a.todo.todo_id, b.todo.todo_id))),
    next_due_at: nextDueAt(standing, query),
  };
}

/** (F3) */
function ownerNow(todo: TodoRecord, head: Holding, now: Instant): AgentId | null {
  return holderOf(todo, head === null ? null : leaseOf(head, todo.todo_id), now);
}

/** Todos whose lease ran out: no row tells that. */
export function endedLeases(head: Holding, now: Instant): readonly TodoId[] {
  return Object.values(head?.leases ?? {}).flatMap((lease) => (isLive(lease, now) ? [] : [lease.todo_id]));
}

/** For a store that finds rows by their claim: `ended` are the todos of `endedLeases`, its lists longer by as many. */
export function withEnded(
  frontier: Frontier,
  ended: readonly TodoRecord[],
  { query, head }: { readonly query: FrontierQuery; readonly head: Holding },
): Frontier {
  const all = new Map([...todosOf(frontier), ...ended.map((todo) => [todo.todo_id, todo] as const)]);
  const whole = frontierOf(all.values(), query, head);
  const times = [frontier.next_due_at, whole.next_due_at].filter((time) => time !== null);
  return { ...whole, next_due_at: times.sort()[0] ?? null };
}

function isLater({ due_at }: Row, now: Instant): boolean {
  return due_at !== null && due_at > now;
}

/** In the order in which they are taken up (F4). */
function rowsOf(todos: readonly TodoRecord[], { agent, now }: Asking, head: Holding): readonly Row[] {
  const rows = todos.map((todo): Row => ({ todo, ...columnsOf(todo), owner: ownerNow(todo, head, now) }));
  const rank = ({ todo }: Row): number => todo.priority ?? UNRANKED;
  const place = ({ owner }: Row): number => (agent !== null && owner === agent ? 0 : 1);
  return rows.sort((a, b) => rank(a) - rank(b) || place(a) - place(b) || compareReady(a.todo, b.todo));
}

/** (F4) */
export function takenUp(todos: readonly TodoRecord[], asking: Asking, head: Holding): readonly TodoRecord[] {
  return rowsOf(todos, asking, head).map(({ todo }) => todo);
}

/** Of equal times as they are taken up. */
function compareTimes(a: Row, b: Row): number {
  return compareText(a.due_at ?? "", b.due_at ?? "");
}

function nextDueAt(rows: readonly Row[], { agent, now }: FrontierQuery): Instant | null {
  const times = rows
    .filter(
      ({ todo, owner }) =>
        (todo.status === "open" || todo.status === "deferred") && (agent === null || owner === null || owner === agent),
    )
    .flatMap(({ due_at }) => (due_at !== null && due_at > now ? [due_at] : []));
  return times.sort()[0] ?? null;
}

export const EMPTY_FRONTIER: Frontier = {
  work: [],
  waiting: [],
  held: [],
  monitors: [],
  gates: [],
  actions: [],
  woken: [],
  blocked: [],
  gaps: [],
  next_due_at: null,
};

/** Every todo of the frontier, by id. */
export function todosOf(frontier: Frontier): ReadonlyMap<TodoId, TodoRecord> {
  const { next_due_at: _time, ...lists } = frontier;
  return new Map(Object.values(lists).flatMap((list) => list.map((todo) => [todo.todo_id, todo] as const)));
}
