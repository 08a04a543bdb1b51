/**
 * What a goal spent, in the order of time, each row with the sum up to it: a window is two look-ups.
 *
 * Does not own: whether it may be spent (`core/quota`).
 *
 * W1  Derived from `turn.spent` and `turn.voided` alone, so that a rebuild gives the same rows.
 */
import type { GoalEvent, Units } from "../../core/events.ts";
import type { GoalId } from "../../core/id.ts";
import type { Instant } from "../../core/instant.ts";
import type { SpendQuery, SpendWindow } from "../../ports/store.ts";
import type { Row } from "./engine.ts";
import { numberOf } from "./rows.ts";
import type { Sql } from "./sql.ts";

/** (W1) */
export function applySpend(sql: Sql, event: GoalEvent): void {
  if (event.type === "turn.spent") addSpend(sql, event, event.data.units);
  if (event.type === "turn.voided") voidSpend(sql, event.goal_id, event.data.spent_seq);
}

export function forgetSpend(sql: Sql, goalId: GoalId): void {
  sql.run("delete from spend where goal_id = ?", goalId);
}

function addSpend(sql: Sql, { goal_id, at, seq }: GoalEvent, units: Units): void {
  const before = totalsUpTo(sql, goal_id, at);
  sql.run(
    "insert into spend values (?, ?, ?, ?, ?, ?, ?, ?, ?)",
    goal_id,
    at,
    seq,
    units.slots,
    units.tokens,
    units.wall_ms,
    before.slots + units.slots,
    before.tokens + units.tokens,
    before.wall_ms + units.wall_ms,
  );
  // Only where the clock was set back.
  shift(sql, { goal_id, at, seq }, units, 1);
}

function voidSpend(sql: Sql, goal_id: GoalId, seq: number): void {
  const row = sql.row("select at, slots, tokens, wall_ms from spend where goal_id = ? and seq = ?", goal_id, seq);
  if (row === undefined) return;
  const place = { goal_id, at: row["at"] as Instant, seq };
  shift(sql, place, unitsOf(row, ""), -1);
  sql.run("delete from spend where goal_id = ? and at = ? and seq = ?", goal_id, place.at, seq);
}

type Place = Pick<GoalEvent, "goal_id" | "at" | "seq">;

function shift(sql: Sql, { goal_id, at, seq }: Place, units: Units, sign: 1 | -1): void {
  sql.run(
    `update spend set total_slots = total_slots + ?, total_tokens = total_tokens + ?, total_wall_ms = total_wall_ms + ?
     where goal_id = ? and (at, seq) > (?, ?)`,
    sign * units.slots,
    sign * units.tokens,
    sign * units.wall_ms,
    goal_id,
    at,
    seq,
  );
}

export function loadSpend(sql: Sql, goalId: GoalId, { since, entries }: SpendQuery): SpendWindow {
  const all = totalsUpTo(sql, goalId, null);
  const before = totalsUpTo(sql, goalId, since);
  const rows =
    entries === 0
      ? []
      : sql.rows("select * from spend where goal_id = ? and at > ? order by at, seq limit ?", goalId, since, entries);
  return {
    since,
    units: {
      slots: all.slots - before.slots,
      tokens: all.tokens - before.tokens,
      wall_ms: all.wall_ms - before.wall_ms,
    },
    entries: rows.map((row) => ({ seq: numberOf(row, "seq"), at: row["at"] as Instant, units: unitsOf(row, "") })),
  };
}

function totalsUpTo(sql: Sql, goalId: GoalId, at: Instant | null): Units {
  const row = sql.row(
    `select total_slots, total_tokens, total_wall_ms from spend where goal_id = ? and at <= ? order by at desc, seq desc limit 1`,
    goalId,
    at ?? "9999-12-31T23:59:59.999Z",
  );
  return row === undefined ? { slots: 0, tokens: 0, wall_ms: 0 } : unitsOf(row, "total_");
}

function unitsOf(row: Row, prefix: "" | "total_"): Units {
  return {
    slots: numberOf(row, `${prefix}slots`),
    tokens: numberOf(row, `${prefix}tokens`),
    wall_ms: numberOf(row, `${prefix}wall_ms`),
  };
}
