/** From the framework's request to ours, and from our answer to the framework's: one handler for reads, one for writes, one for events. */
import type { Context } from "hono";
import { ROUTES, type RouteSpec } from "../../schema/http/routes.ts";
import { responseOf, SECURITY } from "./answer.ts";
import type { Answerer } from "./answerers.ts";
import { parseAsked } from "./asked.ts";
import type { EventHub } from "./event-hub.ts";
import { cutOf, factsOf, type HttpEnv } from "./facts.ts";
import { noAnswer } from "./no-answer.ts";
import type { WriteCase } from "./use-case.ts";
import { type WriteSources, writeAnswer } from "./write-answer.ts";

export type Handler = (context: Context<HttpEnv>) => Promise<Response>;

export interface HandlerSources extends WriteSources {
  readonly hub: EventHub;
}

export function reading({ access }: Pick<HandlerSources, "access">, spec: RouteSpec, answer: Answerer): Handler {
  return async (context) => {
    const facts = factsOf(context);
    const barred = spec.private === true ? access.bar(facts) : null;
    if (barred !== null) return responseOf(noAnswer(barred));
    const asked = parseAsked(facts, spec);
    if (asked.kind !== "done") return responseOf(noAnswer(asked));
    return responseOf(await answer(asked.value, access.reads === "open" || access.bar(facts) === null));
  };
}

export function writing(sources: WriteSources, useCase: WriteCase): Handler {
  return async (context) =>
    responseOf(await writeAnswer(sources, useCase, { facts: factsOf(context), body: context.req.raw.body }));
}

export async function eventsOf(hub: EventHub, context: Context<HttpEnv>): Promise<Response> {
  const asked = parseAsked(factsOf(context), ROUTES.events);
  if (asked.kind !== "done") return responseOf(noAnswer(asked));
  const headers = {
    ...SECURITY,
    "content-type": "text/event-stream; charset=utf-8",
    "cache-control": "no-store, no-transform",
    "x-accel-buffering": "no",
    vary: "Origin",
  };
  const isHead = context.req.raw.method === "HEAD";
  return new Response(isHead ? null : await hub.connect(asked.value.after, cutOf(context)), { headers });
}
