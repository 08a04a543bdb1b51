/**
 * The first function that sees a request: guards it, and gives the default status page the short way.
 *
 * D1  Nothing of a request that the guards refuse reaches the framework.
 * D2  The short way answers what the route would answer; it exists because `/status` is what dashboards poll.
 * D3  Until the picture stands, every answer is 503.
 */
import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { getRequestListener } from "@hono/node-server";
import { reject } from "../../core/result.ts";
import { Fault } from "../../errors.ts";
import type { Log } from "../../ports/system.ts";
import { type Answer, preparedAnswer, responseOf } from "./answer.ts";
import { factsOfIncoming } from "./facts.ts";
import { guard } from "./guard.ts";
import { logRequest } from "./middleware.ts";
import { noAnswer, thrownAnswer } from "./no-answer.ts";
import type { StatusPage } from "./status-page.ts";

export interface Inside {
  readonly fetch: (request: Request, bindings: object) => Response | Promise<Response>;
  readonly page: StatusPage;
  /** Targets that mean the default page. */
  readonly statusPaths: ReadonlySet<string>;
}

export interface FrontDoor {
  readonly listener: RequestListener;
  /** D3. */
  open(inside: Inside): void;
}

interface DoorSources {
  readonly hosts: () => ReadonlySet<string>;
  readonly log: Log;
  readonly elapsed: () => number;
}

export function frontDoor(sources: DoorSources): FrontDoor {
  let handle: RequestListener = (incoming, outgoing) => {
    const starting = new Fault({ code: "starting", message: "the first look at all goals is not done yet" });
    write(incoming, outgoing, thrownAnswer(starting));
  };
  return {
    listener: (incoming, outgoing) => {
      const no = guard(factsOfIncoming(incoming), sources.hosts());
      if (no === null) handle(incoming, outgoing);
      else write(incoming, outgoing, noAnswer(no)); // (D1)
    },
    open: (inside) => {
      handle = insideOf(inside, sources);
    },
  };
}

function insideOf({ fetch, page, statusPaths }: Inside, sources: DoorSources): RequestListener {
  const routed = getRequestListener(fetch, { errorHandler: answerFlaw });
  return (incoming, outgoing) => {
    const isRead = incoming.method === "GET" || incoming.method === "HEAD";
    const isShort = isRead && statusPaths.has(incoming.url ?? "") && incoming.headers.origin === undefined;
    if (isShort) void answerStatus(page, incoming, outgoing, sources);
    else void routed(incoming, outgoing);
  };
}

/** D2. */
async function answerStatus(
  page: StatusPage,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  sources: DoorSources,
): Promise<void> {
  const { log, elapsed } = sources;
  const started = elapsed();
  const answer = await statusAnswer(page, incoming).catch((error: unknown) => {
    log.write("warn", "http.failed", { path: incoming.url, error: error instanceof Error ? error.stack : String(error) });
    return thrownAnswer(error);
  });
  write(incoming, outgoing, answer);
  logRequest(log, factsOfIncoming(incoming), { status: answer.status, ms: elapsed() - started });
}

async function statusAnswer(page: StatusPage, { headers }: IncomingMessage): Promise<Answer> {
  const made = await page.current();
  if ("kind" in made) return noAnswer(made);
  const acceptEncoding = headers["accept-encoding"];
  return preparedAnswer(made, {
    acceptEncoding: Array.isArray(acceptEncoding) ? acceptEncoding.join(", ") : acceptEncoding,
    ifNoneMatch: headers["if-none-match"],
  });
}

function write({ method }: IncomingMessage, outgoing: ServerResponse, { status, headers, body }: Answer): void {
  outgoing.writeHead(status, { ...headers });
  outgoing.end(method === "HEAD" ? undefined : (body ?? undefined));
}

/** Targets that are no URL: the framework refuses them before any route. */
function answerFlaw(): Response {
  return responseOf(noAnswer(reject("malformed_request", "the request target is no URL")));
}
