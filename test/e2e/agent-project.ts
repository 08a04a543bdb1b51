/** A project whose todos are programs, and the built `loopx` that runs them: what tests of running agents work with. */
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { readReport, type WorkerReport } from "../../src/core/host/worker-protocol.ts";

const PROGRAM = join(import.meta.dirname, "../../dist/loopx.cjs");

// biome-ignore lint/suspicious/noExplicitAny: answers are JSON records that tests look into.
export type Json = any;

export interface Todo {
  readonly id: string;
  /** Body of a program in JavaScript; `require`, `fs` and `sh` (runs a program, its output inherited) are there. */
  readonly program: string;
  readonly meta?: Readonly<Record<string, string>>;
}

export interface Ended {
  readonly exit: number | null;
  readonly out: string;
  readonly err: string;
  readonly json: Json;
}

const HEAD = `const fs = require("node:fs"); const { spawnSync } = require("node:child_process");
const sh = (...argv) => spawnSync(argv[0], argv.slice(1), { stdio: "inherit" });
const forever = () => setInterval(() => {}, 1000);
`;

export class AgentProject {
  readonly folder: string;
  readonly #children = new Set<ChildProcessWithoutNullStreams>();

  constructor(todos: readonly Todo[]) {
    // Spaces, letters of other scripts, and what a shell would read.
    this.folder = realpathSync(mkdtempSync(join(tmpdir(), "loopx run 漢 $(id);'-")));
    mkdirSync(this.path(".loopx"));
    const goal = {
      id: "g",
      domain: "d",
      status: "active",
      repo: ".",
      state_file: "GOAL.md",
      adapter: { kind: "k", status: "s" },
    };
    const registry = { schema_version: "0.1", common_runtime_root: ".loopx/runtime", goals: [goal] };
    writeFileSync(this.path(".loopx/registry.json"), JSON.stringify(registry));
    writeFileSync(
      this.path("GOAL.md"),
      `# g\n\n## User Todo\n\n## Agent Todo\n\n${todos.map((todo) => this.#line(todo)).join("\n")}\n`,
    );
  }

  #line({ id, program, meta = {} }: Todo): string {
    writeFileSync(this.path(`${id}.cjs`), HEAD + program);
    const all = { todo_id: id, run: JSON.stringify([process.execPath, `${id}.cjs`]), ...meta };
    const pairs = Object.entries(all).map(([key, value]) => `${key}=${encodeURIComponent(value).replaceAll("'", "%27")}`);
    return `- [ ] Do ${id}\n  <!-- loopx:todo ${pairs.join(" ")} -->`;
  }

  path(name: string): string {
    return join(this.folder, name);
  }

  read(name: string): string {
    return existsSync(this.path(name)) ? readFileSync(this.path(name), "utf8") : "";
  }

  write(name: string, text = ""): void {
    writeFileSync(this.path(name), text);
  }

  edit(change: (text: string) => string): void {
    this.write("GOAL.md", change(this.read("GOAL.md")));
  }

  start(...args: readonly string[]): ChildProcessWithoutNullStreams {
    return this.#startIn(this.folder, args);
  }

  #startIn(cwd: string, args: readonly string[]): ChildProcessWithoutNullStreams {
    const child = spawn(process.execPath, [PROGRAM, ...args], { cwd, stdio: "pipe" });
    this.#children.add(child);
    child.once("exit", () => this.#children.delete(child));
    return child;
  }

  async loopx(...args: readonly string[]): Promise<Ended> {
    return await endOf(this.start(...args));
  }

  async loopxFrom(cwd: string, ...args: readonly string[]): Promise<Ended> {
    return await endOf(this.#startIn(cwd, args));
  }

  async run(...more: readonly string[]): Promise<Ended> {
    return await this.loopx("run", "--goal-id", "g", "--agent-id", "a1", "--json", ...more);
  }

  /** How often a todo was closed, in the journal's own words. */
  async closings(id: string): Promise<number> {
    const { DatabaseSync } = await import("@photostructure/sqlite");
    const store = new DatabaseSync(this.path(".loopx/runtime/loopx.db"), { readOnly: true });
    const rows = store.prepare("select data from events where type = 'todo.closed'").all() as { data: string }[];
    store.close();
    return rows.filter(({ data }) => JSON.parse(data).todo_id === id).length;
  }

  async until(holds: () => boolean): Promise<void> {
    for (let tries = 0; tries < 1000; tries += 1) {
      if (holds()) return;
      await sleep(10);
    }
    throw new Error("it never came true");
  }

  remove(): void {
    for (const child of this.#children) child.kill("SIGKILL");
    rmSync(this.folder, { recursive: true, force: true });
  }
}

export async function endOf(child: ChildProcessWithoutNullStreams): Promise<Ended> {
  let [out, err] = ["", ""];
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    out += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    err += text;
  });
  const [exit] = await once(child, "close");
  return { exit, out, err, json: out.startsWith("{") && !out.startsWith('{"event"') ? JSON.parse(out) : null };
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
  } catch {
    return false;
  }
}

/** A worker whose reports are read as they come. */
export class WatchedWorker {
  readonly reports: WorkerReport[] = [];
  readonly ended: Promise<number | null>;
  readonly #child: ChildProcessWithoutNullStreams;

  constructor(child: ChildProcessWithoutNullStreams) {
    this.#child = child;
    createInterface(child.stdout).on("line", (line) => {
      const read = readReport(line);
      if (read.kind !== "done") throw new Error(`no report: ${line}`);
      this.reports.push(read.value);
    });
    this.ended = once(child, "close").then(([exit]) => exit);
  }

  order(order: object): void {
    this.#child.stdin.write(`${JSON.stringify(order)}\n`);
  }

  hangUp(): void {
    this.#child.stdin.end();
  }

  has(event: string): boolean {
    return this.reports.some((report) => report.event === event);
  }

  last(): WorkerReport | undefined {
    return this.reports.at(-1);
  }
}
