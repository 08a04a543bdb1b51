/**
 * The built program in a project of its own, as a person starts it: what every fault test works with.
 *
 * Does not own: what is tested, and building (`npm run build` comes first).
 */
import { spawn } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { constants, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Run } from "./trace.ts";

/** Another build can be tried in its place. */
const PROGRAM = process.env["TEST_PROGRAM"] ?? join(import.meta.dirname, "../../dist/loopx.cjs");

// biome-ignore lint/suspicious/noExplicitAny: answers are JSON records that tests look into.
export type Json = any;

export const STATE = [
  "---",
  "status: active",
  'updated_at: "2026-01-01T00:00:00+00:00"',
  "---",
  "# A goal",
  "",
  "## Objective",
  "",
  "Ship it.",
  "",
  "## Next Action",
  "",
  "- Begin.",
  "",
  "## Agent Todo",
  "",
  "- [ ] Build the ground",
  "  <!-- loopx:todo todo_id=todo_ground status=open own_key=kept -->",
  "- [ ] Write it down",
  "",
].join("\n");

export interface Project {
  readonly folder: string;
  readonly registry: string;
  readonly root: string;
  stateFile(goal?: string): string;
  argv(...args: readonly string[]): readonly string[];
  remove(): void;
}

/** A folder without a project. */
export function emptyFolder(): Project {
  if (!existsSync(PROGRAM)) throw new Error(`${PROGRAM} is missing: npm run build`);
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "loopx-fault-")));
  return projectIn(folder);
}

export function projectIn(folder: string): Project {
  return {
    folder,
    registry: join(folder, ".loopx/registry.json"),
    root: join(folder, ".loopx/runtime"),
    stateFile: (goal = "alpha") => join(folder, "goals", goal, "ACTIVE_GOAL_STATE.md"),
    argv: (...args) => [process.execPath, PROGRAM, ...args, "--json"],
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** A project with a registry and a state file for each goal; LoopX has not seen it yet. */
export function project(goals: readonly string[] = ["alpha"]): Project {
  const made = emptyFolder();
  writeTo(made.registry, registryText(goals));
  for (const goal of goals) writeTo(made.stateFile(goal), STATE);
  return made;
}

export function registryText(goals: readonly string[]): string {
  const entries = goals.map((id) => ({
    id,
    domain: "sample",
    status: "active",
    repo: ".",
    state_file: `goals/${id}/ACTIVE_GOAL_STATE.md`,
    adapter: { kind: "generic_project_goal_v0", status: "connected" },
  }));
  return `${JSON.stringify({ common_runtime_root: ".loopx/runtime", goals: entries }, null, 2)}\n`;
}

export function writeTo(path: string, text: string | Uint8Array): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

export interface Answered extends Run {
  readonly signal: string | null;
  readonly milliseconds: number;
}

export interface StartOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Milliseconds until it is given up (60 s). */
  readonly timeout?: number;
}

/** Runs a program to its end. */
export async function run(argv: readonly string[], options: StartOptions = {}): Promise<Answered> {
  const [program = "", ...args] = argv;
  const begin = performance.now();
  const child = spawn(program, args, {
    cwd: options.cwd,
    env: { ...process.env, ...options.env },
    stdio: ["ignore", "pipe", "pipe"],
    timeout: options.timeout ?? 60_000,
    killSignal: "SIGKILL",
  });
  const out: Buffer[] = [];
  const err: Buffer[] = [];
  child.stdout.on("data", (chunk: Buffer) => out.push(chunk));
  child.stderr.on("data", (chunk: Buffer) => err.push(chunk));
  const [code, signal] = await new Promise<[number | null, NodeJS.Signals | null]>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (status, by) => resolve([status, by]));
  });
  return {
    exit: code ?? 128 + (signal === null ? 0 : constants.signals[signal]),
    signal,
    stdout: Buffer.concat(out).toString(),
    stderr: Buffer.concat(err).toString(),
    milliseconds: performance.now() - begin,
  };
}

export async function loopx(of: Project, ...args: readonly string[]): Promise<Answered> {
  return await run(of.argv(...args), { cwd: of.folder });
}

/** The answer of a command that must succeed. */
export async function answer(of: Project, ...args: readonly string[]): Promise<Json> {
  const { exit, stdout, stderr } = await loopx(of, ...args);
  if (exit !== 0) throw new Error(`loopx ${args.join(" ")} ended with ${exit}: ${stdout}${stderr}`);
  return JSON.parse(stdout);
}

/** Every file below a folder with its bytes, by its path from there. */
export function bytesBelow(folder: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  for (const entry of entries) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isFile()) found.set(path.slice(folder.length + 1), readFileSync(path, "latin1"));
  }
  return new Map([...found].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Without the store and the log, which change with what was read. */
export function ownFiles(of: Project): ReadonlyMap<string, string> {
  return new Map([...bytesBelow(of.folder)].filter(([path]) => !/loopx\.(db|log)|\.tmp$/.test(path)));
}

/** Puts the folder of a project back to what it was when this was called. */
export function keep(of: Project): { readonly restore: () => void; readonly forget: () => void } {
  const copy = `${of.folder}.kept`;
  cpSync(of.folder, copy, { recursive: true, preserveTimestamps: true });
  return {
    restore: () => {
      rmSync(of.folder, { recursive: true, force: true });
      cpSync(copy, of.folder, { recursive: true, preserveTimestamps: true });
    },
    forget: () => rmSync(copy, { recursive: true, force: true }),
  };
}
