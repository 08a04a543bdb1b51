/** Facts and what follows from them. */
import type { GoalEvent, TodoRecord } from "../../core/events.ts";
import { todoPageOf } from "../../core/goal/todo-page.ts";
import type { GoalId } from "../../core/id.ts";
import { addMilliseconds } from "../../core/instant.ts";
import { frontierOf } from "../../core/next/frontier.ts";
import { compareText } from "../../core/show/rank.ts";
import {
  type EventQuery,
  type GoalChange,
  type Journal,
  type Keeping,
  type LoadedGoal,
  type LoadRequest,
  type PlanBase,
  RECEIPT_DAYS,
  type Receipt,
  type Verdict,
} from "../../ports/store.ts";
import { chosenTodos } from "./choose-todos.ts";
import { assertContinues } from "./continuity.ts";
import { positionOf } from "./cursor.ts";
import { assertTexts, cellOf, type GoalCell, kept, type MemoryDatabase } from "./database.ts";
import { goalsWith } from "./goals-with.ts";
import { sortedBy } from "./order.ts";
import type { Prepared, Session } from "./session.ts";
import { spendAfter, spendWindow } from "./spend.ts";

const NO_PRIORITY = 9;

export function journalIn(session: Session): Journal {
  return {
    transact: (requests, decide, keeping = "facts") => {
      if (new Set(requests.map(({ goal_id }) => goal_id)).size < requests.length) {
        return Promise.reject(new Error("one goal was requested twice in a transaction"));
      }
      return session.write((database) => prepare(database, { requests, decide, keeping }));
    },
    load: (request) => session.read((database) => load(database, request)),
    saveSighting: (goalId, sighting) =>
      session.writeCache((database) => {
        const cell = database.goals.get(goalId);
        if (cell?.base == null) return false;
        cell.base = kept({ ...cell.base, sighting });
        return true;
      }),
    readyTodos: (goalId, { role, limit }) =>
      session.read((database) => openTodos(database, goalId, (todo) => todo.role === role).slice(0, limit)),
    todoPage: (goalId, query) => session.read(({ goals }) => todoPageOf(goals.get(goalId)?.todos.values() ?? [], query)),
    claimedTodos: (goalId, { except, limit }) =>
      session.read((database) => openTodos(database, goalId, (todo) => isClaimedByOther(todo, except)).slice(0, limit)),
    goalsWith: (registry, trace) => session.read((database) => goalsWith(database, registry, trace)),
    heads: ({ after, limit }) =>
      session.read(({ goals }) =>
        sortedBy(
          [...goals.values()].flatMap(({ head }) => head ?? []),
          ({ goal_id }) => [goal_id],
        )
          .filter(({ goal_id }) => after === null || compareText(goal_id, after) > 0)
          .slice(0, limit),
      ),
    events: (query) => session.read((database) => selectEvents(database, query)),
    // It keeps no states of before: its journals are short.
    standingBefore: async () => null,
    feed: async (after, limit) => {
      const position = positionOf(after);
      return await session.read(({ feed }) => feed.slice(position, position + limit));
    },
    lastPosition: () => session.read(({ feed }) => feed.at(-1)?.pos ?? null),
  };
}

function load(database: MemoryDatabase, request: LoadRequest): LoadedGoal {
  const cell = database.goals.get(request.goal_id);
  const { receipt } = request;
  return {
    goal_id: request.goal_id,
    head: cell?.head ?? null,
    todos: chosenTodos(cell, request),
    base: chosenBase(cell, request.base),
    receipt: receipt === undefined ? null : (cell?.receipts.get(receipt) ?? null),
    frontier:
      request.frontier === undefined ? null : frontierOf(cell?.todos.values() ?? [], request.frontier, cell?.head ?? null),
    spend: request.spend === undefined ? null : spendWindow(cell?.spend ?? [], request.spend),
  };
}

function chosenBase(cell: GoalCell | undefined, wanted: LoadRequest["base"]): PlanBase | null {
  const base = cell?.base ?? null;
  if (wanted === "none" || base === null) return null;
  return wanted === "text" ? base : { ...base, text: "", ids: [] };
}

/** In ready order: priority, place, id. */
function openTodos(database: MemoryDatabase, goalId: GoalId, fits: (todo: TodoRecord) => boolean): readonly TodoRecord[] {
  const todos = [...(database.goals.get(goalId)?.todos.values() ?? [])];
  const open = todos.filter((todo) => todo.status === "open" && !todo.archived && fits(todo));
  return sortedBy(open, ({ priority, index, todo_id }) => [priority ?? NO_PRIORITY, index, todo_id]);
}

function isClaimedByOther(todo: TodoRecord, except: readonly string[]): boolean {
  const holder = todo.metadata["claimed_by"];
  return holder !== undefined && holder !== "" && !except.includes(holder);
}

/** S1, S2 of the port: judged as a whole before any of it is stored. */
interface Transaction<T> {
  readonly requests: readonly LoadRequest[];
  readonly decide: (loaded: readonly LoadedGoal[]) => Verdict<T>;
  readonly keeping: Keeping;
}

function prepare<T>(
  database: MemoryDatabase,
  { requests, decide, keeping }: Transaction<T>,
): Prepared<{ readonly answer: T; readonly pos: string | null }> {
  const loaded = requests.map((request) => load(database, request));
  const verdict = decide(loaded);
  if (verdict instanceof Promise) throw new Error("decide must not be asynchronous");
  assertContinues(verdict.changes, loaded, keeping);
  const changes = verdict.changes.map((change) => copied(database, change));
  const count = changes.reduce((sum, { events }) => sum + events.length, 0);
  const pos = count === 0 ? null : String(database.feed.length + count);
  const commit = (): void => {
    for (const change of changes) apply(database, change);
  };
  return { answer: { answer: verdict.answer, pos }, commit: changes.length === 0 ? null : commit };
}

function copied(database: MemoryDatabase, change: GoalChange): GoalChange {
  const { base, receipt } = change;
  const known = receipt !== undefined && database.goals.get(change.goal_id)?.receipts.has(receipt.key) === true;
  if (known) throw new Error(`goal ${change.goal_id} has a receipt of that key already`);
  assertTexts(change.goal_id, base?.text ?? "", base?.fingerprint ?? "", receipt?.key ?? "", receipt?.fingerprint ?? "");
  return kept(change);
}

function apply(database: MemoryDatabase, change: GoalChange): void {
  const cell = cellOf(database, change.goal_id);
  if (cell.head !== null && cell.head.generation !== change.head.generation) forgetGeneration(cell);
  for (const event of change.events) {
    append(database, cell, event);
    cell.spend = spendAfter(cell.spend, event);
  }
  if (change.events.length > 0) cell.head = change.head;
  for (const id of change.todos_removed) cell.todos.delete(id);
  for (const todo of change.todos_put) cell.todos.set(todo.todo_id, todo);
  if (change.base !== undefined) cell.base = change.base;
  if (change.receipt !== undefined) keepReceipt(database, cell, change.receipt);
}

/** Todos and base are of the newest generation alone. */
function forgetGeneration(cell: GoalCell): void {
  cell.todos = new Map();
  cell.base = null;
  cell.spend = [];
}

function append(database: MemoryDatabase, cell: GoalCell, event: GoalEvent): void {
  const journal = cell.journals.get(event.generation) ?? [];
  journal.push(event);
  cell.journals.set(event.generation, journal);
  database.feed.push(Object.freeze({ pos: String(database.feed.length + 1), event }));
}

/** Pruned receipts keep their key, so that a late replay is refused. */
function keepReceipt(database: MemoryDatabase, cell: GoalCell, receipt: Receipt): void {
  cell.receipts.set(receipt.key, receipt);
  const oldest = addMilliseconds(receipt.at, -RECEIPT_DAYS * 86_400_000);
  for (const { receipts } of database.goals.values()) {
    for (const known of receipts.values()) {
      if (known.at < oldest && known.fingerprint !== "") receipts.set(known.key, kept({ ...known, fingerprint: "" }));
    }
  }
}

function selectEvents(database: MemoryDatabase, query: EventQuery): readonly GoalEvent[] {
  const cell = database.goals.get(query.goal_id);
  const generation = query.generation ?? newestGeneration(cell);
  const journal = cell?.journals.get(generation) ?? [];
  const newestFirst = query.order === "newest_first";
  const bound = query.beyond_seq ?? (newestFirst ? Number.POSITIVE_INFINITY : 0);
  const beyond = journal.filter(({ seq }) => (newestFirst ? seq < bound : seq > bound));
  const chosen = query.type === undefined ? beyond : beyond.filter(({ type }) => type === query.type);
  return (newestFirst ? chosen.toReversed() : chosen).slice(0, query.limit);
}

/** 0 when the goal has no events. */
export function newestGeneration(cell: GoalCell | undefined): number {
  return Math.max(0, ...(cell?.journals.keys() ?? []));
}
