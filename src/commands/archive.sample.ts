/** A project with a registered goal, one that no registry names and files of every kind, on real disks and the real store. */
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { editableFiles } from "../adapters/files/editable-files.ts";
import { type FilePath, type FolderSteps, folderSteps } from "../adapters/files/folder-steps.ts";
import { goalFolders } from "../adapters/files/goal-folders.ts";
import { runFiles } from "../adapters/files/run-index.ts";
import { runMirror } from "../adapters/files/run-mirror.ts";
import { fileTree } from "../adapters/files/tree.ts";
import { openStore } from "../adapters/sqlite/store.ts";
import { systemDigest, systemIds } from "../adapters/system/system.ts";
import { addMilliseconds, type Instant, instantFromEpoch } from "../core/instant.ts";
import type { ArchiveRequest, RestoreRequest } from "./app.ts";
import { type ArchiveAnswer, archive } from "./archive.ts";
import type { MovingWorkspace } from "./workspace.ts";

const STATE = "# Alpha\n\n## Next Action\n\n- Begin.\n\n## Agent Todo\n\n- [ ] [P1] Build\n";

/** A folder on another file system than the temporary one; null where there is none. */
export const OTHER_DISK: string | null = otherDisk();

function otherDisk(): string | null {
  const place = "/dev/shm";
  return existsSync(place) && lstatSync(place).dev !== lstatSync(tmpdir()).dev ? place : null;
}

export interface ArchiveWorld {
  readonly folder: string;
  readonly root: string;
  readonly registry: string;
  readonly workspace: MovingWorkspace;
  goal(id: string): string;
  /** The same project as another process sees it; `steps` are those of its folders. */
  another(steps?: FolderSteps): Promise<MovingWorkspace>;
  leave(workspace: MovingWorkspace): Promise<void>;
  advance(milliseconds: number): void;
  /** Of a folder on the other disk that is removed with the rest. */
  elsewhere(): string;
  remove(): Promise<void>;
}

export async function archiveWorld(): Promise<ArchiveWorld> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "loopx-archive-")));
  const root = join(folder, "runtime");
  const registry = join(folder, ".loopx/registry.json");
  write(registry, registryText(root));
  write(join(folder, ".loopx/goals/alpha/ACTIVE_GOAL_STATE.md"), STATE);
  let now = instantFromEpoch(Math.floor(Date.now() / 1000) * 1000 + 86_400_000) as Instant;
  const clock = { now: (): Instant => now };
  const opened = new Set<MovingWorkspace>();
  const strays: string[] = [];
  const another = async (steps: FolderSteps = folderSteps): Promise<MovingWorkspace> => {
    const workspace = await workspaceIn(folder, { root, registry, clock, steps });
    opened.add(workspace);
    return workspace;
  };
  const goal = (id: string): string => join(root, "goals", id);
  fillGoal(goal("alpha"), "alpha");
  fillGoal(goal("old"), "old");
  return {
    folder,
    root,
    registry,
    workspace: await another(),
    goal,
    another,
    leave: async (workspace) => {
      opened.delete(workspace);
      await workspace.store.close();
    },
    advance: (milliseconds) => {
      now = addMilliseconds(now, milliseconds);
    },
    elsewhere: () => {
      const place = mkdtempSync(join(OTHER_DISK ?? folder, "loopx-elsewhere-"));
      strays.push(place);
      return place;
    },
    remove: async () => {
      for (const { store } of opened) await store.close();
      for (const place of [folder, ...strays]) rmSync(place, { recursive: true, force: true });
    },
  };
}

interface Place {
  readonly root: string;
  readonly registry: string;
  readonly clock: MovingWorkspace["clock"];
  readonly steps: FolderSteps;
}

async function workspaceIn(folder: string, { root, registry, clock, steps }: Place): Promise<MovingWorkspace> {
  const place = { runtime_root: root };
  return {
    roots: {
      registry_path: registry,
      registry_source: "flag",
      project_root: folder,
      runtime_root: root,
      runtime_root_source: "registry",
    },
    home: join(folder, "home"),
    store: await openStore(place),
    files: editableFiles,
    tree: fileTree,
    run_files: runFiles(place),
    mirror: runMirror(place),
    goal_folders: goalFolders(place, steps),
    clock,
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
    async checking() {
      return (await import("../compose-checks.ts")).checkingIn(place.runtime_root, { env: process.env });
    },
    async agents() {
      return (await import("../compose-agents.ts")).agentsIn(place.runtime_root, process.env);
    },
  };
}

function registryText(root: string): string {
  const alpha = {
    id: "alpha",
    display_name: "Alpha",
    state_file: ".loopx/goals/alpha/ACTIVE_GOAL_STATE.md",
    own: { kept: [1, 2] },
  };
  return `${JSON.stringify({ schema_version: "0.1", common_runtime_root: root, goals: [alpha] }, null, 2)}\n`;
}

/** Modes, links, empty folders, names of many kinds, and the index that other programs write. */
export function fillGoal(folder: string, id: string): void {
  const row = { generated_at: "2026-08-01T09:30:00+00:00", goal_id: id, classification: "progress", recommended_action: "go" };
  write(join(folder, "runs/index.jsonl"), `${JSON.stringify(row)}\n`);
  write(join(folder, "runs/2026-08-01T09-30-00-00-00.json"), JSON.stringify(row));
  write(join(folder, "evidence/данные 🚀.bin"), Buffer.from([0, 255, 10, 13, 0]));
  write(join(folder, "tool.sh"), "#!/bin/sh\n");
  chmodSync(join(folder, "tool.sh"), 0o750);
  mkdirSync(join(folder, "empty/deeper"), { recursive: true });
  chmodSync(join(folder, "empty"), 0o700);
  symlinkSync("runs/index.jsonl", join(folder, "link"));
  symlinkSync("/nowhere/at/all", join(folder, "dangling"));
  writeFileSync(Buffer.concat([Buffer.from(`${folder}/not-utf8-`), Buffer.from([0xff, 0xfe])]), "x");
  // Whole seconds, which a copy of their times gives back to the last digit.
  for (const name of ["tool.sh", "runs/index.jsonl", "runs/2026-08-01T09-30-00-00-00.json", "evidence/данные 🚀.bin"]) {
    utimesSync(join(folder, name), 1_700_000_000, 1_700_000_000);
  }
  utimesSync(Buffer.concat([Buffer.from(`${folder}/not-utf8-`), Buffer.from([0xff, 0xfe])]), 1_700_000_001, 1_700_000_001);
}

export function write(path: string, text: string | Uint8Array): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

/** Everything of a tree that must come back: names, kinds, modes, bytes, links, times of files. */
export function snapshot(folder: string): readonly string[] {
  const lines: string[] = [];
  const visit = (path: Buffer, name: string): void => {
    const stats = lstatSync(path);
    const mode = (stats.mode & 0o7777).toString(8);
    if (stats.isSymbolicLink()) lines.push(`${name} -> ${readlinkSync(path, "latin1")}`);
    else if (stats.isFile()) lines.push(`${name} ${mode} ${Math.round(stats.mtimeMs)} ${readFileSync(path, "latin1")}`);
    else lines.push(`${name}/ ${mode}`);
    if (!stats.isDirectory()) return;
    for (const child of readdirSync(path, { encoding: "buffer" }).sort(Buffer.compare)) {
      visit(Buffer.concat([path, Buffer.from("/"), child]), `${name}/${child.toString("latin1")}`);
    }
  };
  visit(Buffer.from(folder), "");
  return lines;
}

export function toArchive(goalId: string, change: Partial<ArchiveRequest> = {}): ArchiveRequest {
  return { goalId, archiveRoot: null, allowRegistered: false, dryRun: false, ...change };
}

export function toRestore(goalId: string, change: Partial<RestoreRequest> = {}): RestoreRequest {
  return { goalId, archivePath: null, archiveRoot: null, dryRun: false, ...change };
}

/** The number of a step before which everything stops, as a kill would; every later step fails too. */
export function dyingAt(step: number): { readonly steps: FolderSteps; readonly count: () => number } {
  let taken = 0;
  const dying =
    <A extends readonly unknown[], R>(work: (...given: A) => R) =>
    (...given: A): R => {
      taken += 1;
      if (taken >= step) throw new Error("killed");
      return work(...given);
    };
  const steps: FolderSteps = {
    makeFolder: dying(folderSteps.makeFolder),
    copyFile: dying(folderSteps.copyFile),
    copyLink: dying(folderSteps.copyLink),
    dress: dying(folderSteps.dress),
    append: dying(folderSteps.append),
    rename: dying(folderSteps.rename),
    removeFile: dying(folderSteps.removeFile),
    removeFolder: dying(folderSteps.removeFolder),
    sync: dying(folderSteps.sync),
  };
  return { steps, count: () => taken };
}

/** One file system by its device, two by what a rename says. */
export function bindMounted(): FolderSteps {
  const inArchive = (path: FilePath): boolean => String(path).includes("archived-goals");
  return {
    ...folderSteps,
    rename: (from, to) => {
      if (inArchive(from) !== inArchive(to)) throw Object.assign(new Error("EXDEV"), { code: "EXDEV" });
      folderSteps.rename(from, to);
    },
  };
}

export async function archived(workspace: MovingWorkspace, request: ReturnType<typeof toArchive>): Promise<ArchiveAnswer> {
  const reply = await archive(workspace, request);
  if (reply.kind !== "done") throw new Error(`${reply.code}: ${reply.message}`);
  return reply.value;
}

export async function codeOf(reply: Promise<{ readonly kind: string; readonly code?: string }>): Promise<string> {
  const { kind, code } = await reply;
  return code ?? kind;
}
