/**
 * What is shown of a run, from a row of any shape or from LoopX's own event.
 *
 * P1  A row never fails: a field of an unexpected type is shown as text where it is a scalar, and left out where it is not.
 */
import type { GoalEvent } from "../events.ts";
import type { GoalId } from "../id.ts";
import { toRunTime } from "../instant.ts";
import type { PlacedRow } from "./history.ts";
import type { RunRow, RunSummary } from "./run.ts";

export type RunEvent = Extract<GoalEvent, { readonly type: "run.recorded" }>;

const OPTIONAL = [
  "agent_id",
  "turn_instance_id",
  "todo_id",
  "progress_scope",
  "delivery_outcome",
  "delivery_batch_scale",
  "json_path",
  "markdown_path",
] as const;

/** `goalId` is the goal whose index holds the row; a row that names another one keeps its name. */
export function summarise({ row, at, position }: Pick<PlacedRow, "row" | "at" | "position">, goalId: GoalId): RunSummary {
  const fields: Partial<Record<(typeof OPTIONAL)[number] | "state_sha256_16", string>> = {};
  for (const key of OPTIONAL) keep(fields, key, row[key]);
  keep(fields, "state_sha256_16", stateDigest(row));
  return {
    generated_at: text(row.generated_at) || null,
    at,
    goal_id: text(row.goal_id) || goalId,
    classification: text(row.classification),
    recommended_action: text(row.recommended_action),
    ...fields,
    origin: "foreign",
    position,
  };
}

/** The same of an event of ours; where its files stand is known to whoever wrote them. */
export function summariseEvent(
  event: RunEvent,
  paths?: { readonly json_path: string; readonly markdown_path: string },
): RunSummary {
  const { data } = event;
  return {
    generated_at: toRunTime(event.at),
    at: event.at,
    goal_id: event.goal_id,
    classification: data.classification,
    recommended_action: data.recommended_action,
    ...(event.agent_id !== undefined && { agent_id: event.agent_id }),
    ...(data.turn_instance_id !== undefined && { turn_instance_id: data.turn_instance_id }),
    ...(data.todo_id !== undefined && { todo_id: data.todo_id }),
    progress_scope: data.progress_scope,
    ...(data.delivery_outcome !== undefined && { delivery_outcome: data.delivery_outcome }),
    ...(data.delivery_batch_scale !== undefined && { delivery_batch_scale: data.delivery_batch_scale }),
    ...(data.state !== null && { state_sha256_16: data.state.sha256_16 }),
    ...paths,
    origin: "journal",
    position: event.seq,
  };
}

/** P1 */
function text(value: unknown): string {
  if (typeof value === "string") return value;
  return typeof value === "number" || typeof value === "boolean" ? String(value) : "";
}

function keep<K extends string>(fields: Partial<Record<K, string>>, key: K, value: unknown): void {
  const shown = text(value);
  if (shown !== "") fields[key] = shown;
}

function stateDigest(row: RunRow): unknown {
  const state = row["state"];
  return typeof state === "object" && state !== null && "sha256_16" in state ? state.sha256_16 : undefined;
}
