/**
 * The files that a recorded run leaves for people and other programs: full record, index row (data-plane 5).
 *
 * Does not own: the readable summary (`markdown.ts`), writing them (a port).
 *
 * F1  Keys and their order are those of the reference; keys of ours come last. What LoopX does not know is left out.
 * F2  A row is one line however it is cut into lines: U+0085, U+2028 and U+2029 are escaped, because the reference's
 *     repair splits there (data-plane 15.4). All other non-ASCII text is raw; separators are ", " and ": ".
 * F3  Record and row both name the event behind them, so that a half-written mirror is recognised and never doubled.
 */
import { toRunTime } from "../instant.ts";
import { formatEventRef, formatJournalRef } from "./event-ref.ts";
import type { RunPaths } from "./stem.ts";
import type { RunEvent } from "./summary.ts";

/** What the registry says of the goal when the run is recorded. */
export interface RecordedGoal {
  readonly present: boolean;
  readonly domain: string | null;
  readonly status: string | null;
  readonly adapter: { readonly kind: string | null; readonly status: string | null } | null;
  readonly authority_source_count: number;
}

export interface RecordContext {
  readonly store_id: string;
  readonly registry_goal?: RecordedGoal;
}

type Json = Readonly<Record<string, unknown>>;

/** The text of `<stem>.json`. */
export function runRecordText(event: RunEvent, context: RecordContext): string {
  const { state } = event.data;
  const record = {
    ...headOf(event),
    ...(state !== null && {
      state: {
        path: state.path,
        sha256_16: state.sha256_16,
        frontmatter: state.frontmatter,
        next_action: state.next_action,
        recent_feedback: state.recent_feedback,
        progress: state.progress,
      },
    }),
    ...(context.registry_goal !== undefined && { registry_goal: context.registry_goal }),
    ...tailOf(event, context),
  };
  return `${JSON.stringify(record, null, 2)}\n`;
}

/** The line for `index.jsonl`, without its line feed. */
export function indexRowText(event: RunEvent, context: RecordContext & RunPaths): string {
  const { state } = event.data;
  const row = {
    ...headOf(event),
    json_path: context.json_path,
    markdown_path: context.markdown_path,
    ...(state !== null && {
      state: { sha256_16: state.sha256_16, frontmatter: { updated_at: state.frontmatter["updated_at"] ?? null } },
    }),
    ...tailOf(event, context),
  };
  return spacedJson(row).replace(/[\u0085\u2028\u2029]/g, (mark) => `\\u${mark.charCodeAt(0).toString(16).padStart(4, "0")}`); // (F2)
}

/** JSON with `", "` and `": "` between its parts, as Python writes it (data-plane 0.6). Keys with `undefined` are left out. */
export function spacedJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(spacedJson).join(", ")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null";
  const entries = Object.entries(value).filter(([, each]) => each !== undefined);
  return `{${entries.map(([key, each]) => `${JSON.stringify(key)}: ${spacedJson(each)}`).join(", ")}}`;
}

/** The lane that was named, else that of the agent itself. */
export function laneOf({ agent_id, data }: RunEvent): string | undefined {
  return data.progress_scope === "agent_lane" ? (data.agent_lane ?? agent_id) : undefined;
}

function headOf({ at, goal_id, data }: RunEvent): Json {
  return {
    generated_at: toRunTime(at),
    goal_id,
    classification: data.classification,
    recommended_action: data.recommended_action,
    recommended_action_source: data.recommended_action_source,
    health_check: data.health_check,
  };
}

/** F1, F3 */
function tailOf(event: RunEvent, { store_id }: RecordContext): Json {
  const { agent_id, data } = event;
  return {
    progress_scope: data.progress_scope,
    delivery_batch_scale: data.delivery_batch_scale,
    delivery_outcome: data.delivery_outcome,
    turn_instance_id: data.turn_instance_id,
    todo_id: data.todo_id,
    agent_id,
    agent_lane: laneOf(event),
    loopx_event: formatEventRef(event),
    loopx_store: formatJournalRef({ store_id, generation: event.generation }),
  };
}
