/** The folder that a case runs in: made from its input, compared before and after a step. */
import { createHash } from "node:crypto";
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";

const PLACEHOLDER = "__ROOT__";

/** A new folder with the input of the case. */
export function materialise(input: string): string {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "loopx-reference-")));
  copyInto(root, { from: input, to: root });
  return root;
}

export function copyInto(root: string, { from, to }: { readonly from: string; readonly to: string }): void {
  mkdirSync(to, { recursive: true });
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const source = join(from, entry.name);
    if (entry.isDirectory()) copyInto(root, { from: source, to: join(to, entry.name) });
    else if (entry.name.endsWith(".symlink")) linkFrom(root, { source, target: join(to, entry.name.slice(0, -8)) });
    else if (entry.name !== ".keep") writeFileSync(join(to, entry.name), filled(root, readFileSync(source)));
  }
}

function linkFrom(root: string, { source, target }: { readonly source: string; readonly target: string }): void {
  symlinkSync(filled(root, readFileSync(source)).toString().trim(), target);
}

/** Bytes that are no UTF-8 stay what they are. */
function filled(root: string, bytes: Buffer): Buffer {
  return Buffer.from(bytes.toString("latin1").replaceAll(PLACEHOLDER, Buffer.from(root).toString("latin1")), "latin1");
}

export function withRoot(root: string, text: string): string {
  return text.replaceAll(PLACEHOLDER, root);
}

export function withoutRoot(root: string, text: string): string {
  return text.replaceAll(root, PLACEHOLDER);
}

export type Snapshot = ReadonlyMap<string, string>;

/** Relative path of every file, with a digest of its bytes; links by their target, folders only when they are empty. */
export function snapshot(root: string): Snapshot {
  const files = new Map<string, string>();
  const walk = (folder: string): void => {
    const entries = readdirSync(folder, { withFileTypes: true });
    if (entries.length === 0) files.set(relative(root, folder), "empty folder");
    for (const entry of entries) {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) walk(path);
      else files.set(relative(root, path), entry.isSymbolicLink() ? readlinkSync(path) : digestOf(path));
    }
  };
  walk(root);
  return files;
}

function digestOf(path: string): string {
  return createHash("sha256").update(readFileSync(path)).digest("hex");
}

export interface Changes {
  readonly added: readonly string[];
  readonly changed: readonly string[];
  readonly removed: readonly string[];
}

export function changesBetween(before: Snapshot, after: Snapshot): Changes {
  return {
    added: [...after.keys()].filter((path) => !before.has(path)),
    changed: [...after].filter(([path, digest]) => before.has(path) && before.get(path) !== digest).map(([path]) => path),
    removed: [...before.keys()].filter((path) => !after.has(path)),
  };
}
