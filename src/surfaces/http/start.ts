/**
 * Starts and stops the server.
 *
 * U1  The port is bound before the first long look, so that one that is taken is told at once; until the look is done, answers are 503.
 * U2  An address that others can reach is bound only with a token, and then reads need it too.
 * U3  `stop` ends within `limits.stopMs`: no new connection, event streams closed, requests in hand answered, then everything is cut.
 */
import type { Server } from "node:http";
import type { App } from "../../commands/app.ts";
import { type Live, type LiveSources, startLive } from "../../commands/live.ts";
import { done, type Reply, refuse, reject } from "../../core/result.ts";
import { ROUTES } from "../../schema/http/routes.ts";
import { type Access, accessWith } from "./access.ts";
import { createHttpApp } from "./app.ts";
import { type EventHub, eventHub } from "./event-hub.ts";
import { frontDoor } from "./front-door.ts";
import { addressesBehind, isEveryAddress, namesOf, parseAllowed } from "./hosts.ts";
import { LIMITS, type Limits } from "./limits.ts";
import { isLoopback, type Listening, listen, parseHost } from "./listen.ts";
import { statusPage } from "./status-page.ts";
import { EVERY_ROUTE } from "./use-cases.ts";

export interface ServeOptions {
  readonly host: string;
  /** Null: 8765, or the next free one. */
  readonly port: number | null;
  /** One more path for the status; null: none. */
  readonly path: string | null;
  /** Null: there is none, and no write is taken. */
  readonly token: string | null;
  /** Reads need the token on loopback, too. */
  readonly requireToken: boolean;
  /** More names to answer to. */
  readonly allowHosts: readonly string[];
  readonly app: App;
  readonly live: LiveSources;
  readonly version: string;
  /** Shown by `/` and `/healthz`: registry, runtime root and the like. */
  readonly identity?: Readonly<Record<string, unknown>>;
  readonly limits?: Partial<Limits>;
}

export interface RunningServer {
  /** Without a path. */
  readonly url: string;
  readonly status_url: string;
  readonly port: number;
  /** Where other machines may reach it; without a path. */
  readonly elsewhere: readonly string[];
  stop(): Promise<void>;
}

const SAFE_PATH = /^(?:\/[A-Za-z0-9._~-]+)+$/;

export async function startServer(options: ServeOptions): Promise<Reply<RunningServer>> {
  const address = parseHost(options.host);
  if (address.kind !== "done") return address;
  const allowed = parseAllowed(options.allowHosts);
  if (allowed.kind !== "done") return allowed;
  const alias = parseAlias(options.path);
  if (alias.kind !== "done") return alias;
  const access = accessOf(options, address.value);
  if (access.kind !== "done") return access;
  return done(await run(options, { address: address.value, allowed: allowed.value, alias: alias.value, access: access.value }));
}

/** U2. */
function accessOf({ token, requireToken }: ServeOptions, address: string): Reply<Access> {
  const isClosed = requireToken || !isLoopback(address);
  if (token !== null || !isClosed) return done(accessWith(token, isClosed ? "with_token" : "open"));
  if (isLoopback(address)) return refuse("no_token", "reads cannot need the token: there is none");
  const message = `"${address}" is not a loopback address: without a token, whoever reached it could read everything`;
  return refuse("not_loopback", message, { fix: "loopx serve --host 127.0.0.1" });
}

/** Null where it says nothing new. */
function parseAlias(path: string | null): Reply<string | null> {
  const known = EVERY_ROUTE.map((route) => route.path);
  if (path === null || path === ROUTES.status.path || path === ROUTES.status_json.path) return done(null);
  const isFree = SAFE_PATH.test(path) && !known.includes(path) && !path.startsWith("/goals/");
  if (isFree) return done(path);
  return reject("invalid_path", "--path takes a path of its own, like /live, made of letters, digits and . _ ~ -");
}

interface Settled {
  readonly address: string;
  readonly allowed: readonly string[];
  readonly alias: string | null;
  readonly access: Access;
}

async function run(options: ServeOptions, { address, allowed, alias, access }: Settled): Promise<RunningServer> {
  const limits = { ...LIMITS, ...options.limits };
  const { scheduler, log } = options.live;
  const door = frontDoor();
  const listening = await listen({ address, port: options.port, limits, listener: door.listener });
  const names = namesOf(listening.bound, allowed);
  const live = await startLive(options.live).catch((error: unknown) => {
    listening.server.closeAllConnections();
    listening.server.close();
    throw error;
  });
  const page = statusPage(live);
  const hub = eventHub({ live, page, scheduler, limits });
  const identity = { version: options.version, pid: process.pid, ...options.identity };
  const sources = {
    app: options.app,
    live,
    page,
    hub,
    log,
    scheduler,
    elapsed: scheduler.elapsed,
    version: options.version,
    alias,
    access,
  };
  const http = createHttpApp({ ...sources, names: () => names, identity: () => identity });
  door.open(http.fetch);
  return running({ listening, live, hub, limits }, alias ?? ROUTES.status.path);
}

interface Parts {
  readonly listening: Listening;
  readonly live: Live;
  readonly hub: EventHub;
  readonly limits: Limits;
}

function running({ listening, live, hub, limits }: Parts, statusPath: string): RunningServer {
  const { server, bound } = listening;
  const isEverywhere = isEveryAddress(bound.host);
  const url = `http://${isEverywhere ? "127.0.0.1" : bound.host}:${bound.port}`;
  let stopping: Promise<void> | null = null;
  const stop = async (): Promise<void> => {
    hub.stop();
    await closed(server, limits.stopMs);
    await live.stop();
  };
  return {
    url,
    status_url: `${url}${statusPath}`,
    port: bound.port,
    elsewhere: isEverywhere ? addressesBehind(bound.host).map((host) => `http://${host}:${bound.port}`) : [],
    stop: () => {
      stopping ??= stop();
      return stopping;
    },
  };
}

/** U3. */
function closed(server: Server, milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    const cut = setTimeout(() => server.closeAllConnections(), milliseconds);
    server.close(() => {
      clearTimeout(cut);
      resolve();
    });
    server.closeIdleConnections();
  });
}
