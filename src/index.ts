/**
 * LoopX as a library: the use cases as a typed client, and the functions that the project was founded on.
 *
 * The client answers with a `Reply`: a value, a refusal or bad input; it throws a `Fault` when the world fails. The plain
 * functions return their value and throw a `LoopxError` that carries the same code.
 */
import type { App } from "./commands/app.ts";
import { uniqueArchivePath as archivePath } from "./commands/archive-place.ts";
import {
  type ArchiveRuntimeGoalOptions,
  type ArchiveRuntimePayload,
  archiveRuntimeGoal as archiveGoal,
  renderArchiveRuntimeMarkdown,
  validateGoalIdPathSegment,
} from "./commands/seed-archive.ts";
import {
  loadSharedRuntimeProjection as loadProjection,
  type ProjectionPlace,
  writeSharedRuntimeProjection as writeProjection,
} from "./commands/seed-projection.ts";
import { loadRegistry as load, type RuntimeRootOptions, resolveRuntimeRoot as resolve } from "./commands/seed-registry.ts";
import { type Composed, type ComposeOptions, compose } from "./compose.ts";
import { localPorts } from "./compose-library.ts";
import { actionsAreProjectionAligned, nextActionProjectionWarning } from "./core/drift/alignment.ts";
import { parseGoalId } from "./core/id.ts";
import type { Instant } from "./core/instant.ts";
import { type BadInput, type Refusal, type Reply, reject } from "./core/result.ts";
import { buildSharedRuntimeProjection as buildProjection, type GoalProjection } from "./core/show/projection.ts";
import type { GoalView } from "./core/show/view.ts";
import { VERSION } from "./version.ts";

export type * from "./commands/app.ts";
export type { ArchiveRuntimeGoalOptions, ArchiveRuntimePayload } from "./commands/seed-archive.ts";
export type { BadInput, Problem, Refusal, Reply } from "./core/result.ts";
export type { ClaimPayload } from "./core/show/claim.ts";
export type { DecisionPayload } from "./core/show/decision.ts";
export type { DiagnosisPayload } from "./core/show/diagnose.ts";
export type { DoctorPayload } from "./core/show/doctor.ts";
export type { DonePayload } from "./core/show/done.ts";
export type { EvidenceAddPayload, EvidenceListPayload, EvidenceShowPayload } from "./core/show/evidence.ts";
export type { EvidenceLogPayload } from "./core/show/evidence-log.ts";
export type { GateDecisionPayload, GateListPayload } from "./core/show/gate.ts";
export type { GoalShowPayload } from "./core/show/goal-show.ts";
export type { HistoryPayload } from "./core/show/history.ts";
export type { LeaseListPayload, LeasePayload, LeaseShowPayload } from "./core/show/lease.ts";
export type { GoalQuotaPayload, QuotaPlanPayload, QuotaStatusPayload } from "./core/show/quota-status.ts";
export type { ShouldRunPayload } from "./core/show/should-run.ts";
export type { SpendPayload } from "./core/show/spend.ts";
export type { StatusPayload } from "./core/show/status.ts";
export type { TodoShowPayload, TodoWritePayload } from "./core/show/todo.ts";
export type { TodoListPayload } from "./core/show/todo-list.ts";
export type { VerifyPayload } from "./core/show/verify.ts";
export type { GoalView } from "./core/show/view.ts";
export type { WhyNotPayload, WhyPayload } from "./core/show/why.ts";
export { Fault } from "./errors.ts";
export {
  actionsAreProjectionAligned,
  nextActionProjectionWarning,
  renderArchiveRuntimeMarkdown,
  VERSION,
  validateGoalIdPathSegment,
};

/** A refusal or bad input, thrown by the functions that return plain values. */
export class LoopxError extends Error {
  readonly code: string;
  readonly reply: Refusal | BadInput;

  constructor(reply: Refusal | BadInput) {
    super(reply.message);
    this.name = "LoopxError";
    this.code = reply.code;
    this.reply = reply;
  }
}

export interface ClientOptions {
  /** Path of the registry; without it it is looked for as the command line does. */
  readonly registry?: string;
  readonly runtimeRoot?: string;
  /** Where the search begins; the current folder of the process by default. */
  readonly cwd?: string;
}

export interface Client extends App {
  /** Ends the connection to the store. */
  close(): Promise<void>;
}

/** Nothing is opened before the first call. One client per process and project is enough. */
export function createClient(options: ClientOptions = {}): Client {
  const { registry = null, runtimeRoot = null, cwd = process.cwd() } = options;
  const { app, close } = composeHere({ registry, runtimeRoot, cwd });
  return { ...app, close };
}

function composeHere(where: Pick<ComposeOptions, "registry" | "runtimeRoot" | "cwd">): Composed {
  return compose({
    ...where,
    env: process.env,
    log: { level: null, file: null, echo: null, correlation: "library" },
    progress: { report: () => undefined },
  });
}

/** The JSON registry at `path`, unknown fields too. Throws `LoopxError`: `registry_not_found` and others. */
export function loadRegistry(path: string): Readonly<Record<string, unknown>> {
  return unwrap(load(localPorts(), path));
}

/** A name in `archiveRoot` that nothing has yet: `<id>-<UTC stamp>`, with a random suffix where that is taken. */
export function uniqueArchivePath(archiveRoot: string, goalId: string, options: { readonly now?: Instant } = {}): string {
  const ports = localPorts();
  const parsed = parseGoalId(validateGoalIdPathSegment(goalId));
  if (!parsed.ok) throw new LoopxError(reject(parsed.flaw.code, parsed.flaw.message));
  return archivePath(ports, { archive_root: archiveRoot, goal_id: parsed.id, at: options.now ?? ports.clock.now() });
}

/** Checks and, with `execute: true`, moves the runtime folder of a goal; a "no" is a payload with `ok: false`. */
export async function archiveRuntimeGoal(options: ArchiveRuntimeGoalOptions): Promise<ArchiveRuntimePayload> {
  return await archiveGoal(async ({ registry, runtimeRoot, access }) => {
    const { workspace, close } = composeHere({ registry, runtimeRoot, cwd: process.cwd() });
    return { workspace: await workspace(access), close };
  }, options);
}

/** Where the runtime data of a registry lie: absolute, and the same from every current folder. */
export function resolveRuntimeRoot(
  registry: { readonly common_runtime_root?: unknown },
  options: RuntimeRootOptions = {},
): string {
  return unwrap(resolve(localPorts(), registry, options));
}

/** What the projection file of one goal says; `now` is the clock of this machine unless it is given. */
export function buildSharedRuntimeProjection(state: GoalView, options: { readonly now?: Instant } = {}): GoalProjection {
  return buildProjection(state, options.now ?? localPorts().clock.now());
}

/** Without `goalId` the projection of the root. Answers the path that was written. */
export function writeSharedRuntimeProjection(runtimeRoot: string, projection: object, place: ProjectionPlace = {}): string {
  return unwrap(writeProjection(localPorts().files, runtimeRoot, { projection, place }));
}

/** Without `goalId` the projection of the root; null when there is none yet. */
export function loadSharedRuntimeProjection(runtimeRoot: string, place: ProjectionPlace = {}): object | null {
  return unwrap(loadProjection(localPorts().files, runtimeRoot, place));
}

function unwrap<T>(reply: Reply<T>): T {
  if (reply.kind === "done") return reply.value;
  throw new LoopxError(reply);
}
