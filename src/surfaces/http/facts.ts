/** What a request says, read from the socket's own request where there is one: frameworks tidy targets up. */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Context } from "hono";
import type { RequestFacts } from "./guard.ts";

export interface HttpEnv {
  readonly Bindings: { readonly incoming?: IncomingMessage; readonly outgoing?: ServerResponse };
}

export function factsOf(context: Context<HttpEnv>): RequestFacts {
  const incoming = incomingOf(context);
  if (incoming !== undefined) return factsOfIncoming(incoming);
  const { method, url, headers } = context.req.raw;
  return { method, target: url.replace(/^https?:\/\/[^/?#]*/i, ""), header: (name) => headers.get(name) ?? undefined };
}

export function factsOfIncoming({ method, url, headers }: IncomingMessage): RequestFacts {
  return {
    method: method ?? "GET",
    target: url ?? "/",
    header: (name) => {
      const value = headers[name];
      return Array.isArray(value) ? value.join(", ") : value;
    },
  };
}

/** What ends the connection under this request; null where there is none. */
export function cutOf(context: Context<HttpEnv>): (() => void) | null {
  const outgoing = bindingsOf(context).outgoing;
  return outgoing === undefined ? null : () => void outgoing.destroy();
}

function incomingOf(context: Context<HttpEnv>): IncomingMessage | undefined {
  return bindingsOf(context).incoming;
}

/** Absent when a test calls the application directly. */
function bindingsOf(context: Context<HttpEnv>): HttpEnv["Bindings"] {
  const bindings: HttpEnv["Bindings"] | undefined = context.env;
  return bindings ?? {};
}
