// The program as people run it, but for its workers, which are `worker.mjs`.
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { build } from "esbuild";
import { registryText, STATE, statePath } from "./workspace.ts";

const ROOT = join(import.meta.dirname, "../..");
const WORKER = join(import.meta.dirname, "worker.mjs");

const PROGRAM = `
import { processHost, start } from "./surfaces/cli/process-host.ts";
import { compose } from "./compose.ts";
const workers = [process.execPath, process.env.TEST_PROGRAM];
void start(processHost({ open: async (settings) => compose({ ...settings, program: workers }), serve: async () => { throw new Error("no"); } }));
`;
/** Started as a program, it is a worker when it is told to \`run\`, else the command line. */
const SWITCH = (program: string): string => `
process.env.TEST_PROGRAM = __filename;
if (process.argv[2] === "run") import(${JSON.stringify(WORKER)});
else require(${JSON.stringify(program)});
`;

export interface Line {
  readonly event?: string;
  readonly agent_id?: string | null;
  readonly [fact: string]: unknown;
}

export interface Launched {
  readonly child: ChildProcess;
  readonly lines: readonly Line[];
  readonly err: () => string;
  /** The first line that is so, also of those that came already. */
  line(is: (line: Line) => boolean): Promise<Line>;
  readonly ended: Promise<number | null>;
}

export class TeamProject {
  static #built: Promise<string> | null = null;
  readonly folder: string;
  readonly root: string;
  readonly #program: string;
  readonly #children: ChildProcess[] = [];

  static async make(
    options: { readonly root?: string; readonly registry?: Readonly<Record<string, unknown>> } = {},
  ): Promise<TeamProject> {
    TeamProject.#built ??= built();
    return new TeamProject(await TeamProject.#built, options);
  }

  private constructor(
    program: string,
    { root = ".loopx/runtime", registry = {} }: { root?: string; registry?: Readonly<Record<string, unknown>> },
  ) {
    this.folder = realpathSync(mkdtempSync(join(tmpdir(), "loopx-team-")));
    this.root = join(this.folder, root);
    this.#program = join(this.folder, "loopx.cjs");
    writeFileSync(this.#program, SWITCH(program));
    this.write(".loopx/registry.json", registryText(["alpha"], registry));
    this.write(statePath("", "alpha"), STATE);
    mkdirSync(join(this.folder, "fake"));
  }

  write(path: string, text: string): void {
    const place = join(this.folder, path);
    mkdirSync(dirname(place), { recursive: true });
    writeFileSync(place, text);
  }

  /** Of what workers left. */
  left(name: string): readonly string[] {
    const path = join(this.folder, "fake", name);
    return existsSync(path) ? readFileSync(path, "utf8").split("\n").filter(Boolean) : [];
  }

  #env(script: Readonly<Record<string, readonly string[]>>): NodeJS.ProcessEnv {
    const { LOOPX_REGISTRY: _, ...env } = process.env;
    return { ...env, FAKE_WORKER: JSON.stringify(script), FAKE_FOLDER: join(this.folder, "fake") };
  }

  launch(script: Readonly<Record<string, readonly string[]>>, ...args: readonly string[]): Launched {
    const argv = [this.#program, "launch", "--json", `--runtime-root=${this.root}`, ...args];
    const child = spawn(process.execPath, argv, { cwd: this.folder, env: this.#env(script), stdio: ["ignore", "pipe", "pipe"] });
    this.#children.push(child);
    return follow(child);
  }

  run(...args: readonly string[]): { readonly status: number | null; readonly out: string; readonly err: string } {
    const run = spawnSync(process.execPath, [this.#program, ...args, `--runtime-root=${this.root}`], {
      cwd: this.folder,
      env: this.#env({}),
      encoding: "utf8",
    });
    return { status: run.status, out: run.stdout, err: run.stderr };
  }

  runWith(script: Readonly<Record<string, readonly string[]>>, ...args: readonly string[]): ReturnType<TeamProject["run"]> {
    const run = spawnSync(process.execPath, [this.#program, ...args, `--runtime-root=${this.root}`], {
      cwd: this.folder,
      env: this.#env(script),
      encoding: "utf8",
    });
    return { status: run.status, out: run.stdout, err: run.stderr };
  }

  /** Ends what a test left, by its own number, and takes the folder away. */
  remove(): void {
    for (const child of this.#children) if (child.exitCode === null && child.signalCode === null) child.kill("SIGKILL");
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
  }
}

function follow(child: ChildProcess): Launched {
  const lines: Line[] = [];
  const waiting: (() => void)[] = [];
  let rest = "";
  let err = "";
  let over = false;
  const tell = (): void => {
    for (const look of [...waiting]) look();
  };
  child.stderr?.on("data", (bytes) => {
    err += String(bytes);
  });
  child.stdout?.on("data", (bytes) => {
    rest += String(bytes);
    const parts = rest.split("\n");
    rest = parts.pop() ?? "";
    for (const part of parts) lines.push(lineOf(part));
    tell();
  });
  const ended = once(child, "close").then(([code]) => {
    over = true;
    if (rest !== "") lines.push(lineOf(rest));
    tell();
    return code as number | null;
  });
  return {
    child,
    lines,
    err: () => err,
    ended,
    line: (is) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          const found = lines.find(is);
          if (found !== undefined) resolve(found);
          else if (over)
            reject(new Error(`it ended without such a line:\n${lines.map((line) => JSON.stringify(line)).join("\n")}\n${err}`));
        };
        waiting.push(look);
        look();
      }),
  };
}

function lineOf(text: string): Line {
  try {
    return JSON.parse(text);
  } catch {
    return { text };
  }
}

/** Beside the packages that the program loads. */
async function built(): Promise<string> {
  const outfile = join(ROOT, "node_modules/.cache/loopx-team", `program-${process.pid}.cjs`);
  await build({
    stdin: { contents: PROGRAM, resolveDir: join(ROOT, "src"), loader: "ts" },
    outfile,
    bundle: true,
    format: "cjs",
    platform: "node",
    target: "node20.19",
    logLevel: "silent",
    external: ["@photostructure/sqlite"],
    define: { "import.meta.dirname": "__dirname", "import.meta.filename": "__filename" },
  });
  return outfile;
}

/** Numbers of processes whose environment has the text. */
export function processesWith(text: string): readonly number[] {
  return readdirSync("/proc")
    .map(Number)
    .filter((pid) => Number.isInteger(pid) && pid > 0 && environOf(pid).includes(text));
}

function environOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/stat`, "utf8").includes(") Z ") ? "" : readFileSync(`/proc/${pid}/environ`, "utf8");
  } catch {
    return "";
  }
}
