/**
 * The socket: where it listens, and what it takes from a client that sends slowly, endlessly or nonsense.
 *
 * N1  An address of this machine, as it is written; of names, `localhost` alone, which is 127.0.0.1 whatever a hosts file says.
 * N2  A port that was asked for is that port or a fault that names it and the cause; the default is the next free one.
 * N3  Headers and bodies that do not arrive in time are cut; what is no HTTP is answered with JSON.
 */
import { createServer, type RequestListener, type Server } from "node:http";
import { isIP } from "node:net";
import type { Duplex } from "node:stream";
import { loopxCommand } from "../../core/command-line.ts";
import { type BadInput, done, type Reply, reject } from "../../core/result.ts";
import { Fault } from "../../errors.ts";
import type { BoundAddress } from "./hosts.ts";
import type { Limits } from "./limits.ts";
import { noAnswer } from "./no-answer.ts";
import { printable } from "./printable.ts";

export const DEFAULT_PORT = 8765;
const PORTS_TRIED = 100;
const LOOPBACK: readonly string[] = ["127.0.0.1", "::1"];

/** N1. Without brackets. */
export function parseHost(host: string): Reply<string> {
  const address = host.toLowerCase() === "localhost" ? "127.0.0.1" : host.replace(/^\[(.*)\]$/, "$1").toLowerCase();
  if (isIP(address) !== 0 && !address.includes("%")) return done(address);
  const fix = loopxCommand("serve", "--host", "0.0.0.0", ...(host === "" ? [] : ["--allow-host", host]));
  return reject("invalid_host", `--host takes an address of this machine, not "${printable(host)}"; --allow-host takes names`, {
    fix,
  });
}

/** Reached from this machine alone. */
export function isLoopback(address: string): boolean {
  return LOOPBACK.includes(address);
}

export interface ListenOptions {
  readonly address: string;
  /** Null: the default one or the next that is free. */
  readonly port: number | null;
  readonly limits: Limits;
  readonly listener: RequestListener;
}

export interface Listening {
  readonly server: Server;
  readonly bound: BoundAddress;
}

export async function listen(options: ListenOptions): Promise<Listening> {
  const server = configured(options);
  const port =
    options.port === null ? await firstFree(server, options.address) : await bind(server, options.address, options.port);
  if (typeof port === "number")
    return { server, bound: { host: options.address.includes(":") ? `[${options.address}]` : options.address, port } };
  throw portFault(options, port);
}

/** N3. Sockets that go quiet for several heartbeats are dead. */
function configured({ limits, listener }: ListenOptions): Server {
  const server = createServer(
    {
      maxHeaderSize: limits.headerBytes,
      headersTimeout: limits.headersTimeoutMs,
      requestTimeout: limits.requestTimeoutMs,
      keepAliveTimeout: limits.keepAliveMs,
      connectionsCheckingInterval: Math.min(1000, Math.ceil(limits.headersTimeoutMs / 4)),
      requireHostHeader: false,
    },
    listener,
  );
  server.maxConnections = limits.connections;
  server.maxHeadersCount = limits.headerCount;
  server.timeout = 4 * limits.heartbeatMs;
  server.on("checkExpectation", listener);
  server.on("clientError", answerClientError);
  return server;
}

function answerClientError(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (!socket.writable || error.code === "ECONNRESET") {
    socket.destroy();
    return;
  }
  const { status, headers, body } = noAnswer(noOfClientError(error));
  const lines = Object.entries({ ...headers, connection: "close" }).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(Buffer.concat([Buffer.from(`HTTP/1.1 ${status} No\r\n${lines.join("")}\r\n`), body ?? Buffer.alloc(0)]));
}

function noOfClientError({ code }: NodeJS.ErrnoException): BadInput {
  if (code === "HPE_HEADER_OVERFLOW") return reject("headers_too_large", "the headers of the request are too large");
  if (code === "ERR_HTTP_REQUEST_TIMEOUT") return reject("request_timeout", "the request did not arrive in time");
  return reject("malformed_request", "this is not HTTP as this server reads it");
}

async function firstFree(server: Server, address: string): Promise<number | NodeJS.ErrnoException> {
  let taken: number | NodeJS.ErrnoException = DEFAULT_PORT;
  for (let port = DEFAULT_PORT; port < DEFAULT_PORT + PORTS_TRIED; port += 1) {
    taken = await bind(server, address, port);
    if (typeof taken === "number" || taken.code !== "EADDRINUSE") return taken;
  }
  return taken;
}

function bind(server: Server, host: string, port: number): Promise<number | NodeJS.ErrnoException> {
  return new Promise((resolve) => {
    const failed = (error: NodeJS.ErrnoException): void => resolve(error);
    server.once("error", failed);
    server.listen({ host, port, exclusive: true }, () => {
      server.off("error", failed);
      const bound = server.address();
      resolve(typeof bound === "object" && bound !== null ? bound.port : port);
    });
  });
}

/** N2. */
function portFault({ address, port }: ListenOptions, cause: NodeJS.ErrnoException): Fault {
  const where =
    port === null ? `${address}, ports ${DEFAULT_PORT} to ${DEFAULT_PORT + PORTS_TRIED - 1}` : `${address}, port ${port}`;
  const isTaken = cause.code === "EADDRINUSE";
  return new Fault({
    code: isTaken ? "port_in_use" : "cannot_listen",
    message: `cannot listen on ${where}: ${cause.code ?? cause.message}`,
    hint: isTaken ? "leave --port out to take the next free one, or stop the program that has it" : "choose another --port",
    cause,
  });
}
