/**
 * Stores a change that was found to continue its journal.
 *
 * Does not own: whether it does (`continuity.ts`), the transaction round it (`connection.ts`).
 */
import type { GoalEvent } from "../../core/events.ts";
import type { GoalHead } from "../../core/goal/head.ts";
import type { GoalId, TodoId } from "../../core/id.ts";
import { addMilliseconds } from "../../core/instant.ts";
import { type GoalChange, type PlanBase, RECEIPT_DAYS, type Receipt, SNAPSHOT_EVERY } from "../../ports/store.ts";
import { forgetPast, keepTodos, newestSnapshot, putSnapshot } from "./past.ts";
import { putTodo } from "./put-todo.ts";
import { applySpend, forgetSpend } from "./spend.ts";
import type { Sql } from "./sql.ts";

/** At each new receipt; more than come in, so that a backlog shrinks. */
const PRUNED_AT_ONCE = 8;

/** Answers the position of the last event, null when there was none. `before` is the head that the change continues. */
export function applyChange(sql: Sql, change: GoalChange, before: GoalHead | null): number | null {
  if (before !== null && before.generation !== change.head.generation) forgetGeneration(sql, change.goal_id);
  let position: number | null = null;
  for (const event of change.events) {
    position = appendEvent(sql, event);
    applySpend(sql, event);
  }
  if (position !== null) putHead(sql, change.head, before);
  const from = before?.generation === change.head.generation ? before.seq : 0;
  keepTodos(sql, { ...change.head, seq: from === 0 ? 0 : newestSnapshot(sql, change.head) }, idsIn(change));
  if (Math.floor(from / SNAPSHOT_EVERY) < Math.floor(change.head.seq / SNAPSHOT_EVERY)) putSnapshot(sql, change.head);
  for (const id of change.todos_removed) removeTodo(sql, change.goal_id, id);
  for (const todo of change.todos_put) putTodo(sql, change.goal_id, todo);
  if (change.base !== undefined) putBase(sql, change.goal_id, change.base);
  if (change.receipt !== undefined) putReceipt(sql, change.receipt);
  return position;
}

function idsIn({ todos_put, todos_removed }: GoalChange): readonly TodoId[] {
  return [...todos_removed, ...todos_put.map(({ todo_id }) => todo_id)];
}

/** Todos and base are of the newest generation alone. */
function forgetGeneration(sql: Sql, goalId: GoalId): void {
  sql.run("delete from todos where goal_id = ?", goalId);
  sql.run("delete from todo_links where goal_id = ?", goalId);
  sql.run("delete from bases where goal_id = ?", goalId);
  forgetSpend(sql, goalId);
  forgetPast(sql, goalId);
}

function removeTodo(sql: Sql, goalId: GoalId, id: TodoId): void {
  sql.run("delete from todos where goal_id = ? and todo_id = ?", goalId, id);
  sql.run("delete from todo_links where goal_id = ? and made_by = ?", goalId, id);
}

function appendEvent(sql: Sql, event: GoalEvent): number {
  return sql.run(
    "insert into events (goal_id, generation, seq, at, type, agent_id, turn_id, data) values (?, ?, ?, ?, ?, ?, ?, ?)",
    event.goal_id,
    event.generation,
    event.seq,
    event.at,
    event.type,
    event.agent_id ?? null,
    event.turn_id ?? null,
    JSON.stringify(event.data),
  ).rowid;
}

export function putHead(sql: Sql, head: GoalHead, before: GoalHead | null): void {
  sql.run(
    `insert into goals (goal_id, generation, seq, registry, head) values (?, ?, ?, ?, ?)
     on conflict (goal_id) do update set
       generation = excluded.generation, seq = excluded.seq, registry = excluded.registry, head = excluded.head`,
    head.goal_id,
    head.generation,
    head.seq,
    head.registry,
    JSON.stringify(head),
  );
  if (before === null || heldIn(before) !== heldIn(head)) putLeases(sql, head);
}

function heldIn({ leases }: GoalHead): string {
  return JSON.stringify(Object.values(leases).map(({ todo_id, owner }) => [todo_id, owner]));
}

export function removeHead(sql: Sql, goalId: GoalId): void {
  sql.run("delete from goals where goal_id = ?", goalId);
  sql.run("delete from leases where goal_id = ?", goalId);
}

/** Beside the head, so that a goal is found by them. */
function putLeases(sql: Sql, { goal_id, leases }: GoalHead): void {
  sql.run("delete from leases where goal_id = ?", goal_id);
  for (const { todo_id, owner } of Object.values(leases)) sql.run("insert into leases values (?, ?, ?)", goal_id, todo_id, owner);
}

function putBase(sql: Sql, goalId: GoalId, base: PlanBase): void {
  sql.run(
    `insert into bases (goal_id, text, ids, fingerprint, accepted_at, rendered_seq, sighting) values (?, ?, ?, ?, ?, ?, ?)
     on conflict (goal_id) do update set
       text = excluded.text, ids = excluded.ids, fingerprint = excluded.fingerprint, accepted_at = excluded.accepted_at,
       rendered_seq = excluded.rendered_seq, sighting = excluded.sighting`,
    goalId,
    base.text,
    JSON.stringify(base.ids),
    base.fingerprint,
    base.accepted_at,
    base.rendered_seq,
    base.sighting === null ? null : JSON.stringify(base.sighting),
  );
}

function putReceipt(sql: Sql, receipt: Receipt): void {
  sql.run(
    "insert into receipts (goal_id, key, fingerprint, generation, seq, at) values (?, ?, ?, ?, ?, ?)",
    receipt.goal_id,
    receipt.key,
    receipt.fingerprint,
    receipt.generation,
    receipt.seq,
    receipt.at,
  );
  sql.run(
    `update receipts set fingerprint = '' where (goal_id, key) in (
       select goal_id, key from receipts where fingerprint <> '' and at < ? order by at limit ?)`,
    addMilliseconds(receipt.at, -RECEIPT_DAYS * 86_400_000),
    PRUNED_AT_ONCE,
  );
}
