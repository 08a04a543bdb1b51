/** `refresh-state`: what is recorded, from where, and what became of Next Action. */
import { at, type Json, listAt, textAt } from "../json.ts";
import type { Facts, Reading } from "./facts.ts";

export const REFRESH: Reading = {
  reference: ({ payload }) => refreshFacts(payload),
  ours: ({ payload }) => refreshFacts(payload),
};

const SAME_NAMES = [
  "registry",
  "runtime_root",
  "project",
  "dry_run",
  "appended",
  "goal_id",
  "classification",
  "progress_scope",
  "agent_id",
  "agent_lane",
  "recommended_action",
  "recommended_action_source",
  "health_check",
  "index_path",
  "registry_goal",
] as const;

/** Both programs have the same names here. */
function refreshFacts(payload: Json): Facts {
  if (at(payload, "state") === null) return {};
  const projected = textAt(payload, "shared_runtime_projection", "status");
  return {
    ...Object.fromEntries(SAME_NAMES.map((key) => [key, at(payload, key)])),
    ...pathFacts(payload),
    "state.path": at(payload, "state", "path"),
    ...digestFact(payload),
    "state.frontmatter": at(payload, "state", "frontmatter"),
    "state.next_action": listAt(payload, "state", "next_action"),
    "state.recent_feedback": listAt(payload, "state", "recent_feedback"),
    "state.progress": listAt(payload, "state", "progress"),
    next_action_update: updateFact(at(payload, "active_state_next_action_update")),
    ...(projected !== null && !UNPROJECTED.has(projected) && { shared_runtime_projection: projected }),
  };
}

/** A text that holds the time of this run has another digest in every run. */
function digestFact(payload: Json): Facts {
  const stamped = textAt(payload, "state", "frontmatter", "updated_at") === "<time>";
  return stamped ? {} : { "state.sha256_16": at(payload, "state", "sha256_16") };
}

/** Nothing was projected, and nothing should have been. */
const UNPROJECTED = new Set(["not_required", "disabled"]);

/** Of a dry run under a name of its own, without the goal: what is said there is said of every goal. */
function pathFacts(payload: Json): Facts {
  const paths = ["json_path", "markdown_path"].map((key) => [key, textAt(payload, key)] as const);
  if (at(payload, "dry_run") !== true) return Object.fromEntries(paths);
  const goal = `/goals/${textAt(payload, "goal_id")}/`;
  return Object.fromEntries(
    paths.map(([key, path]) => [`preview of ${key}`, path === null ? null : path.replace(goal, "/goals/GOAL/")]),
  );
}

function updateFact(update: Json): Json {
  if (update === null) return null;
  const { next_action, updated, would_update } = update as { readonly [key: string]: Json };
  return { next_action: next_action ?? null, updated: updated ?? null, would_update: would_update ?? null };
}
