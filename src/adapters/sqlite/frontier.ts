/** The frontier of a decision (`core/next/frontier.ts`), each list by an index. */
import type { TodoRecord } from "../../core/events.ts";
import type { GoalId } from "../../core/id.ts";
import type { Instant } from "../../core/instant.ts";
import type { Frontier, FrontierQuery } from "../../core/next/frontier.ts";
import { todoOf } from "./rows.ts";
import type { Sql } from "./sql.ts";

type Value = string | number | null;

const OPEN = "goal_id = ? and status = 'open' and archived = 0 and kind = ?";
const READY_ORDER = "priority_rank, idx, todo_id";

export function loadFrontier(sql: Sql, goalId: GoalId, query: FrontierQuery): Frontier {
  const { agent, now, limit } = query;
  const pick = (where: string, ...values: readonly Value[]): readonly TodoRecord[] =>
    sql.rows(`select data from todos where ${where} limit ?`, ...values, limit).map(todoOf);
  /** One look-up for those of nobody and one for the agent's own: a list of all owners would be searched. */
  const own = (where: string, order: string, ...values: readonly Value[]): readonly TodoRecord[] => {
    if (agent === null) return pick(`${where} order by ${order}`, ...values);
    const [nobodys, mine] = ["claimed_by is null", "claimed_by = ?"].map(
      (owner) =>
        `select * from (select data, ${READY_ORDER}, due_at from todos where ${where} and ${owner} order by ${order} limit ?)`,
    );
    return sql
      .rows(
        `select data from (${nobodys ?? ""} union all ${mine ?? ""}) order by ${order} limit ?`,
        ...[...values, limit],
        ...[...values, agent, limit],
        limit,
      )
      .map(todoOf);
  };
  return {
    work: own(`${OPEN} and waits = 0 and (due_at is null or due_at <= ?)`, READY_ORDER, goalId, "work", now),
    waiting: own(`${OPEN} and (waits = 1 or due_at > ?)`, READY_ORDER, goalId, "work", now),
    held:
      agent === null
        ? []
        : pick(`${OPEN} and claimed_by is not null and claimed_by <> ? order by ${READY_ORDER}`, goalId, "work", agent),
    monitors: own(OPEN, `coalesce(due_at, ''), ${READY_ORDER}`, goalId, "monitor"),
    gates: pick(`${OPEN} order by ${READY_ORDER}`, goalId, "gate"),
    actions: pick(`${OPEN} order by ${READY_ORDER}`, goalId, "action"),
    woken: own(
      "goal_id = ? and status = 'deferred' and archived = 0 and waits = 0 and wakes = 1 and (due_at is null or due_at <= ?)",
      READY_ORDER,
      goalId,
      now,
    ),
    blocked: own("goal_id = ? and status = 'blocked' and archived = 0", READY_ORDER, goalId),
    gaps: pick("goal_id = ? and gap = 1 order by todo_id", goalId),
    next_due_at: nextDueAt(sql, goalId, query),
  };
}

function nextDueAt(sql: Sql, goalId: GoalId, { agent, now }: FrontierQuery): Instant | null {
  const owner = agent === null ? "" : "and (claimed_by is null or claimed_by = ?)";
  const row = sql.row(
    `select due_at from todos where goal_id = ? and due_at > ? and status in ('open', 'deferred') and archived = 0 ${owner}
     order by due_at limit 1`,
    goalId,
    now,
    ...(agent === null ? [] : [agent]),
  );
  return row === undefined ? null : (row["due_at"] as Instant);
}
