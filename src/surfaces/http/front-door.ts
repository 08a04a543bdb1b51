/** The listener of the socket: 503 until the picture stands, then the routes. */
import type { RequestListener } from "node:http";
import { getRequestListener } from "@hono/node-server";
import { reject } from "../../core/result.ts";
import { Fault } from "../../errors.ts";
import { responseOf } from "./answer.ts";
import { noAnswer, thrownAnswer } from "./no-answer.ts";

type Fetch = (request: Request, bindings: object) => Response | Promise<Response>;

export interface FrontDoor {
  readonly listener: RequestListener;
  open(fetch: Fetch): void;
}

export function frontDoor(): FrontDoor {
  let inside: Fetch = () => {
    const starting = new Fault({ code: "starting", message: "the first look at all goals is not done yet" });
    return responseOf(thrownAnswer(starting));
  };
  const listener = getRequestListener((request, bindings) => inside(request, bindings), { errorHandler: answerFlaw });
  return {
    listener: (incoming, outgoing) => void listener(incoming, outgoing),
    open: (fetch) => {
      inside = fetch;
    },
  };
}

/** A target or a host that makes no URL: the framework refuses it before any route. */
function answerFlaw(): Response {
  return responseOf(noAnswer(reject("malformed_request", "host and target of the request make no URL"), { connection: "close" }));
}
