/** The frontier of a decision (`core/next/frontier.ts`), each list by an index. */
import type { TodoRecord } from "../../core/events.ts";
import type { GoalId, TodoId } from "../../core/id.ts";
import type { Instant } from "../../core/instant.ts";
import { endedLeases, type Frontier, type FrontierQuery, type Holding, withEnded } from "../../core/next/frontier.ts";
import { todoOf } from "./rows.ts";
import type { Sql } from "./sql.ts";

type Value = string | number | null;

const OPEN = "goal_id = ? and status = 'open' and archived = 0 and kind = ?";
const READY_ORDER = "priority_rank, idx, todo_id";
/** F4 of `core/next/frontier.ts`: `place` is before the agent's own, behind nobody's. */
const TAKEN_UP = "priority_rank, place, idx, todo_id";
const NO_LIMIT = -1;

export function loadFrontier(
  sql: Sql,
  goalId: GoalId,
  { query, head }: { readonly query: FrontierQuery; readonly head: Holding },
): Frontier {
  const ended = endedLeases(head, query.now);
  const found = listsOf(sql, goalId, { query: { ...query, limit: query.limit + ended.length }, ended });
  return ended.length === 0 ? found : withEnded(found, todosNamed(sql, goalId, ended), { query, head });
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
  const own = (parts: readonly Part[], first = ""): readonly TodoRecord[] => pickOwn(sql, parts, { agent, first, limit });
  const part = (kind: string, waits: string, ...values: readonly Value[]): Part => ({
    where: `${OPEN} and waits ${waits}`,
    values: [goalId, kind, ...values],
  });
  const ready = (kind: string): readonly Part[] => [part(kind, "= 0"), part(kind, "= 2 and due_at <= ?", now)];
  const waiting = (kind: string): readonly Part[] => [part(kind, "= 1"), part(kind, "= 2 and due_at > ?", now)];
  return {
    work: own(ready("work")),
    waiting: own(waiting("work")),
    held:
      agent === null
        ? []
        : pick(`${OPEN} and owner is not null and owner <> ? order by ${READY_ORDER}`, goalId, "work", agent, limit),
    monitors: [...own(ready("monitor")), ...own(waiting("monitor"), "coalesce(due_at, ''),")].slice(0, limit),
    gates: pick(`${OPEN} order by ${READY_ORDER}`, goalId, "gate", NO_LIMIT),
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
}

interface Own {
  readonly agent: string | null;
  /** Order by this before anything else. */
  readonly first: string;
  readonly limit: number;
}

/** Each part of each owner is read in order from an index, as far as the limit; one look-up for all would sort all. */
function pickOwn(sql: Sql, parts: readonly Part[], { agent, first, limit }: Own): readonly TodoRecord[] {
  const owners = agent === null ? [""] : ["and owner is null", "and owner = ?"];
  const lists = owners.flatMap((owner) =>
    parts.map(({ where }) => {
      const columns = `select data, ${READY_ORDER}, due_at, ${owner.endsWith("?") ? 0 : 1} as place from todos`;
      return `select * from (${columns} where ${where} ${owner} order by ${first} ${READY_ORDER} limit ?)`;
    }),
  );
  const values = owners.flatMap((owner) =>
    parts.flatMap((part) => [...part.values, ...(owner.endsWith("?") ? [agent] : []), limit]),
  );
  return sql
    .rows(`select data from (${lists.join(" union all ")}) order by ${first} ${TAKEN_UP} limit ?`, ...values, limit)
    .map(todoOf);
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
