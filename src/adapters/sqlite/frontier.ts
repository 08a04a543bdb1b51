/** The frontier of a decision (`core/next/frontier.ts`), each list by an index. */
import type { TodoRecord } from "../../core/events.ts";
import type { GoalId, TodoId } from "../../core/id.ts";
import type { Instant } from "../../core/instant.ts";
import {
  EMPTY_FRONTIER,
  endedLeases,
  type Frontier,
  type FrontierQuery,
  type Holding,
  withEnded,
} from "../../core/next/frontier.ts";
import { compareText } from "../../core/show/rank.ts";
import type { Row } from "./engine.ts";
import { numberOf, textOf, todoOf } from "./rows.ts";
import type { Sql } from "./sql.ts";

type Value = string | number | null;

const OPEN = "goal_id = ? and status = 'open' and archived = 0 and kind = ?";
const READY_ORDER = "priority_rank, idx, todo_id";
const OWNED = "indexed by todos_owned";

export function loadFrontier(
  sql: Sql,
  goalId: GoalId,
  { query, head }: { readonly query: FrontierQuery; readonly head: Holding },
): Frontier {
  if (query.only === "gates") return { ...EMPTY_FRONTIER, gates: openGates(sql, goalId) };
  const ended = endedLeases(head, query.now);
  const found = listsOf(sql, goalId, { query: { ...query, limit: query.limit + ended.length }, ended });
  return ended.length === 0 ? found : withEnded(found, todosNamed(sql, goalId, ended), { query, head });
}

/** F1 of `core/next/frontier.ts`: all of them. */
function openGates(sql: Sql, goalId: GoalId): readonly TodoRecord[] {
  return sql.rows(`select data from todos where ${OPEN} order by ${READY_ORDER}`, goalId, "gate").map(todoOf);
}

function todosNamed(sql: Sql, goalId: GoalId, ids: readonly TodoId[]): readonly TodoRecord[] {
  return sql
    .rows("select data from todos where goal_id = ? and todo_id in (select value from json_each(?))", goalId, JSON.stringify(ids))
    .map(todoOf);
}

interface Asked {
  readonly query: FrontierQuery;
  readonly ended: readonly TodoId[];
}

function listsOf(sql: Sql, goalId: GoalId, { query, ended }: Asked): Frontier {
  const { agent, now, limit } = query;
  const pick = (where: string, ...values: readonly Value[]): readonly TodoRecord[] =>
    sql.rows(`select data from todos where ${where} limit ?`, ...values).map(todoOf);
  const own = (parts: readonly Part[], first: Own["first"] = "ready"): readonly TodoRecord[] =>
    pickOwn(sql, parts, { agent, first, limit });
  const part = (kind: string, waits: string, ...values: readonly Value[]): Part => ({
    where: `${OPEN} and waits ${waits}`,
    values: [goalId, kind, ...values],
    owned: OWNED,
  });
  const ready = (kind: string): readonly Part[] => [part(kind, "= 0"), part(kind, "= 2 and due_at <= ?", now)];
  const waiting = (kind: string): readonly Part[] => [part(kind, "= 1"), part(kind, "= 2 and due_at > ?", now)];
  return {
    work: own(ready("work")),
    waiting: own(waiting("work")),
    held:
      agent === null
        ? []
        : sql
            .rows(
              `select data from todos ${OWNED} where ${OPEN} and owner <> ? order by ${READY_ORDER} limit ?`,
              goalId,
              "work",
              agent,
              limit,
            )
            .map(todoOf),
    monitors: [...own(ready("monitor")), ...own(waiting("monitor"), "by_time")].slice(0, limit),
    gates: openGates(sql, goalId),
    actions: pick(`${OPEN} order by ${READY_ORDER}`, goalId, "action", limit),
    woken: own([{ where: WOKEN, values: [goalId, now] }]),
    blocked: own([{ where: "goal_id = ? and status = 'blocked' and archived = 0", values: [goalId] }]),
    gaps: pick("goal_id = ? and gap = 1 order by todo_id", goalId, limit),
    next_due_at: nextDueAt(sql, goalId, { query, ended }),
  };
}

const WOKEN =
  "goal_id = ? and status = 'deferred' and archived = 0 and waits <> 1 and wakes = 1 and (due_at is null or due_at <= ?)";

interface Part {
  readonly where: string;
  readonly values: readonly Value[];
  /** The index by which an agent's own are found: the engine might go through all that is nobody's. */
  readonly owned?: string;
}

interface Own {
  readonly agent: string | null;
  /** By time alone, before anything else, or in ready order. */
  readonly first: "ready" | "by_time";
  readonly limit: number;
}

/** Each part of each owner is read in order from an index, as far as the limit: one look-up for all would sort all. */
function pickOwn(sql: Sql, parts: readonly Part[], { agent, first, limit }: Own): readonly TodoRecord[] {
  const order = first === "by_time" ? `coalesce(due_at, ''), ${READY_ORDER}` : READY_ORDER;
  const read = ({ where, values, owned = "" }: Part, { owner, place }: Owners): readonly Found[] =>
    sql
      .rows(
        `select data, todo_id, priority_rank, idx, due_at from todos ${place === OWN ? owned : ""} where ${where} ${owner}
         order by ${order} limit ?`,
        ...values,
        ...(place === OWN ? [agent] : []),
        limit,
      )
      .map((row) => foundIn(row, place, first));
  const lists = ownersFor(agent).flatMap((owners) => parts.map((part) => read(part, owners)).filter((list) => list.length > 0));
  const found = lists.length > 1 ? lists.flat().sort(takenUpFirst) : lists.flat();
  return found.slice(0, limit).map(({ row }) => todoOf(row));
}

interface Owners {
  readonly owner: string;
  readonly place: number;
}

/** F4 of `core/next/frontier.ts`: what is the agent's own comes before what is nobody's. */
const [OWN, NOBODYS] = [0, 1];

function ownersFor(agent: string | null): readonly Owners[] {
  if (agent === null) return [{ owner: "", place: NOBODYS }];
  return [
    { owner: "and owner = ?", place: OWN },
    { owner: "and owner is null", place: NOBODYS },
  ];
}

interface Found {
  readonly row: Row;
  /** What it is sorted by, one after the other. */
  readonly order: readonly (string | number)[];
}

function foundIn(row: Row, place: number, first: Own["first"]): Found {
  const time = first === "by_time" ? String(row["due_at"] ?? "") : "";
  return { row, order: [time, numberOf(row, "priority_rank"), place, numberOf(row, "idx"), textOf(row, "todo_id")] };
}

function takenUpFirst(a: Found, b: Found): number {
  for (const [at, value] of a.order.entries()) {
    const other = b.order[at] ?? "";
    const order = typeof value === "number" ? value - Number(other) : compareText(value, String(other));
    if (order !== 0) return order;
  }
  return 0;
}

function nextDueAt(sql: Sql, goalId: GoalId, { query, ended }: Asked): Instant | null {
  const { agent, now } = query;
  const row = sql.row(
    `select due_at from todos where goal_id = ? and due_at > ? and status in ('open', 'deferred') and archived = 0
       ${agent === null ? "" : "and (owner is null or owner = ?)"} and todo_id not in (select value from json_each(?))
     order by due_at limit 1`,
    goalId,
    now,
    ...(agent === null ? [] : [agent]),
    JSON.stringify(ended),
  );
  return row === undefined ? null : (row["due_at"] as Instant);
}
