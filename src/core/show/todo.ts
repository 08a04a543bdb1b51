/**
 * Todos as they are shown, and what a command that writes about one answers.
 *
 * S1  Every field of the record is there, under the name it has everywhere; `status` stands once.
 * S2  An answer is at most 8 KiB: texts are shortened until it fits and `texts_shortened` counts them; `todo show` is whole.
 */
import type { TodoRecord } from "../events.ts";
import { kindOf, ownerOf, type TodoKind } from "../goal/todo-traits.ts";
import type { WhyNot } from "../next/why-not.ts";
import type { Problem } from "../result.ts";
import type { ShownLease } from "./claim.ts";
import { type Cutter, cutter } from "./cutter.ts";
import { printedBytes } from "./print-json.ts";

export const TODO_BYTES = 8192;

export interface ShownTodo extends Omit<TodoRecord, "id_source" | "index"> {
  readonly kind: TodoKind;
  readonly claimed_by: string | null;
}

/** (S1) */
export function shownTodo(todo: TodoRecord, cut: Cutter): ShownTodo {
  const { id_source: _source, index: _index, metadata, ...record } = todo;
  const { status: _status, ...said } = metadata;
  return {
    ...record,
    text: cut.text(record.text),
    kind: kindOf(todo),
    claimed_by: ownerOf(todo),
    metadata: Object.fromEntries(Object.entries(said).map(([key, value]) => [key, cut.text(value)])),
  };
}

export interface TodoWriteFacts {
  readonly goal_id: string;
  readonly todo: TodoRecord;
  readonly next: readonly TodoRecord[];
  readonly added: boolean;
  readonly changed: boolean;
  readonly already_exists: boolean;
  readonly idempotent_replay?: boolean;
  readonly dry_run: boolean;
  readonly warnings: readonly Problem[];
}

export interface TodoWritePayload {
  readonly ok: true;
  readonly goal_id: string;
  readonly todo_id: string;
  readonly added: boolean;
  readonly changed: boolean;
  /** There was an open todo of that text: it was brought up to date. */
  readonly already_exists: boolean;
  /** It was added under this idempotency key before; this is what became of it. */
  readonly idempotent_replay: boolean;
  readonly dry_run: boolean;
  readonly status: string;
  readonly claimed_by: string | null;
  readonly todo: ShownTodo;
  /** What was added to come after it. */
  readonly next_todos: readonly ShownTodo[];
  readonly texts_shortened: number;
  readonly warnings: readonly Problem[];
}

export function todoWritePayload(facts: TodoWriteFacts): TodoWritePayload {
  const { goal_id, todo, next, added, changed, already_exists, idempotent_replay = false, dry_run, warnings } = facts;
  return fitted(TODO_BYTES, (cut) => ({
    ok: true,
    goal_id,
    todo_id: todo.todo_id,
    added,
    changed,
    already_exists,
    idempotent_replay,
    dry_run,
    status: todo.status,
    claimed_by: ownerOf(todo),
    todo: shownTodo(todo, cut),
    next_todos: next.map((each) => shownTodo(each, cut)),
    texts_shortened: cut.count(),
    warnings,
  }));
}

const LIMITS = [Number.POSITIVE_INFINITY, 1200, 300, 120, 40] as const;

/** (S2) Whole where that fits, else with the longest texts that do. */
export function fitted<Payload extends object>(bytes: number, build: (cut: Cutter) => Payload): Payload {
  for (const limit of LIMITS) {
    const payload = build(cutter(limit));
    if (printedBytes(payload) <= bytes) return payload;
  }
  return build(cutter(16));
}

export interface TodoShowPayload {
  readonly ok: true;
  readonly goal_id: string;
  readonly todo: ShownTodo;
  readonly lease: ShownLease | null;
  /** For the agent that was named: null when it may take it up. */
  readonly why_not: WhyNot | null;
}
