/** The sample project as files, in the formats that the Python program writes. */
import { addMilliseconds, type Instant, toRunTime } from "../../core/instant.ts";
import { runStem } from "../../core/runs/stem.ts";
import type { SampleGoal, SampleRun, SampleTodo } from "./sample.ts";

export interface SampleFile {
  /** Inside the project. */
  readonly path: string;
  readonly bytes: Uint8Array;
  readonly saved_at: Instant;
}

const RUNTIME_ROOT = ".loopx/runtime";
const MINUTE_MS = 60_000;

export function sampleFiles(goals: readonly SampleGoal[], project: string, now: Instant): readonly SampleFile[] {
  return [registryFile(goals, now), ...goals.flatMap((goal) => goalFiles(goal, project, now))];
}

function registryFile(goals: readonly SampleGoal[], now: Instant): SampleFile {
  const saved_at = ago(now, 5000);
  const registry = {
    schema_version: "0.1",
    updated_at: toRunTime(saved_at),
    common_runtime_root: RUNTIME_ROOT,
    goals: goals.filter((goal) => goal.registered).map(registryEntry),
  };
  return { path: ".loopx/registry.json", bytes: bytesOf(`${JSON.stringify(registry, null, 2)}\n`), saved_at };
}

function registryEntry({ id, agents }: SampleGoal): object {
  return {
    id,
    domain: "demo",
    status: "active",
    repo: ".",
    state_file: stateFilePath(id),
    adapter: { kind: "generic_project_goal_v0", status: "connected" },
    coordination: { registered_agents: agents },
  };
}

function stateFilePath(id: string): string {
  return `.codex/goals/${id}/ACTIVE_GOAL_STATE.md`;
}

function goalFiles(goal: SampleGoal, project: string, now: Instant): readonly SampleFile[] {
  const state = goal.saved_minutes_ago === null ? [] : [stateFile(goal, ago(now, goal.saved_minutes_ago))];
  const runs = goal.runs.map((run) => ({ run, at: ago(now, run.minutes_ago) }));
  return [...state, ...runs.flatMap(({ run, at }) => runFiles(goal, run, at)), indexFile(goal, { project, now })];
}

function stateFile(goal: SampleGoal, saved_at: Instant): SampleFile {
  const text = `---
goal_id: ${goal.id}
status: active
updated_at: "${toRunTime(saved_at)}"
---
# ${goal.id}

## Objective

${goal.objective}

## User Todo / Owner Review Reading Queue

${todoLines(goal, "user")}
## Agent Todo

${todoLines(goal, "agent")}
## Next Action

- ${goal.next_action}

## Completed Work Archive

${todoLines(goal, "archive")}`;
  return { path: stateFilePath(goal.id), bytes: bytesOf(text), saved_at };
}

function todoLines(goal: SampleGoal, section: SampleTodo["section"]): string {
  const lines = goal.todos
    .filter((todo) => todo.section === section)
    .map(({ line, metadata }) => `- ${line}\n${metadata === undefined ? "" : `  <!-- loopx:todo ${metadata} -->\n`}`);
  return lines.length === 0 ? "" : `${lines.join("")}\n`;
}

function runFiles(goal: SampleGoal, run: SampleRun, at: Instant): readonly SampleFile[] {
  const record = { ...recordOf(goal, run, at), health_check: "state_file 1/1; registry_goal 1/1" };
  const summary = `# LoopX State Refresh\n\n- goal_id: \`${goal.id}\`\n- generated_at: \`${toRunTime(at)}\`\n\n## Recommended Action\n${run.recommended_action}\n`;
  const stem = `${runsFolder(goal)}/${runStem(toRunTime(at))}`;
  return [
    { path: `${stem}.json`, bytes: bytesOf(`${JSON.stringify(record, null, 2)}\n`), saved_at: at },
    { path: `${stem}.md`, bytes: bytesOf(summary), saved_at: at },
  ];
}

function runsFolder({ id }: SampleGoal): string {
  return `${RUNTIME_ROOT}/goals/${id}/runs`;
}

function recordOf(goal: SampleGoal, { classification, recommended_action, agent_id }: SampleRun, at: Instant): object {
  return { generated_at: toRunTime(at), goal_id: goal.id, classification, recommended_action, agent_id };
}

function indexFile(goal: SampleGoal, { project, now }: { readonly project: string; readonly now: Instant }): SampleFile {
  const rows = goal.runs.map((run) => {
    const at = ago(now, run.minutes_ago);
    const stem = `${project}/${runsFolder(goal)}/${runStem(toRunTime(at))}`;
    return JSON.stringify({ ...recordOf(goal, run, at), json_path: `${stem}.json`, markdown_path: `${stem}.md` });
  });
  const lines = goal.index === "whole" ? rows.map(bytesOf) : damaged(rows);
  const newest = Math.min(...goal.runs.map((run) => run.minutes_ago));
  return { path: `${runsFolder(goal)}/index.jsonl`, bytes: joined(lines), saved_at: ago(now, newest) };
}

/** What power cuts and two writers at once leave: a torn line, bytes that are no UTF-8, a run of NUL. Every row is still there. */
function damaged(rows: readonly string[]): readonly Uint8Array[] {
  const [first = "", ...rest] = rows;
  const torn = bytesOf(first.slice(0, Math.floor(first.length / 2)));
  const notUtf8 = Uint8Array.from([...bytesOf('{"generated_at": "2026-'), 0xff, 0xfe, ...bytesOf('"}')]);
  return [bytesOf(first), torn, notUtf8, new Uint8Array(512), ...rest.map(bytesOf)];
}

function joined(lines: readonly Uint8Array[]): Uint8Array {
  return Buffer.concat(lines.flatMap((line) => [line, bytesOf("\n")]));
}

function ago(now: Instant, minutes: number): Instant {
  return addMilliseconds(now, -minutes * MINUTE_MS);
}

function bytesOf(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}
