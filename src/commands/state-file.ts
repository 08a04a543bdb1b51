/**
 * The state file of a goal as it stands on disk.
 *
 * Does not own: what changed in it (`reconcile-plan.ts`) and writing it (`render-plan.ts`).
 *
 * F1  A state file that a link takes out of the folder it was declared in is not read and not written.
 * F2  What cannot be read is a value with its place; it is never taken for an empty file.
 */
import { type Instant, instantFromEpoch } from "../core/instant.ts";
import { parsePlan } from "../core/plan/parse.ts";
import type { Diagnostic, Plan } from "../core/plan/plan.ts";
import type { Problem } from "../core/result.ts";
import type { Workspace } from "./workspace.ts";

export interface StateText {
  readonly kind: "read";
  /** As declared, links not followed. */
  readonly path: string;
  readonly text: string;
  readonly sha256: string;
  /** Of the text with line endings as LF, 16 digits (data-plane 5). */
  readonly sha256_16: string;
  readonly fingerprint: string;
  readonly changed_at: Instant;
  readonly plan: Plan;
  /** Lines that could not be understood. */
  readonly problems: readonly Problem[];
}

export type StateReading =
  | StateText
  | { readonly kind: "missing"; readonly path: string; readonly since: Instant }
  | { readonly kind: "unreadable"; readonly path: string; readonly since: Instant; readonly problem: Problem }
  | { readonly kind: "not_declared"; readonly since: Instant };

/** Why nothing may rest on what people declare; null: it was read, or the goal declares no file. */
export function stateProblem(state: StateReading): Problem | null {
  if (state.kind === "unreadable") return state.problem;
  if (state.kind !== "missing") return null;
  const { path } = state;
  return { path, code: "state_file_not_found", message: `there is no state file at ${path}` };
}

export type StateFilePorts = Pick<Workspace, "roots" | "home" | "files" | "tree" | "digest" | "clock">;

export function readStateFile(
  workspace: StateFilePorts,
  path: string | null,
  from: { readonly folder: string; readonly since: Instant },
): StateReading {
  if (path === null) return { kind: "not_declared", since: from.since };
  const strayed = strayedProblem(workspace, path, from.folder);
  if (strayed !== null) return { kind: "unreadable", path, since: sinceOf(workspace, path, from.since), problem: strayed };
  const read = workspace.files.readText(path);
  switch (read.kind) {
    case "missing":
      return { kind: "missing", path, since: sinceOf(workspace, parentOf(path), from.since) };
    case "unreadable":
      return { kind: "unreadable", path, since: sinceOf(workspace, path, from.since), problem: read.problem };
    case "text":
      return textOf(workspace, path, read);
  }
}

/** (F1) A path that was declared outside of the folder is the person's choice; a link that leads out is not. */
export function strayedProblem(workspace: Pick<Workspace, "tree">, path: string, folder: string): Problem | null {
  const real = workspace.tree.realPath(path);
  const allowed = workspace.tree.realPath(isWithin(path, folder) ? folder : parentOf(path));
  if (real === null || allowed === null || isWithin(real, allowed)) return null;
  return { path, code: "state_file_outside", message: `a link leads out of ${folder}; name the file itself in the registry` };
}

/** The folder that a state file must stay in when it is replaced. */
export function homeOf(path: string, folder: string): string {
  return isWithin(path, folder) ? folder : parentOf(path);
}

function textOf(
  workspace: StateFilePorts,
  path: string,
  read: { readonly text: string; readonly fingerprint: string },
): StateText {
  const plan = parsePlan(read.text);
  return {
    kind: "read",
    path,
    text: read.text,
    sha256: workspace.digest.sha256(read.text),
    sha256_16: workspace.digest.sha256(read.text.replace(/\r\n?/g, "\n")).slice(0, 16),
    fingerprint: read.fingerprint,
    changed_at: changedAt(read.fingerprint) ?? workspace.clock.now(),
    plan,
    problems: plan.diagnostics.filter(isWorthSaying).map((diagnostic) => problemOf(path, diagnostic)),
  };
}

/** Warnings about sections that a file need not have are for `doctor`, not for every status. */
function isWorthSaying(diagnostic: Diagnostic): boolean {
  return diagnostic.severity === "error" || diagnostic.line !== null;
}

function problemOf(path: string, { code, line, message }: Diagnostic): Problem {
  return { path, ...(line === null ? {} : { line }), code, message };
}

/** The modification time in a fingerprint (`ports/files.ts`: size, mtime and more, in nanoseconds). */
function changedAt(fingerprint: string): Instant | null {
  const nanoseconds = fingerprint.split(":")[1];
  return nanoseconds === undefined ? null : instantFromEpoch(Number(nanoseconds.slice(0, -6)));
}

function sinceOf(workspace: Pick<Workspace, "tree">, path: string, otherwise: Instant): Instant {
  return workspace.tree.changedAt(path) ?? otherwise;
}

function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith("/") ? folder : `${folder}/`);
}

function parentOf(path: string): string {
  return path.slice(0, Math.max(1, path.lastIndexOf("/")));
}
