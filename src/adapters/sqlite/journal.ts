/** Facts and what follows from them. */
import type { GoalEvent } from "../../core/events.ts";
import type { EventQuery, Journal } from "../../ports/store.ts";
import type { Connection } from "./connection.ts";
import { decodePosition } from "./cursor.ts";
import { selectGoalsWith } from "./goals-with.ts";
import { loadGoal, selectClaimed, selectPage, selectReady } from "./load.ts";
import { eventOf, headOf, numberOf } from "./rows.ts";
import type { Sql } from "./sql.ts";

export function journalOn(connection: Connection): Journal {
  return {
    async transact(requests, decide, keeping = "facts") {
      if (new Set(requests.map((request) => request.goal_id)).size < requests.length) {
        throw new Error("one goal was requested twice in a transaction");
      }
      const { decideAndStore } = await import("./decide-and-store.ts");
      const work = (sql: Sql) => decideAndStore(sql, { requests, decide, keeping, connection });
      if (connection.access === "read_only") return await connection.read(work);
      return await connection.write(work, keeping === "facts" ? "full" : "normal");
    },
    async load(request) {
      const decisions = request.frontier === undefined ? null : await import("./frontier.ts");
      return await connection.read((sql) => loadGoal(sql, request, decisions));
    },
    saveSighting: (goalId, sighting) =>
      connection.writeCache((sql) => {
        const text = sighting === null ? null : JSON.stringify(sighting);
        return sql.run("update bases set sighting = ? where goal_id = ?", text, goalId).changes > 0;
      }),
    readyTodos: (goalId, query) => connection.read((sql) => selectReady(sql, goalId, query)),
    todoPage: (goalId, query) => connection.read((sql) => selectPage(sql, goalId, query)),
    claimedTodos: (goalId, query) => connection.read((sql) => selectClaimed(sql, goalId, query)),
    goalsWith: (registry, trace) => connection.read((sql) => selectGoalsWith(sql, registry, trace)),
    heads: ({ after, limit }) =>
      connection.read((sql) =>
        sql.rows("select head from goals where goal_id > ? order by goal_id limit ?", after ?? "", limit).map(headOf),
      ),
    events: (query) => connection.read((sql) => selectEvents(sql, query)),
    standingBefore: async (goalId, seq) => {
      const past = await import("./past.ts");
      return await connection.read((sql) => past.standingBefore(sql, goalId, seq));
    },
    async feed(after, limit) {
      const position = decodePosition(after);
      return await connection.read((sql) =>
        sql
          .rows("select * from events where pos > ? order by pos limit ?", position, limit)
          .map((row) => ({ pos: String(numberOf(row, "pos")), event: eventOf(row) })),
      );
    },
    lastPosition: () =>
      connection.read((sql) => {
        const row = sql.row("select pos from events order by pos desc limit 1");
        return row === undefined ? null : String(numberOf(row, "pos"));
      }),
  };
}

function selectEvents(sql: Sql, query: EventQuery): readonly GoalEvent[] {
  const generation = query.generation ?? newestGeneration(sql, query.goal_id);
  const newestFirst = query.order === "newest_first";
  const type = query.type === undefined ? "" : "and type = ?";
  const beyond = query.beyond_seq ?? (newestFirst ? Number.MAX_SAFE_INTEGER : 0);
  return sql
    .rows(
      `select * from events where goal_id = ? and generation = ? ${type} and seq ${newestFirst ? "<" : ">"} ?
       order by seq ${newestFirst ? "desc" : "asc"} limit ?`,
      query.goal_id,
      generation,
      ...(query.type === undefined ? [] : [query.type]),
      beyond,
      query.limit,
    )
    .map(eventOf);
}

/** 0 when the goal has no events. */
export function newestGeneration(sql: Sql, goalId: string): number {
  const row = sql.row("select max(generation) as generation from events where goal_id = ?", goalId);
  return row === undefined ? 0 : (numberOf(row, "generation") ?? 0);
}
