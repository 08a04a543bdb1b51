/** A working folder that tests fill, change and look at. */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { FileDigests, TreeHash, TreeHashRequest } from "../../ports/tree-hash.ts";
import { type TreeHashOptions, treeHasher } from "./tree-hash.ts";

const NO_DIGESTS: FileDigests = { find: () => null, note: () => undefined };

export type Asked = Partial<TreeHashRequest> & Partial<TreeHashOptions>;

export interface WorkingFolder {
  readonly folder: string;
  put(path: string, text?: string): void;
  git(...args: readonly string[]): void;
  look(asked?: Asked): Promise<TreeHash>;
  /** The digest; what was answered instead, where there is none. */
  hash(asked?: Asked): Promise<string>;
  /** Whether a step changes the digest, which two looks before it agree on. */
  changes(step: () => void, asked?: Asked): Promise<boolean>;
  remove(): void;
}

export function makeWorkingFolder(): WorkingFolder {
  const folder = join(realpathSync(mkdtempSync(join(tmpdir(), "loopx-tree-"))), "work");
  mkdirSync(folder);
  const look = (asked: Asked = {}): Promise<TreeHash> => lookAt({ folder, ...asked });
  const hash = async (asked: Asked = {}): Promise<string> => {
    const found = await look(asked);
    return found.kind === "hashed" ? found.tree_hash : JSON.stringify(found);
  };
  return {
    folder,
    put: (path, text = path) => {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    },
    git: (...args) => git(folder, args),
    look,
    hash,
    changes: async (step, asked = {}) => {
      const before = await hash(asked);
      if (!/^[0-9a-f]{64}$/.test(before) || (await hash(asked)) !== before) throw new Error(`no steady digest: ${before}`);
      step();
      return (await hash(asked)) !== before;
    },
    remove: () => rmSync(dirname(folder), { recursive: true, force: true }),
  };
}

function lookAt({ folder = "", exclude = [], inputs = null, ...options }: Asked): Promise<TreeHash> {
  return treeHasher({ digests: NO_DIGESTS, env: process.env, ...options }).hash({ folder, exclude, inputs });
}

function git(folder: string, args: readonly string[]): void {
  const env = { PATH: process.env["PATH"], HOME: folder, GIT_CONFIG_GLOBAL: "/dev/null" };
  execFileSync("git", ["-C", folder, "-c", "user.name=a", "-c", "user.email=a@b.c", ...args], { env, stdio: "ignore" });
}
