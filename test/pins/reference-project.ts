/** A small project as the reference leaves it, and the built program to run on it. */
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

const PROGRAM = join(import.meta.dirname, "../../dist/loopx.cjs");

export interface Ran {
  readonly exit: number | null;
  readonly out: string;
  readonly err: string;
  readonly answer: { readonly [key: string]: unknown };
}

export interface ReferenceProject {
  readonly root: string;
  /** Without the program; in the project's folder. */
  readonly run: (args: readonly string[], env?: Readonly<Record<string, string>>) => Ran;
  readonly read: (path: string) => string;
  readonly remove: () => void;
}

const STATE_FILE = `---
goal_id: orchard
status: active
updated_at: 2026-05-04T07:00:00+00:00
---
# Orchard

## Agent Todo

- [ ] [P1] Graft the young pear trees.
  <!-- loopx:todo todo_id=todo_graft_pears status=open task_class=advancement_task -->

## Next Action

- Graft the young pear trees.

## Progress Ledger

- Rootstocks have arrived.
`;

const REGISTRY = {
  schema_version: "0.1",
  updated_at: "2026-05-04T07:00:00+00:00",
  common_runtime_root: "runtime",
  goals: ["orchard", "meadow"].map((id) => ({
    id,
    domain: "garden",
    status: "active",
    repo: ".",
    state_file: `.codex/goals/${id}/ACTIVE_GOAL_STATE.md`,
    adapter: { kind: "generic_project_goal_v0", status: "connected" },
    ...(id === "orchard" && { coordination: { registered_agents: ["gardener"] } }),
  })),
};

export function referenceProject(): ReferenceProject {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "loopx-pins-")));
  const project = join(root, "project");
  const put = (path: string, text: string): void => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  };
  put("home/.keep", "");
  put(
    "project/.loopx/registry.json",
    JSON.stringify({ ...REGISTRY, goals: REGISTRY.goals.map((goal) => ({ ...goal, repo: project })) }),
  );
  put("project/.codex/goals/orchard/ACTIVE_GOAL_STATE.md", STATE_FILE);
  put("project/.codex/goals/meadow/ACTIVE_GOAL_STATE.md", STATE_FILE.replaceAll("orchard", "meadow"));
  const runs = join(project, "runtime/goals/orchard/runs");
  put("project/runtime/goals/orchard/runs/index.jsonl", ["07:10:00", "07:40:00"].map((time) => rowText(runs, time)).join(""));
  return {
    root,
    run: (args, env = {}) => ran(project, args, { HOME: join(root, "home"), TZ: "UTC", ...env }),
    read: (path) => readFileSync(join(project, path), "utf8"),
    remove: () => rmSync(root, { recursive: true, force: true }),
  };
}

function rowText(runs: string, time: string): string {
  const stem = `2026-05-04T${time.replaceAll(":", "-")}-00-00`;
  const row = {
    generated_at: `2026-05-04T${time}+00:00`,
    goal_id: "orchard",
    classification: "state_refreshed",
    recommended_action: "Graft the young pear trees.",
    health_check: "state_file 1/1",
    json_path: `${runs}/${stem}.json`,
    markdown_path: `${runs}/${stem}.md`,
  };
  return `${JSON.stringify(row)}\n`;
}

function ran(cwd: string, args: readonly string[], env: Readonly<Record<string, string>>): Ran {
  const done = spawnSync(process.execPath, [PROGRAM, ...args], {
    cwd,
    env: { ...env, PATH: process.env["PATH"] },
    encoding: "utf8",
  });
  return { exit: done.status, out: done.stdout, err: done.stderr, answer: answerOf(done.stdout) };
}

function answerOf(text: string): Ran["answer"] {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}
