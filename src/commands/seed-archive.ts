/**
 * Archiving as functions of the library, under the names and arguments that the project was founded on (S04–S08).
 *
 * Does not own: what they do (`archive.ts`, `archive-place.ts`, `core/id.ts`), opening a project (whoever composes).
 */
import { parseGoalId } from "../core/id.ts";
import { type BadInput, type Refusal, type Reply, reject } from "../core/result.ts";
import { archiveRuntimePage, type ShownArchiving } from "../core/show/markdown/archive-runtime.ts";
import { type ArchiveAnswer, archive } from "./archive.ts";
import type { Workspace } from "./workspace.ts";

export interface ArchiveRuntimeGoalOptions {
  readonly registryPath?: string | null | undefined;
  readonly runtimeRootOverride?: string | null | undefined;
  readonly goalId: string;
  readonly archiveRoot?: string | null | undefined;
  readonly allowRegistered?: boolean | undefined;
  /** False: all checks, nothing is moved or written. There is no default. */
  readonly execute: boolean;
}

export interface ArchiveRuntimeError {
  readonly ok: false;
  readonly registry: string | null;
  readonly runtime_root: string | null;
  readonly goal_id: string;
  readonly dry_run: boolean;
  readonly archived: false;
  readonly code: string;
  readonly error: string;
  readonly fix?: string;
  readonly near?: readonly string[];
}

export type ArchiveRuntimePayload = ArchiveAnswer | ArchiveRuntimeError;

/** An open project, and how to let go of it. */
export interface OpenedWorkspace {
  readonly workspace: Reply<Workspace>;
  close(): Promise<void>;
}

export interface Where {
  readonly registry: string | null;
  readonly runtimeRoot: string | null;
  /** `read_only`: not even a store is made. */
  readonly access: "read_write" | "read_only";
}

export type OpenWorkspace = (where: Where) => Promise<OpenedWorkspace>;

/** The id itself when it is one safe path segment; else throws an error whose `code` says why. Looks at no file. */
export function validateGoalIdPathSegment(goalId: unknown): string {
  const parsed = parseGoalId(goalId);
  if (parsed.ok) return parsed.id;
  const { code, message } = parsed.flaw;
  throw Object.assign(new Error(`goal id ${JSON.stringify(goalId) ?? String(goalId)} ${message}`), { code });
}

/** A "no" is a payload too (`ok: false`); only a world that fails is thrown. */
export async function archiveRuntimeGoal(
  open: OpenWorkspace,
  options: ArchiveRuntimeGoalOptions,
): Promise<ArchiveRuntimePayload> {
  const {
    registryPath = null,
    runtimeRootOverride = null,
    goalId,
    archiveRoot = null,
    allowRegistered = false,
    execute,
  } = options;
  if (typeof execute !== "boolean")
    return errorOf(options, reject("execute_required", "`execute` must be given: true moves, false only checks."));
  const opened = await open({
    registry: registryPath,
    runtimeRoot: runtimeRootOverride,
    access: execute ? "read_write" : "read_only",
  });
  try {
    if (opened.workspace.kind !== "done") return errorOf(options, opened.workspace);
    const workspace = await (await opened.workspace.value.writing()).moving();
    const reply = await archive(workspace, { goalId, archiveRoot, allowRegistered, dryRun: !execute });
    return reply.kind === "done" ? reply.value : errorOf(options, reply);
  } finally {
    await opened.close();
  }
}

function errorOf(
  { registryPath, runtimeRootOverride, goalId, execute }: ArchiveRuntimeGoalOptions,
  no: Refusal | BadInput,
): ArchiveRuntimeError {
  const near = no.kind === "bad_input" ? no.near : undefined;
  return {
    ok: false,
    registry: registryPath ?? null,
    runtime_root: runtimeRootOverride ?? null,
    goal_id: goalId,
    dry_run: execute !== true,
    archived: false,
    code: no.code,
    error: no.message,
    ...(no.fix !== undefined && { fix: no.fix }),
    ...(near !== undefined && near.length > 0 && { near }),
  };
}

/** For people: title, bullets, checks, and after a preview how to do it. */
export function renderArchiveRuntimeMarkdown(payload: ShownArchiving): string {
  return archiveRuntimePage(payload);
}
