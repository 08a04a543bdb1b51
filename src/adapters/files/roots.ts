/**
 * The world as `core/registry/resolve-roots.ts` asks about it.
 *
 * V1  The runtime root is taken from the beginning of a registry where that shows it: finding the root costs the same for
 *     one goal and for ten thousand.
 */
import { closeSync, constants, lstatSync, openSync, readSync, realpathSync, type Stats, statSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { declaredRoot } from "../../core/registry/declared-root.ts";
import { isJsonObject } from "../../core/registry/fields.ts";
import type { JsonDocument } from "../../core/registry/json-node.ts";
import { findRootMember, parseJsonText } from "../../core/registry/json-text.ts";
import { placesIn } from "../../core/registry/place.ts";
import type { DeclaredRoot } from "../../core/registry/registry.ts";
import type { RootsView } from "../../core/registry/resolve-roots.ts";
import { done, type Problem, type Reply, reject } from "../../core/result.ts";
import { errnoOf, faultOf, problemAt } from "./file-fault.ts";
import { readText } from "./read-text.ts";

const KEY = "common_runtime_root";
const BEGINNING_BYTES = 4 * 1024;

export interface Surroundings {
  readonly cwd: string;
  readonly home: string;
  /** `LOOPX_REGISTRY`. */
  readonly env_registry: string | null;
}

export function rootsView(surroundings: Surroundings): RootsView {
  return { ...surroundings, look, realPath, mainRepositoryOf, readRuntimeRoot };
}

function look(path: string): ReturnType<RootsView["look"]> {
  const stats = statOrErrno(path);
  if (stats === "ENOENT" || stats === "ENOTDIR") return lstatOrErrno(path);
  if (typeof stats === "string") return "other";
  if (stats.isDirectory()) return "folder";
  return stats.isFile() ? "file" : "other";
}

/** A symlink that leads nowhere is something. */
function lstatOrErrno(path: string): "other" | "missing" {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) === undefined ? "missing" : "other";
  } catch {
    return "missing";
  }
}

function statOrErrno(path: string): Stats | string {
  try {
    return statSync(path);
  } catch (error) {
    return errnoOf(error) ?? "EIO";
  }
}

/** With symlinks resolved in the longest part of the path that exists. */
function realPath(path: string): string {
  try {
    return realpathSync.native(path);
  } catch (error) {
    const parent = dirname(path);
    if (parent === path || !["ENOENT", "ENOTDIR", "EACCES", "ELOOP"].includes(errnoOf(error) ?? "")) throw faultOf(error, path);
    return join(realPath(parent), basename(path));
  }
}

/** A linked worktree's `.git` is a file that names its folder inside the main repository's `.git`. */
function mainRepositoryOf(folder: string): string | null {
  const dotGit = nearestDotGit(folder);
  const pointer = dotGit === null ? null : firstLine(dotGit);
  if (dotGit === null || pointer === null || !pointer.startsWith("gitdir:")) return null;
  const gitFolder = resolve(dirname(dotGit), pointer.slice("gitdir:".length).trim());
  const common = firstLine(join(gitFolder, "commondir"));
  if (common === null) return null;
  const shared = resolve(gitFolder, common);
  return basename(shared) === ".git" ? dirname(shared) : null;
}

function nearestDotGit(folder: string): string | null {
  for (let at = folder; ; at = dirname(at)) {
    const path = join(at, ".git");
    if (look(path) !== "missing") return look(path) === "file" ? path : null;
    if (dirname(at) === at) return null;
  }
}

function firstLine(path: string): string | null {
  const read = readText(path, 4096);
  return read.kind === "text" ? (read.text.split(/\r?\n/, 1)[0] ?? "").trim() : null;
}

type RootReading = ReturnType<RootsView["readRuntimeRoot"]>;

function readRuntimeRoot(path: string): RootReading {
  const found = findRootMember(beginningOf(path), KEY);
  if (found !== undefined && typeof found.value === "string") return done(declaredRoot(found.value)); // V1
  const read = readText(path);
  if (read.kind === "missing") return unreadable(problemAt(path, "registry_not_found", "does not exist"));
  if (read.kind === "unreadable") return unreadable(read.problem);
  const document = parseJsonText(read.text);
  if (document.ok) return declaredIn(document, path);
  const { code, message, line, column } = document.problem;
  return unreadable({ path, code, line, column, message: `${path}:${line}:${column}: ${message}` });
}

function declaredIn(document: JsonDocument, path: string): RootReading {
  const { value: root } = document;
  if (!isJsonObject(root)) {
    return unreadable({
      ...problemAt(path, "registry_not_object", "must hold a JSON object"),
      ...placesIn(document, path).of([]),
    });
  }
  const declared: DeclaredRoot = declaredRoot(root[KEY]);
  if (declared.kind !== "invalid") return done(declared);
  const { line, column } = placesIn(document, path).of([KEY]);
  const message = `${path}:${line}:${column}: ${declared.message}`;
  return done({ ...declared, message, at: { path, line, column, code: "registry_runtime_root_invalid", message } });
}

function unreadable(problem: Problem): Reply<never> {
  return reject(problem.code, problem.message, { problems: [problem] });
}

/** As text; empty for a small file, and for what cannot be read: the full reading says more about both. */
function beginningOf(path: string): string {
  let descriptor: number;
  try {
    descriptor = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY);
  } catch {
    return "";
  }
  try {
    const bytes = Buffer.alloc(BEGINNING_BYTES);
    const count = readSync(descriptor, bytes, 0, bytes.length, 0);
    if (count < bytes.length) return "";
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes.subarray(0, count), { stream: true });
  } catch {
    return "";
  } finally {
    closeSync(descriptor);
  }
}
