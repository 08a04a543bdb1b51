/**
 * The store: one journal per goal, what is derived from it, and caches of what others wrote.
 *
 * Does not own: decisions. It loads what is asked for, hands it to a synchronous `decide`, and stores what that returns.
 *
 * S1  `transact` holds the goals' heads from load to commit; nothing of a change is visible before all of it is durable.
 * S2  A change whose events do not continue the loaded journal (goal, generation, seq) is a bug and is not stored. Generations
 *     count from 1; the next one begins where the head is archived, and takes the todos and the base of the last one away.
 *     Without events neither head nor todos change.
 * S3  A read sees one committed state. Derived caches may be written by reads; where the store cannot be written, every
 *     `save…` and `ingest…` is a no-op that answers false.
 *     They are committed without waiting for the disk, and give up (false) rather than wait long for another writer.
 * S4  Text is ordered by code point, JSON keeps its key order, U+0000 is refused, cursors are opaque text.
 */
import type { GoalEvent, GoalEventType, TodoRecord, Units } from "../core/events.ts";
import type { GoalHead } from "../core/goal/head.ts";
import type { TodoPage, TodoPageQuery } from "../core/goal/todo-page.ts";
import type { AgentId, GoalId, TodoId } from "../core/id.ts";
import type { Instant } from "../core/instant.ts";
import type { Frontier, FrontierQuery } from "../core/next/frontier.ts";
import type { TodoRole } from "../core/plan/plan.ts";
import type { DeclaredRow, RegistryCheckpoint } from "./store-declared.ts";
import type { ForeignRuns } from "./store-foreign.ts";
import type { Views } from "./store-views.ts";

/** A receipt older than this is pruned: its key stays known, its content does not. */
export const RECEIPT_DAYS = 30;

/** Distance in events between the heads that are kept for looking back. */
export const SNAPSHOT_EVERY = 256;

export interface LoadRequest {
  readonly goal_id: GoalId;
  /**
   * Ids: these todos, those they wait for and those that wait for them, whether or not they are there yet, so that what follows from a
   * change of one of them can be folded.
   */
  readonly todos: "none" | "all" | readonly TodoId[];
  /** Also the open todos of that role with exactly that text, so that nothing is added twice. */
  readonly same_text?: { readonly role: TodoRole; readonly text: string };
  /** And everything that these need, however far that goes: a circle of dependencies is found in it. */
  readonly needs_of?: readonly TodoId[];
  /** What a decision about an agent can rest on, and the todos that its leases are about. */
  readonly frontier?: FrontierQuery;
  /** What was spent after `since`, and, where it is asked for, when. */
  readonly spend?: SpendQuery;
  /** The base text can be large: a command that does not compare asks for none (`base: null`) or for the facts alone (`text` and `ids` empty). */
  readonly base: "none" | "facts" | "text";
  /** Idempotency key to look up among those of this goal, when the command has one. */
  readonly receipt?: string;
}

/** What the person's file said when LoopX last wrote or accepted it. */
export interface PlanBase {
  readonly text: string;
  /** Ids of the todos of `text`, in the order of its parse. */
  readonly ids: readonly TodoId[];
  readonly fingerprint: string;
  readonly accepted_at: Instant;
  /** `head.plan_seq` when the file last showed everything it should. */
  readonly rendered_seq: number;
  /** A version of the file in which something is missing, until it was seen twice (design 3). */
  readonly sighting: Sighting | null;
}

export interface Sighting {
  readonly sha256: string;
  readonly first_read_at: Instant;
  /** Todos of the goal that are not in that version. */
  readonly missing: readonly TodoId[];
  /** Does that version lack Next Action, which the goal has? */
  readonly lacks_next_action: boolean;
}

/** Proof that a request was carried out: `fingerprint` binds the key to its content. */
export interface Receipt {
  readonly key: string;
  /** Empty once pruned: equal to no request's, so that a late replay is refused and never carried out. */
  readonly fingerprint: string;
  readonly goal_id: GoalId;
  readonly generation: number;
  readonly seq: number;
  readonly at: Instant;
}

export interface LoadedGoal {
  readonly goal_id: GoalId;
  readonly head: GoalHead | null;
  /** By id, code point order. */
  readonly todos: ReadonlyMap<TodoId, TodoRecord>;
  readonly base: PlanBase | null;
  readonly receipt: Receipt | null;
  /** Null when it was not asked for. */
  readonly frontier: Frontier | null;
  readonly spend: SpendWindow | null;
}

export interface SpendQuery {
  /** Exclusive. */
  readonly since: Instant;
  /** How many of the oldest entries of the window are wanted one by one. */
  readonly entries: number;
}

export interface SpendWindow {
  readonly since: Instant;
  readonly units: Units;
  /** Oldest first; what was voided is left out. */
  readonly entries: readonly SpendEntry[];
}

export interface SpendEntry {
  readonly seq: number;
  readonly at: Instant;
  readonly units: Units;
}

export interface GoalChange {
  readonly goal_id: GoalId;
  /** In order, numbered on from the loaded head; may be empty when only `base` moves. */
  readonly events: readonly GoalEvent[];
  readonly head: GoalHead;
  readonly todos_put: readonly TodoRecord[];
  readonly todos_removed: readonly TodoId[];
  readonly base?: PlanBase;
  readonly receipt?: Receipt;
}

/** By what a goal is found that nobody named. */
export type GoalTrace =
  | { readonly kind: "todo"; readonly todo_id: TodoId }
  /** A lease that was not freed, live or not. */
  | { readonly kind: "lease"; readonly owner: AgentId; readonly todo_id: TodoId | null }
  | { readonly kind: "lease"; readonly owner: null; readonly todo_id: TodoId }
  | { readonly kind: "receipt"; readonly key: string };

export interface Committed<T> {
  readonly answer: T;
  /** Store-wide position of the last event of the change; null when it had none. */
  readonly pos: string | null;
}

/** `changes: []` ends the transaction without writing. */
export interface Verdict<T> {
  readonly answer: T;
  readonly changes: readonly GoalChange[];
}

export interface EventQuery {
  readonly goal_id: GoalId;
  /** Without it: the goal's newest generation. */
  readonly generation?: number;
  readonly type?: GoalEventType;
  readonly order: "oldest_first" | "newest_first";
  /** Exclusive bound in the direction of `order`. */
  readonly beyond_seq?: number;
  readonly limit: number;
}

export interface PastState {
  readonly head: GoalHead;
  readonly todos: ReadonlyMap<TodoId, TodoRecord>;
}

export interface FedEvent {
  readonly pos: string;
  readonly event: GoalEvent;
}

/**
 * `derivable`: no events, only what follows from events and files. A power cut may take it with everything after it: as if the
 * process had been killed just before.
 */
export type Keeping = "facts" | "derivable";

/** Facts and what follows from them. */
export interface Journal {
  /**
   * S1, S2. `decide` is called once, between begin and commit, gets the goals in the order of `requests`, and must not await.
   * Throws `Fault`: `store_busy` past the bound; `read_only` when there are changes and the store cannot be written.
   */
  transact<T>(
    requests: readonly LoadRequest[],
    decide: (loaded: readonly LoadedGoal[]) => Verdict<T>,
    keeping?: Keeping,
  ): Promise<Committed<T>>;
  /** The same load without a transaction that writes. */
  load(request: LoadRequest): Promise<LoadedGoal>;
  /** Bookkeeping of a read: when a version of the file was first seen. No-op without a base. */
  saveSighting(goalId: GoalId, sighting: Sighting | null): Promise<boolean>;
  /** Open todos of a role, not archived, in ready order (priority, place, id), by an index. */
  readyTodos(goalId: GoalId, query: { readonly role: TodoRole; readonly limit: number }): Promise<readonly TodoRecord[]>;
  /** A part of the list of a goal's todos (`core/goal/todo-page.ts`). */
  todoPage(goalId: GoalId, query: TodoPageQuery): Promise<TodoPage>;
  /** Open todos whose `claimed_by` is none of `except`, in ready order, by an index. */
  claimedTodos(
    goalId: GoalId,
    query: { readonly except: readonly string[]; readonly limit: number },
  ): Promise<readonly TodoRecord[]>;
  /** Goals whose journal is that registry's and in which that is found, by id, by an index: other goals cost nothing. */
  goalsWith(registry: string, trace: GoalTrace): Promise<readonly GoalId[]>;
  /** Heads of all goals with a journal, by id. */
  heads(page: { readonly after: string | null; readonly limit: number }): Promise<readonly GoalHead[]>;
  events(query: EventQuery): Promise<readonly GoalEvent[]>;
  /**
   * Head and todos as they stood after an event of the newest generation that is not after `seq`; null: before its first one. What
   * follows is folded from the events: at most about `SNAPSHOT_EVERY` where the store keeps such states.
   */
  standingBefore(goalId: GoalId, seq: number): Promise<PastState | null>;
  /** Events of all goals with `pos` above `after` (exclusive; null: from the start), oldest first. */
  feed(after: string | null, limit: number): Promise<readonly FedEvent[]>;
  /** `pos` of the newest event, null when there is none. */
  lastPosition(): Promise<string | null>;
}

export interface ArchiveRecord {
  readonly goal_id: GoalId;
  readonly generation: number;
  readonly archive_path: string;
  readonly archived_at: Instant;
  readonly restored_at: Instant | null;
}

export interface Archives {
  saveArchive(record: ArchiveRecord): Promise<void>;
  /** Newest first; `after` is the `cursor` of the last one seen. */
  archives(query: {
    readonly goal_id: GoalId | null;
    readonly after: string | null;
    readonly limit: number;
  }): Promise<readonly (ArchiveRecord & { readonly cursor: string })[]>;
}

/** The registry as it was last read, a row a goal, so that one goal costs one look-up. */
export interface Declared {
  registry(path: string): Promise<RegistryCheckpoint | null>;
  /** Replaces what is known of this registry; rows that did not change are not written. */
  saveRegistry(checkpoint: RegistryCheckpoint, goals: readonly DeclaredRow[]): Promise<boolean>;
  /** All entries with that id: two when the registry names it twice. */
  declared(path: string, goalId: string): Promise<readonly DeclaredRow[]>;
  /**
   * By (goal_id, ordinal), code point order; `after` is a goal id, itself left out. Entries with one id are never on two
   * pages: those of the last id come beyond `limit`.
   */
  declaredPage(path: string, page: { readonly after: string | null; readonly limit: number }): Promise<readonly DeclaredRow[]>;
}

export interface Maintenance {
  /** Runs `work` while this process alone may replace files that people share (design 3); `work` must not await. */
  exclusively<T>(work: () => T): Promise<T>;
  /** Grows whenever another connection committed; two equal values mean that none did in between. */
  changeCounter(): Promise<number>;
  /** Empty when the engine finds the store whole. */
  integrityProblems(): Promise<readonly string[]>;
  /**
   * Replaces head, todos and snapshots of the newest generation by what `fold` makes of its journal. `fold` calls `snapshot`
   * with head and todos after each event, or after each whose seq is a multiple of `SNAPSHOT_EVERY`; others are passed over.
   */
  rebuild(
    goalId: GoalId,
    fold: (
      events: Iterable<GoalEvent>,
      snapshot: (head: GoalHead, todos: PastState["todos"]) => void,
    ) => Pick<LoadedGoal, "head" | "todos">,
  ): Promise<{ readonly events: number }>;
  /** A consistent copy of the whole store in a file that does not exist yet. */
  copyTo(path: string): Promise<void>;
  /** A derived fact that was noted under `key`, at most 64 KiB; null when there is none. */
  note(key: string): Promise<string | null>;
  saveNote(key: string, text: string): Promise<boolean>;
  /** Highest seq whose run is in the mirror files. */
  mirroredSeq(goalId: GoalId, generation: number): Promise<number>;
  saveMirroredSeq(goalId: GoalId, generation: number, seq: number): Promise<boolean>;
  facts(): StoreFacts;
  close(): Promise<void>;
}

export interface StoreFacts {
  readonly engine: string;
  readonly engine_version: string;
  readonly format: number;
  /** Random, made with the store: tells its own rows in shared files from those of another or a lost one. */
  readonly store_id: string;
  readonly path: string;
  readonly access: "read_write" | "read_only";
}

export interface Store extends Journal, Declared, ForeignRuns, Views, Archives, Maintenance {}
