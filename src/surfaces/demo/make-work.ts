/** Writes the project of the main job into a new temporary folder: its programs as they are in `project/`, and its plan. */
import { cpSync, mkdirSync, mkdtempSync, realpathSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { projectIn, type SampleProject } from "./make-sample.ts";
import { WORK_AGENTS, WORK_GOALS, type WorkGoal, type WorkTodo } from "./work.ts";

/** `programs`: the folder `project/` of the sources. */
export function makeWork(programs: string): SampleProject {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "loopx-demo-work-")));
  cpSync(programs, folder, { recursive: true });
  mkdirSync(join(folder, ".loopx"));
  const registry = { schema_version: "0.1", common_runtime_root: ".loopx/runtime", goals: WORK_GOALS.map(registryEntry) };
  writeFileSync(join(folder, ".loopx/registry.json"), `${JSON.stringify(registry, null, 2)}\n`);
  for (const goal of WORK_GOALS) {
    mkdirSync(join(folder, ".codex/goals", goal.id), { recursive: true });
    writeFileSync(join(folder, stateFilePath(goal)), stateFile(goal));
  }
  return projectIn(folder);
}

function registryEntry(goal: WorkGoal): object {
  return {
    id: goal.id,
    domain: "demo",
    status: "active",
    repo: ".",
    state_file: stateFilePath(goal),
    adapter: { kind: "generic_project_goal_v0", status: "connected" },
    coordination: { registered_agents: WORK_AGENTS },
  };
}

function stateFilePath({ id }: WorkGoal): string {
  return `.codex/goals/${id}/ACTIVE_GOAL_STATE.md`;
}

function stateFile(goal: WorkGoal): string {
  const { question } = goal;
  const asked =
    question === undefined
      ? ""
      : todoLines(question.text, { todo_id: question.id, task_class: "user_gate", unblocks_todo_id: question.holds_up });
  return `---
goal_id: ${goal.id}
status: active
---
# ${goal.id}

## Objective

${goal.objective}

## User Todo

${asked}
## Agent Todo

${goal.todos.map((todo) => todoLines(todo.text, metadataOf(goal, todo))).join("")}
## Next Action

- ${goal.todos[0]?.text}
`;
}

function metadataOf(goal: WorkGoal, { id, step, after = [], cadence }: WorkTodo): Readonly<Record<string, string>> {
  return {
    todo_id: id,
    ...(after.length === 0 ? {} : { depends_on: after.join(",") }),
    ...(cadence === undefined ? {} : { task_class: "continuous_monitor", cadence }),
    run: JSON.stringify([process.execPath, `${goal.id}.mjs`, step]),
    // What is looked at is never closed: there is nothing to check.
    ...(cadence === undefined ? { validation_command_argv: JSON.stringify([process.execPath, "check.mjs", step]) } : {}),
  };
}

function todoLines(text: string, metadata: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(metadata).map(([key, value]) => `${key}=${encodeURIComponent(value)}`);
  return `- [ ] ${text}\n  <!-- loopx:todo ${pairs.join(" ")} -->\n`;
}
