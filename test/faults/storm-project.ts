/**
 * A project for storms of kills: goals whose todos are programs of `storm-host.mjs`, what is seen of their turns, and their processes.
 *
 * Does not own: whom a storm kills and when (`kill-storm.test.ts`), what has to hold afterwards (`storm-check.ts`).
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { type FSWatcher, mkdirSync, readdirSync, readFileSync, readlinkSync, watch } from "node:fs";
import { join } from "node:path";
import type { TurnPhase, TurnRecord } from "../../src/core/host/turn-record.ts";
import { emptyFolder, type Project, registryText, writeTo } from "./program.ts";

const HOST = join(import.meta.dirname, "storm-host.mjs");
/** What hosts do beside their work: nothing; hand the result over early; leave a process running; need two turns. */
const HABITS = ["plain", "submits", "leaves", "halves"] as const;

export interface StormProject extends Project {
  readonly goals: readonly string[];
  readonly todos: readonly string[];
  readonly log: string;
}

export function stormProject(goals: readonly string[], count: number): StormProject {
  const made = emptyFolder();
  const log = join(made.folder, "log");
  const todos = Array.from({ length: count }, (_, at) => `todo_work${at}`);
  writeTo(made.registry, registryText(goals).replaceAll('"repo": "."', '"repo": "work"'));
  mkdirSync(join(made.folder, "work"));
  writeTo(log, "");
  for (const [nth, goal] of goals.entries()) {
    const lines = todos.flatMap((todo, at) => (at % goals.length === nth ? [lineOf(log, todo, at)] : []));
    writeTo(join(made.folder, "work", stateFileOf(goal)), `# A goal\n\n## User Todo\n\n## Agent Todo\n\n${lines.join("\n")}\n`);
    mkdirSync(turnsOf(made, goal), { recursive: true });
  }
  return { ...made, stateFile: (goal = "alpha") => join(made.folder, "work", stateFileOf(goal)), goals, todos, log };
}

function stateFileOf(goal: string): string {
  return `goals/${goal}/ACTIVE_GOAL_STATE.md`;
}

function turnsOf({ root }: Project, goal: string): string {
  return join(root, "goals", goal, "turns");
}

function lineOf(log: string, todo: string, at: number): string {
  const habit = HABITS[at % HABITS.length] ?? "plain";
  const run = encodeURIComponent(JSON.stringify([process.execPath, HOST, log, habit]));
  const check = encodeURIComponent([process.execPath, HOST, log, "checks", todo].join(" "));
  return `- [ ] Do ${todo}\n  <!-- loopx:todo todo_id=${todo} run=${run} validation_command=${check} -->`;
}

/** What hosts and checks said, a line each. */
export function said({ log }: StormProject): readonly { readonly word: string; readonly todo: string; readonly turn: string }[] {
  const lines = readFileSync(log, "utf8").split("\n").filter(Boolean);
  return lines.map((line) => {
    const [word = "", todo = "", turn = ""] = line.split(" ");
    return { word, todo, turn };
  });
}

export interface Started {
  readonly child: ChildProcess;
  /** Of what it printed, both channels. */
  readonly text: () => string;
  readonly ended: Promise<number | null>;
}

export function start(of: StormProject, ...args: readonly string[]): Started {
  const [program = "", ...rest] = of.argv(...args);
  const child = spawn(program, rest, { cwd: of.folder, stdio: ["ignore", "pipe", "pipe"] });
  let text = "";
  for (const channel of [child.stdout, child.stderr])
    channel.on("data", (bytes) => {
      text += String(bytes);
    });
  return { child, text: () => text, ended: once(child, "exit").then(([code]) => code) };
}

/** Turns that were not told yet. */
export function turnRecords(of: StormProject): readonly TurnRecord[] {
  const paths = of.goals.flatMap((goal) => {
    const names = readdirSync(turnsOf(of, goal)).filter((name) => /^[\w-]+\.json$/.test(name));
    return names.map((name) => join(turnsOf(of, goal), name));
  });
  return paths.flatMap((path) => {
    try {
      return [JSON.parse(readFileSync(path, "utf8"))];
    } catch (error) {
      if (isMissing(error)) return []; // It was told meanwhile.
      throw error;
    }
  });
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ENOENT";
}

/** Calls back each time that a turn comes to a phase, at once: some last for a few milliseconds. */
export function onPhase(of: StormProject, see: (phase: TurnPhase["kind"]) => void): () => void {
  const known = new Set<string>();
  const look = (): void => {
    for (const { turn_id, phase } of turnRecords(of)) {
      const key = `${turn_id} ${phase.kind}`;
      if (known.has(key)) continue;
      known.add(key);
      see(phase.kind);
    }
  };
  const watchers: FSWatcher[] = of.goals.map((goal) => watch(turnsOf(of, goal), look));
  return () => {
    for (const watcher of watchers) watcher.close();
  };
}

export type Role = "host" | "worker" | "supervisor" | "other";

export interface Seen {
  readonly pid: number;
  readonly role: Role;
  readonly argv: string;
}

/** Every process that has to do with the project: by its arguments, its environment or its folder. A dead one that nobody took away is none. */
export function processesOf({ folder }: Project): readonly Seen[] {
  const pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid);
  return pids.flatMap((pid) => {
    try {
      const argv = readFileSync(`/proc/${pid}/cmdline`, "utf8");
      const environ = readFileSync(`/proc/${pid}/environ`, "utf8");
      if (![argv, environ, readlinkSync(`/proc/${pid}/cwd`)].some((text) => text.includes(folder))) return [];
      if (readFileSync(`/proc/${pid}/stat`, "utf8").includes(") Z ")) return [];
      return [{ pid: Number(pid), role: roleOf(argv, environ), argv: argv.replaceAll("\0", " ") }];
    } catch {
      return []; // It has ended by now.
    }
  });
}

function roleOf(argv: string, environ: string): Role {
  if (argv.includes("\0launch\0")) return "supervisor";
  if (argv.includes("\0run\0")) return "worker";
  return environ.includes("\0LOOPX_TURN_ID=") || environ.startsWith("LOOPX_TURN_ID=") ? "host" : "other";
}
