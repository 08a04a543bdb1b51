/**
 * A project in a temporary folder with real files, a store of either kind and a clock that tests move.
 *
 * The clock starts a day after the files are written, so that their times are settled whenever a test does not say otherwise.
 */

import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { editableFiles } from "../../src/adapters/files/editable-files.ts";
import { goalFolders } from "../../src/adapters/files/goal-folders.ts";
import { runFiles } from "../../src/adapters/files/run-index.ts";
import { runMirror } from "../../src/adapters/files/run-mirror.ts";
import { fileTree } from "../../src/adapters/files/tree.ts";
import { memoryDatabase } from "../../src/adapters/memory/database.ts";
import { memoryStore } from "../../src/adapters/memory/store.ts";
import { openStore } from "../../src/adapters/sqlite/store.ts";
import { systemDigest, systemIds } from "../../src/adapters/system/system.ts";
import type { App, DriftRequest, HistoryRequest, RefreshRequest, StatusRequest } from "../../src/commands/app.ts";
import { openApp } from "../../src/commands/open-app.ts";
import { PLAIN_RUN } from "../../src/commands/plain-run.ts";
import type { TeamWorld } from "../../src/commands/team-ports.ts";
import type { MovingWorkspace } from "../../src/commands/workspace.ts";
import { addMilliseconds, type Instant, instantFromEpoch } from "../../src/core/instant.ts";
import { done } from "../../src/core/result.ts";
import type { EditableFiles } from "../../src/ports/files.ts";
import type { Store } from "../../src/ports/store.ts";

export type StoreKind = "memory" | "sqlite";

export const STATE = [
  "---",
  "status: active",
  'updated_at: "2026-01-01T00:00:00+00:00"',
  "---",
  "# Alpha",
  "",
  "Prose that is nobody's business.",
  "",
  "## Objective",
  "",
  "Ship it.",
  "",
  "## Next Action",
  "",
  "- Begin.",
  "",
  "## User Todo / Owner Review Reading Queue",
  "",
  "- [ ] Review the plan",
  "",
  "## Agent Todo",
  "",
  "- [ ] [P1] Build the ground",
  "  <!-- loopx:todo todo_id=todo_ground status=open claimed_by=builder own_key=kept -->",
  "- [ ] Write it down",
  "- [x] Look around",
  "",
].join("\n");

export interface World {
  readonly workspace: MovingWorkspace;
  readonly app: App;
  readonly store: Store;
  readonly project: string;
  readonly registryPath: string;
  readonly stateFile: string;
  now(): Instant;
  advance(milliseconds: number): void;
  /** Replaces the state file of the first goal, as an editor does. */
  save(text: string): void;
  edit(change: (text: string) => string): void;
  text(): string;
  /** The same files and store, seen by another process. */
  close(): Promise<void>;
}

export interface WorldOptions {
  readonly store?: StoreKind;
  readonly state?: string;
  readonly goals?: readonly string[];
  readonly files?: Partial<EditableFiles>;
  readonly team?: (runtimeRoot: string) => TeamWorld;
}

export async function makeWorld(options: WorldOptions = {}): Promise<World> {
  const { store: kind = "memory", state = STATE, goals = ["alpha"], files = {}, team } = options;
  const project = realpathSync(mkdtempSync(join(tmpdir(), "loopx-world-")));
  const registryPath = join(project, ".loopx/registry.json");
  const runtime_root = join(project, ".loopx/runtime");
  write(registryPath, registryText(goals));
  for (const id of goals) write(statePath(project, id), state);
  const stateFile = statePath(project, goals[0] ?? "alpha");
  mkdirSync(runtime_root, { recursive: true });
  const store = kind === "memory" ? memoryStore({ database: memoryDatabase() }) : await openStore({ runtime_root });
  let now = instantFromEpoch(Math.floor(Date.now() / 1000) * 1000 + 86_400_000) as Instant;
  const workspace: MovingWorkspace = {
    roots: {
      registry_path: registryPath,
      registry_source: "flag",
      project_root: project,
      runtime_root,
      runtime_root_source: "registry",
    },
    home: project,
    store,
    files: { ...editableFiles, ...files },
    tree: fileTree,
    run_files: runFiles({ runtime_root }),
    mirror: runMirror({ runtime_root }),
    goal_folders: goalFolders({ runtime_root }),
    clock: { now: () => now },
    ids: systemIds,
    digest: systemDigest,
    log: { write: () => undefined },
    progress: { report: () => undefined },
    async writing() {
      return this;
    },
    async moving() {
      return this;
    },
    async checking(bounds) {
      return (await import("../../src/compose-checks.ts")).checkingIn(runtime_root, { env: process.env, bounds });
    },
    async agents() {
      return (await import("../../src/compose-agents.ts")).agentsIn(runtime_root, process.env);
    },
  };
  const text = (): string => readFileSync(stateFile, "utf8");
  const save = (next: string): void => writeFileSync(stateFile, next);
  return {
    workspace,
    app: openApp({
      workspace: async () => done(workspace),
      ground: noGround,
      submitting: noGround,
      team: team === undefined ? noTeam : async () => team(runtime_root),
      simulation: noGround,
    }),
    store,
    project,
    registryPath,
    stateFile,
    now: () => now,
    advance: (milliseconds) => {
      now = addMilliseconds(now, milliseconds);
    },
    save,
    edit: (change) => save(change(text())),
    text,
    close: async () => {
      await store.close();
      rmSync(project, { recursive: true, force: true });
    },
  };
}

export function statePath(project: string, id: string): string {
  return join(project, "goals", id, "ACTIVE_GOAL_STATE.md");
}

export function registryText(goals: readonly string[], more: Readonly<Record<string, unknown>> = {}): string {
  const entries = goals.map((id) => ({
    id,
    domain: "sample",
    status: "active",
    repo: ".",
    state_file: `goals/${id}/ACTIVE_GOAL_STATE.md`,
    adapter: { kind: "generic_project_goal_v0", status: "connected" },
    ...more,
  }));
  return `${JSON.stringify({ common_runtime_root: ".loopx/runtime", goals: entries }, null, 2)}\n`;
}

export function write(path: string, text: string | Uint8Array): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

export const REFRESH: RefreshRequest = {
  ...PLAIN_RUN,
  goalId: "alpha",
  classification: "progress",
};

export const STATUS: StatusRequest = {
  goalId: null,
  agentId: null,
  all: false,
  fields: [],
  cacheTtlSeconds: null,
  clearCache: false,
  limit: null,
  cursor: null,
};

export const DRIFT: DriftRequest = { goalId: "alpha", fix: false, dryRun: false, all: true, limit: null, cursor: null };

export const HISTORY: HistoryRequest = { goalId: "alpha", all: false, limit: null, cursor: null };

/** `init` and `doctor` are asked through the composed program, not through this. */
/** So are teams. */
function noTeam(): Promise<never> {
  return Promise.reject(new Error("this workspace has no team"));
}

function noGround(): Promise<never> {
  return Promise.reject(new Error("this workspace has no ground"));
}
