/**
 * `loopx serve` from its options to its end: one workspace, one server, until it is interrupted. What the command line loads when it
 * is asked to serve; nothing of the server is on the path of other commands.
 */
import { setFlagsFromString } from "node:v8";
import { watchedGoals } from "../../commands/watched.ts";
import type { Workspace } from "../../commands/workspace.ts";
import { type Composed, type ComposeOptions, compose } from "../../compose.ts";
import { done, type Reply } from "../../core/result.ts";
import type { ServeToken } from "../../ports/serve-token.ts";
import { VERSION } from "../../version.ts";
import { nodeScheduler } from "./node-scheduler.ts";
import { type RunningServer, startServer } from "./start.ts";

export interface ServeRequest {
  readonly host: string;
  /** Null: 8765, or the next free one. */
  readonly port: number | null;
  readonly path: string | null;
  readonly intervalSeconds: number;
  readonly globalRegistry: boolean;
  readonly requireToken: boolean;
  /** More names to answer to. */
  readonly allowHosts: readonly string[];
}

export interface Serving {
  readonly settings: ComposeOptions;
  readonly interrupted: AbortSignal;
  /** Says where it listens. */
  readonly show: (shown: { readonly payload: object; readonly markdown: () => string }) => Promise<void>;
}

/**
 * Answers are short-lived: a young generation that does not grow is collected as well, and keeps the process some 60 MB smaller under
 * load (at 10,000 goals 180 MB without, 120 MB with it, at the same rate of answers). What is left of taking in all goals at the first
 * start is collected before it has grown to a multiple of what lives (37 MB: the process has 126 MB after it, 137 to 209 MB without).
 */
function keepSmall(): void {
  setFlagsFromString("--semi-space-growth-factor=1");
  setFlagsFromString("--heap-growing-percent=30");
}

export async function serve(request: ServeRequest, { settings, interrupted, show }: Serving): Promise<Reply<null>> {
  keepSmall();
  const composed = compose(request.globalRegistry ? { ...settings, registry: globalRegistry(settings) } : settings);
  try {
    const started = await start(request, { settings, composed });
    if (started.kind !== "done") return started;
    const { server } = started.value;
    await show({ payload: shownPayload(started.value), markdown: () => banner(started.value) });
    await ended(interrupted);
    await server.stop();
    return done(null);
  } finally {
    await composed.close();
  }
}

interface Started {
  readonly server: RunningServer;
  readonly token: ServeToken | null;
}

async function start(
  request: ServeRequest,
  { settings, composed }: { readonly settings: ComposeOptions; readonly composed: Composed },
): Promise<Reply<Started>> {
  const opened = await composed.workspace();
  if (opened.kind !== "done") return opened;
  const { store, files, clock, log, roots } = opened.value;
  const token = await tokenFor(composed, roots.runtime_root, request);
  if (token.kind !== "done") return token;
  await loadAhead(files);
  const server = await startServer({
    ...request,
    token: token.value?.value ?? null,
    app: composed.app,
    live: {
      watched: watchedGoals({ ...opened.value, progress: QUIET }),
      store,
      files,
      clock,
      scheduler: nodeScheduler(),
      status: () => composed.app.status(DEFAULT_PAGE),
      log,
      progress: settings.progress,
      intervalMs: request.intervalSeconds * 1000,
    },
    version: VERSION,
    identity: { registry: roots.registry_path, runtime_root: roots.runtime_root },
  });
  return server.kind === "done" ? done({ server: server.value, token: token.value }) : server;
}

/** Null: none can be made, for example on a read-only disk; reads on loopback do without. */
async function tokenFor(
  { serveToken, log }: Pick<Composed, "serveToken" | "log">,
  runtimeRoot: string,
  { requireToken }: ServeRequest,
): Promise<Reply<ServeToken | null>> {
  const token = await serveToken(runtimeRoot);
  if (token.kind === "done" || token.code !== "token_unwritable" || requireToken) return token;
  log.write("warn", "http.no_token", { message: token.message });
  return done(null);
}

/** A server outlives the files it was started from: an upgrade must not take away what it has not needed yet. */
async function loadAhead(files: Pick<Workspace["files"], "registryReader">): Promise<void> {
  await Promise.all([...ofGoals(), ...ofWork(), files.registryReader()]);
}

function ofGoals(): readonly Promise<unknown>[] {
  return [
    import("../../commands/add-goal.ts"),
    import("../../commands/archive.ts"),
    import("../../commands/archives.ts"),
    import("../../commands/cache.ts"),
    import("../../commands/configure-goal.ts"),
    import("../../commands/drift.ts"),
    import("../../commands/goal-edit.ts"),
    import("../../commands/goals.ts"),
    import("../../commands/history.ts"),
    import("../../commands/past.ts"),
    import("../../commands/quota-set.ts"),
    import("../../commands/quota-spend.ts"),
    import("../../commands/quota-status.ts"),
    import("../../commands/quota-void.ts"),
    import("../../commands/quota-wait.ts"),
    import("../../commands/read-plan.ts"),
    import("../../commands/read-runs.ts"),
    import("../../commands/refresh.ts"),
    import("../../commands/refresh-all.ts"),
    import("../../commands/registry-report.ts"),
    import("../../commands/restore.ts"),
    import("../../commands/status.ts"),
    import("../../commands/status-at.ts"),
    import("../../commands/team-logs.ts"),
    import("../../commands/team-session.ts"),
  ];
}

function ofWork(): readonly Promise<unknown>[] {
  return [
    import("../../commands/best-goal.ts"),
    import("../../commands/claim.ts"),
    import("../../commands/diagnose.ts"),
    import("../../commands/done.ts"),
    import("../../commands/evidence-add.ts"),
    import("../../commands/evidence-list.ts"),
    import("../../commands/evidence-log.ts"),
    import("../../commands/evidence-show.ts"),
    import("../../commands/gate-decide.ts"),
    import("../../commands/gate-list.ts"),
    import("../../commands/lease.ts"),
    import("../../commands/lease-acquire.ts"),
    import("../../commands/lease-read.ts"),
    import("../../commands/next.ts"),
    import("../../commands/next-at.ts"),
    import("../../commands/open-turn.ts"),
    import("../../commands/poll.ts"),
    import("../../commands/should-run.ts"),
    import("../../commands/todo-add.ts"),
    import("../../commands/todo-archive-completed.ts"),
    import("../../commands/todo-complete.ts"),
    import("../../commands/todo-list.ts"),
    import("../../commands/todo-show.ts"),
    import("../../commands/todo-update.ts"),
    import("../../commands/verify.ts"),
    import("../../commands/why.ts"),
  ];
}

/** `live` itself tells how far the first look is. */
const QUIET = { report: () => undefined };

const DEFAULT_PAGE = {
  goalId: null,
  agentId: null,
  limit: null,
  cursor: null,
  all: false,
  fields: [],
  cacheTtlSeconds: null,
  clearCache: false,
} as const;

function globalRegistry(settings: ComposeOptions): string {
  return `${settings.runtimeRoot ?? "~/.codex/loopx"}/registry.global.json`;
}

/** Programs are told where the token is, not what it is: their output is kept in more places than people's. */
function shownPayload({ server, token }: Started): object {
  const { url, status_url, port } = server;
  return { ok: true, url, status_url, port, token_file: token?.path ?? null };
}

function banner({ server, token }: Started): string {
  const fragment = token === null ? "" : `#${token.value}`;
  const elsewhere = server.elsewhere.map((url) => `From other machines: ${url}/${fragment}\n`);
  return `Serving ${server.url}/${fragment} until it is stopped (Ctrl-C).\n${elsewhere.join("")}Status: ${server.status_url}\n`;
}

function ended(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
}
