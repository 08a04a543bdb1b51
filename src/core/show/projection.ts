/**
 * The shared runtime projection: what servers, dashboards and summaries read instead of the files behind it (S11, S12).
 *
 * Does not own: where it is written and how (adapters), when it is due (commands).
 *
 * U1  Each object names its form in `schema_version`; a reader that does not know it leaves it alone.
 * U2  One goal's projection is at most 16 KiB, the root's at most 32 KiB, as `printJson` writes them.
 * U3  A projection holds the instants and digests it was made from, so that a reader sees how old it is and whether it still fits.
 */
import { driftOf, nextChangeAt } from "../drift/drift-of.ts";
import type { Instant } from "../instant.ts";
import { shorten } from "../shorten.ts";
import type { AttentionItem } from "./attention.ts";
import { attentionOf } from "./attention.ts";
import type { FittedItem } from "./attention-row.ts";
import { fitItem } from "./attention-row.ts";
import { PAGE_BYTES } from "./paging.ts";
import type { StatusInput, StatusPayload } from "./status.ts";
import { buildStatus } from "./status.ts";
import type { StatusGoal } from "./status-goal.ts";
import { fitRow } from "./status-goal.ts";
import type { GoalView } from "./view.ts";

export const GOAL_PROJECTION_SCHEMA = "loopx_goal_projection_v1";
export const ROOT_PROJECTION_SCHEMA = "loopx_root_projection_v1";
export const GOAL_PROJECTION_BYTES = 16_384;

const OBJECTIVE = 500;
const ROW_BYTES = 12_288;
const ITEM_BYTES = 1536;

export interface GoalProjection {
  readonly schema_version: typeof GOAL_PROJECTION_SCHEMA;
  readonly goal_id: string;
  /** When its files were read. */
  readonly gathered_at: Instant;
  /** When time alone will change it; null: never. */
  readonly next_change_at: Instant | null;
  readonly state_sha256_16: string | null;
  readonly objective: string;
  readonly attention: AttentionItem | null;
  readonly goal: StatusGoal;
}

export interface RootProjection extends StatusPayload {
  readonly schema_version: typeof ROOT_PROJECTION_SCHEMA;
  readonly gathered_at: Instant;
}

/** The projection of one goal (U1, U2, U3). */
export function buildSharedRuntimeProjection(state: GoalView, now: Instant): GoalProjection {
  const drift = driftOf(state, now);
  const item = attentionOf(state, { drift, now });
  const fitted: FittedItem | null = item === null ? null : fitItem(item, ITEM_BYTES);
  return {
    schema_version: GOAL_PROJECTION_SCHEMA,
    goal_id: state.goal_id,
    gathered_at: state.gathered_at,
    next_change_at: nextChangeAt(state, now),
    state_sha256_16: state.state_file.kind === "read" ? state.state_file.sha256_16 : null,
    objective: shorten(state.objective, OBJECTIVE),
    attention: fitted?.item ?? null,
    goal: fitRow({ view: state, drift, now }, ROW_BYTES, (row) => row).row,
  };
}

/** The projection of a runtime root: counts and first page of all goals (U1, U2). */
export function buildRootProjection(input: Omit<StatusInput, "extent" | "fields" | "continues" | "goal_filter">): RootProjection {
  const extent = { kind: "page", bytes: PAGE_BYTES - 160 } as const;
  const status = buildStatus({ ...input, extent, fields: null, continues: null, goal_filter: null });
  return { schema_version: ROOT_PROJECTION_SCHEMA, gathered_at: input.now, ...status };
}
