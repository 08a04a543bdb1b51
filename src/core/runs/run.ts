/**
 * One run as it is recorded and as it stands in `runs/index.jsonl`.
 *
 * Does not own: reading the file (adapters), merging and order (`history.ts`).
 */
import type { Instant } from "../instant.ts";

/** A row of `runs/index.jsonl` in the reference's row format; keys that are not listed here are kept. */
export interface RunRow {
  readonly generated_at?: unknown;
  readonly goal_id?: unknown;
  readonly classification?: unknown;
  readonly recommended_action?: unknown;
  readonly health_check?: unknown;
  readonly json_path?: unknown;
  readonly markdown_path?: unknown;
  /** Ours only: `<goal_id>/<seq>` of the event behind the row. */
  readonly loopx_event?: unknown;
  /** Ours only: the `store_id` of the store that holds the event. */
  readonly loopx_store?: unknown;
  readonly [key: string]: unknown;
}

/** What is shown of a run. Every text is whole. */
export interface RunSummary {
  /** As it was written. */
  readonly generated_at: string | null;
  /** The same as an instant; null when it cannot be understood. */
  readonly at: Instant | null;
  readonly goal_id: string;
  readonly classification: string;
  readonly recommended_action: string;
  readonly agent_id?: string;
  readonly turn_instance_id?: string;
  readonly todo_id?: string;
  readonly progress_scope?: string;
  readonly delivery_outcome?: string;
  readonly delivery_batch_scale?: string;
  readonly state_sha256_16?: string;
  readonly json_path?: string;
  readonly markdown_path?: string;
  /** Who wrote it: an event of ours, or a row that another program appended. */
  readonly origin: "journal" | "foreign";
  /** Order among runs of one instant: later in the file or journal is higher. */
  readonly position: number;
}

/** A line of a foreign index that is not a run. */
export interface Damage {
  readonly code:
    | "invalid_json"
    | "not_an_object"
    | "invalid_utf8"
    | "nul_bytes"
    | "too_long"
    | "too_deep"
    | "torn_tail"
    | "shrunk"
    | "rewritten"
    | "not_a_file"
    | "unreadable"
    | "outside_root";
  /** From 1; 0 when the file as a whole is meant. */
  readonly line: number;
  /** Byte offset in the file where it begins; absent when the file as a whole is meant. */
  readonly offset?: number;
  readonly message: string;
}
