/**
 * Cache of what is shown of each goal (S18): keyed by the fingerprints it was made from, so that a write makes it miss.
 *
 * V1  A view is used only when its `key` equals the key of what is there now; age alone never makes it right.
 * V2  One entry per goal of a registry, at most `MAX_VIEW_BYTES` each.
 */
import type { GoalId } from "../core/id.ts";
import type { Instant } from "../core/instant.ts";
import type { AttentionRank } from "../core/show/rank.ts";

export const MAX_VIEW_BYTES = 16_384;

export interface StoredView {
  readonly goal_id: GoalId;
  readonly key: string;
  readonly checked_at: Instant;
  /** `core/show` GoalView as JSON text. */
  readonly view: string;
}

export interface ViewEntry extends StoredView {
  /** Null: nothing to attend to. */
  readonly rank: AttentionRank | null;
  readonly run_count: number;
  readonly open_todos: number;
  readonly waiting_todos: number;
  readonly stopped: 0 | 1;
  /** When the passing of time alone changes what is shown; null: never. */
  readonly next_change_at: Instant | null;
}

export interface ViewCounts {
  readonly goals: number;
  readonly attention: number;
  readonly waiting_for_person: number;
  readonly runs: number;
  readonly open_todos: number;
  readonly waiting_todos: number;
  readonly stopped: number;
  readonly oldest_check: Instant | null;
}

export interface Views {
  views(registry: string, goalIds: readonly GoalId[]): Promise<ReadonlyMap<GoalId, StoredView>>;
  saveViews(registry: string, entries: readonly ViewEntry[]): Promise<boolean>;
  /** In attention order (`core/show/rank.ts`); `after` is the cursor of the last one seen. */
  attention(
    registry: string,
    page: { readonly after: string | null; readonly limit: number },
  ): Promise<readonly (StoredView & { readonly cursor: string })[]>;
  viewPage(registry: string, page: { readonly after: string | null; readonly limit: number }): Promise<readonly StoredView[]>;
  /** Goals whose `next_change_at` is at or before `now`. */
  dueViews(registry: string, now: Instant, limit: number): Promise<readonly GoalId[]>;
  viewCounts(registry: string): Promise<ViewCounts>;
  /** Without ids: all of the registry. Answers how many went. */
  forgetViews(registry: string, goalIds?: readonly GoalId[]): Promise<number>;
}
