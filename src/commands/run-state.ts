/** The state file that a run is recorded with, and what the run keeps of it. */
import type { RunState } from "../core/events.ts";
import { quote } from "../core/goal/handle.ts";
import { expandHome, resolvePath } from "../core/registry/path-text.ts";
import { type BadInput, reject } from "../core/result.ts";
import { placesOf } from "./goal-places.ts";
import { stateOf } from "./read-plan.ts";
import type { RegisteredGoal, RegistryRows } from "./registry-rows.ts";
import { readStateFile, type StateReading } from "./state-file.ts";
import type { GoalSubject } from "./view-key.ts";
import type { Workspace } from "./workspace.ts";

const SHOWN_LINES = 5;

/** `--state-file` names another file of the project, seen from its folder, or the registered one. */
export function stateForRun(
  workspace: Workspace,
  rows: RegistryRows,
  { registered, stateFile }: { readonly registered: RegisteredGoal; readonly stateFile: string | null },
): StateReading {
  const subject: GoalSubject = { goal_id: registered.goal.goal_id, registered };
  const places = placesOf(workspace, registered.goal);
  const path = stateFile === null ? null : resolvePath(places.repo, expandHome(stateFile, workspace.home) ?? stateFile);
  if (path === null || path === places.state_file) return stateOf(workspace, rows, subject);
  const problem = { path, code: "state_file_outside", message: `is outside of the project ${places.repo}` };
  if (!path.startsWith(`${places.repo}/`)) return { kind: "unreadable", path, since: rows.changed_at, problem };
  return readStateFile(workspace, path, { folder: places.repo, since: rows.changed_at });
}

export function noStateForRun(registered: RegisteredGoal, state: Exclude<StateReading, { kind: "read" }>): BadInput {
  const id = registered.goal.goal_id;
  if (state.kind === "unreadable") {
    return reject(state.problem.code, `The state file of goal ${id} cannot be used: ${state.problem.message}`, {
      problems: [state.problem],
    });
  }
  if (state.kind === "not_declared") {
    return reject("state_file_not_found", `The registry names no state_file for goal ${id}.`, { fix: "loopx registry" });
  }
  const problem = { path: state.path, code: "state_file_not_found", message: "there is no such file" };
  return reject("state_file_not_found", `Goal ${id} has no state file at ${state.path}.`, {
    problems: [problem],
    fix: `loopx drift --fix --goal-id ${quote(id)}`,
  });
}

export function runStateOf(state: Extract<StateReading, { kind: "read" }>): RunState {
  const { plan } = state;
  return {
    path: state.path,
    sha256_16: state.sha256_16,
    frontmatter: Object.fromEntries((plan.front_matter?.entries ?? []).map((entry) => [entry.key, entry.value])),
    next_action: (plan.next_action ?? []).map((entry) => entry.text),
    recent_feedback: plan.feedback.slice(0, SHOWN_LINES),
    progress: plan.progress.slice(0, SHOWN_LINES),
  };
}

export function healthOf(registered: RegisteredGoal): string {
  const sources = registered.goal.entry["authority_sources"];
  return `state_file 1/1; registry_goal 1/1; authority_sources ${Array.isArray(sources) ? sources.length : 0}`;
}
