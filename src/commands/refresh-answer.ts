/** What `refresh` answers: the recorded run in the reference's words, and where it can be seen. */

import type { RunIntent } from "../core/goal/run-request.ts";
import { toRunTime } from "../core/instant.ts";
import type { Problem } from "../core/result.ts";
import { laneOf } from "../core/runs/record.ts";
import type { RunEvent } from "../core/runs/summary.ts";
import { recordedGoal } from "./mirror-run.ts";
import type { RegisteredGoal, RegistryRows } from "./registry-rows.ts";
import type { ShownWrite } from "./show-write.ts";
import { goalsFolder, type Workspace } from "./workspace.ts";

export interface RefreshAnswer {
  readonly ok: true;
  readonly dry_run: boolean;
  readonly appended: boolean;
  /** The turn had recorded this run before. */
  readonly idempotent_replay: boolean;
  readonly registry: string;
  readonly runtime_root: string;
  readonly project: string;
  readonly goal_id: string;
  readonly classification: string;
  readonly recommended_action: string;
  readonly generated_at: string;
  readonly agent_id: string | null;
  readonly json_path: string | null;
  readonly warnings: readonly Problem[];
  readonly [key: string]: unknown;
}

export interface AnswerMaterial {
  readonly workspace: Workspace;
  readonly rows: RegistryRows;
  readonly run: RunEvent;
  readonly registered: RegisteredGoal;
  readonly intent: RunIntent;
  /** Null: nothing was written. */
  readonly shown: ShownWrite | null;
  readonly dry_run: boolean;
}

export function refreshAnswer(material: AnswerMaterial): RefreshAnswer {
  return { ...answerOf(material), appended: !material.dry_run, idempotent_replay: false };
}

export function replayAnswer(material: AnswerMaterial): RefreshAnswer {
  return { ...answerOf(material), appended: false, idempotent_replay: true };
}

function answerOf({ workspace, rows, run, registered, intent, shown, dry_run }: AnswerMaterial): RefreshAnswer {
  const { data } = run;
  return {
    ok: true,
    dry_run,
    appended: false,
    idempotent_replay: false,
    registry: rows.path,
    runtime_root: workspace.roots.runtime_root,
    project: workspace.roots.project_root,
    goal_id: run.goal_id,
    classification: data.classification,
    progress_scope: data.progress_scope,
    agent_id: run.agent_id ?? null,
    agent_lane: laneOf(run) ?? null,
    recommended_action: data.recommended_action,
    recommended_action_source: data.recommended_action_source,
    active_state_next_action_update: nextActionUpdate({ run, intent, shown, dry_run }),
    generated_at: toRunTime(run.at),
    delivery_outcome: data.delivery_outcome ?? null,
    delivery_batch_scale: data.delivery_batch_scale ?? null,
    turn_instance_id: data.turn_instance_id ?? null,
    todo_id: data.todo_id ?? null,
    health_check: data.health_check,
    state: data.state,
    registry_goal: recordedGoal(registered),
    event: dry_run ? null : { generation: run.generation, seq: run.seq },
    json_path: shown?.run_files?.json_path ?? null,
    markdown_path: shown?.run_files?.markdown_path ?? null,
    index_path: `${goalsFolder(workspace)}/${run.goal_id}/runs/index.jsonl`,
    warnings: shown?.warnings ?? [],
  };
}

type Update = Pick<AnswerMaterial, "run" | "intent" | "shown" | "dry_run">;

/** `would_update`: the state file said something else when the run was recorded. */
function nextActionUpdate({ run, intent, shown, dry_run }: Update): object | null {
  if (intent.next_action === null) return null;
  const said = run.data.state?.next_action ?? [];
  return {
    schema_version: "active_state_next_action_update_v0",
    source: "refresh_state",
    next_action: intent.next_action,
    updated: shown?.rendering?.kind === "shown" && shown.rendering.wrote,
    would_update: said.length !== 1 || said[0] !== intent.next_action,
    dry_run,
  };
}
