/**
 * What Git counts as the files of a folder: tracked ones, and untracked ones that are not ignored.
 *
 * G1  A repository runs nothing: its file-system monitor is off, and no variable leads Git to another repository.
 */
import { lstatSync } from "node:fs";
import { dirname, join } from "node:path";

type Env = Readonly<Record<string, string | undefined>>;

const PASSED_ON = ["PATH", "HOME", "XDG_CONFIG_HOME", "SYSTEMROOT", "USERPROFILE"] as const;
const TIMEOUT_MS = 30_000;
const MOST_BYTES = 64 * 1024 * 1024;

/** Paths below the folder, bytes as Latin-1; a repository inside is one path. Null where Git has no say. */
export async function gitFiles(folder: string, env: Env): Promise<readonly string[] | null> {
  if (!isInWorkTree(folder)) return null;
  const isTop = exists(join(folder, ".git"));
  // In a folder that is ignored as a whole Git sees nothing, which is not what is there.
  if (!isTop && (await git(folder, ["check-ignore", "-q", "--", "."], env)).code !== 1) return null;
  const { code, output } = await git(folder, ["ls-files", "-co", "--exclude-standard", "-z"], env);
  if (code !== 0) return null;
  return [...new Set(output.split("\0"))].filter((path) => path !== "").map((path) => path.replace(/\/$/, ""));
}

function isInWorkTree(folder: string): boolean {
  for (let at = folder; ; at = dirname(at)) {
    if (exists(join(at, ".git"))) return true;
    if (dirname(at) === at) return false;
  }
}

function exists(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false;
  }
}

interface GitEnd {
  /** Null when Git is not there or did not end. */
  readonly code: number | null;
  readonly output: string;
}

async function git(cwd: string, args: readonly string[], env: Env): Promise<GitEnd> {
  const { execFile } = await import("node:child_process");
  const passed = Object.fromEntries(PASSED_ON.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]])));
  const options = {
    cwd,
    env: { ...passed, LC_ALL: "C", GIT_OPTIONAL_LOCKS: "0" },
    encoding: "latin1",
    maxBuffer: MOST_BYTES,
    timeout: TIMEOUT_MS,
    killSignal: "SIGKILL",
  } as const;
  return await new Promise((resolve) => {
    execFile("git", ["-c", "core.fsmonitor=false", ...args], options, (error, output) => {
      resolve({ code: error === null ? 0 : exitCode(error.code), output });
    });
  });
}

function exitCode(code: unknown): number | null {
  return typeof code === "number" ? code : null;
}
