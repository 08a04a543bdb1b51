/**
 * What a store in memory holds, shared by everyone who opens it: the stand-in for a database file.
 *
 * Does not own: the rules of the store (one file a noun beside this one).
 *
 * D1  What is kept is a copy through JSON, frozen to the bottom: nobody outside can change it, and it is exactly what an
 *     engine that keeps JSON text would give back.
 */
import { randomBytes } from "node:crypto";
import type { GoalEvent, TodoRecord } from "../../core/events.ts";
import type { GoalHead } from "../../core/goal/head.ts";
import type { GoalId, TodoId } from "../../core/id.ts";
import type { RunTable } from "../../core/runs/run-table.ts";
import type { ArchiveRecord, FedEvent, PlanBase, Receipt, SpendEntry } from "../../ports/store.ts";
import type { DeclaredRow, RegistryCheckpoint } from "../../ports/store-declared.ts";
import type { ForeignCheckpoint } from "../../ports/store-foreign.ts";
import type { ViewEntry } from "../../ports/store-views.ts";

export interface GoalCell {
  head: GoalHead | null;
  todos: Map<TodoId, TodoRecord>;
  base: PlanBase | null;
  readonly receipts: Map<string, Receipt>;
  readonly journals: Map<number, GoalEvent[]>;
  readonly mirrored: Map<number, number>;
  /** In the order of time, then of the journal. */
  spend: readonly SpendEntry[];
  foreign: { readonly table: RunTable; readonly checkpoint: ForeignCheckpoint } | null;
}

export interface RegistryCell {
  readonly checkpoint: RegistryCheckpoint;
  readonly rows: readonly DeclaredRow[];
}

export interface MemoryDatabase {
  readonly store_id: string;
  readonly goals: Map<GoalId, GoalCell>;
  readonly registries: Map<string, RegistryCell>;
  readonly views: Map<string, Map<GoalId, ViewEntry>>;
  readonly archives: Map<string, ArchiveRecord>;
  readonly notes: Map<string, string>;
  readonly feed: FedEvent[];
  /** Grows with each commit of anyone. */
  commits: number;
  /** The end of the queue of writers. */
  queue: Promise<unknown>;
}

export function memoryDatabase(options: { readonly store_id?: string } = {}): MemoryDatabase {
  return {
    store_id: options.store_id ?? randomBytes(8).toString("hex"),
    goals: new Map(),
    registries: new Map(),
    views: new Map(),
    archives: new Map(),
    notes: new Map(),
    feed: [],
    commits: 0,
    queue: Promise.resolve(),
  };
}

/** The goal's cell, made where there is none. */
export function cellOf(database: MemoryDatabase, goalId: GoalId): GoalCell {
  const known = database.goals.get(goalId);
  if (known !== undefined) return known;
  const cell = {
    head: null,
    todos: new Map(),
    base: null,
    receipts: new Map(),
    journals: new Map(),
    mirrored: new Map(),
    spend: [],
    foreign: null,
  };
  database.goals.set(goalId, cell);
  return cell;
}

/** D1. */
export function kept<T>(value: T): T {
  return frozen(JSON.parse(JSON.stringify(value)) as T);
}

function frozen<T>(value: T): T {
  if (typeof value === "object" && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const each of Object.values(value)) frozen(each);
  }
  return value;
}

/** U+0000 is refused where text is kept as it is; inside JSON text it is escaped (S4 of the port). */
export function assertTexts(...texts: readonly string[]): void {
  if (texts.some((text) => text.includes("\0"))) throw new Error("a text with U+0000 was handed to the store");
}
