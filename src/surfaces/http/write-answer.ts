/**
 * One write from the request to its answer.
 *
 * V1  The token is asked for first, then everything that can be told without the body, then the body: who may not write costs nothing.
 * V2  When it is answered, whatever it committed is in the next answer of every route and on its way to every listener.
 * V3  `Idempotency-Key` is 1 to 160 of `A-Za-z0-9_.:@/-` and belongs to the use case, which tells a request that it has seen.
 */
import type { App } from "../../commands/app.ts";
import type { Live } from "../../commands/live.ts";
import { parseTurnId, type TurnId } from "../../core/id.ts";
import { type BadInput, done, type Refusal, type Reply, reject } from "../../core/result.ts";
import type { Access } from "./access.ts";
import { type Answer, momentary } from "./answer.ts";
import { type Asked, parseAsked } from "./asked.ts";
import { mediaFlaw, parseBody, readBody } from "./body.ts";
import type { RequestFacts } from "./guard.ts";
import { noAnswer } from "./no-answer.ts";
import type { WriteCase } from "./use-case.ts";

export interface WriteSources {
  readonly app: App;
  readonly live: Pick<Live, "wrote">;
  readonly access: Access;
}

export interface WriteRequest {
  readonly facts: RequestFacts;
  readonly body: ReadableStream<Uint8Array> | null;
}

export async function writeAnswer(sources: WriteSources, useCase: WriteCase, request: WriteRequest): Promise<Answer> {
  const { facts } = request;
  const early = sources.access.bar(facts) ?? mediaFlaw(facts); // (V1)
  if (early !== null) return unread(early);
  const asked = parseAsked(facts, useCase);
  if (asked.kind !== "done") return unread(asked);
  const key = keyOf(facts);
  if (key.kind !== "done") return unread(key);
  const text = await readBody(request.body);
  if (text.kind !== "done") return unread(text);
  const body = parseBody(text.value, useCase.body);
  if (body.kind !== "done") return noAnswer(body);
  const reply = await told(sources, asked.value, () =>
    useCase.ask(sources.app, { ...asked.value, body: body.value, key: key.value }),
  );
  return reply.kind === "done" ? momentary(200, reply.value) : noAnswer(reply);
}

/** What else it sends is not waited for. */
function unread(no: Refusal | BadInput): Answer {
  return noAnswer(no, { connection: "close" });
}

/** V2: also where it failed, for a part of it may have been committed. */
async function told<T>({ live }: WriteSources, { ids }: Asked, ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } finally {
    await live.wrote(ids.goal_id ?? null);
  }
}

/** V3. */
function keyOf({ header }: RequestFacts): Reply<TurnId | null> {
  const sent = header("idempotency-key");
  if (sent === undefined) return done(null);
  const key = parseTurnId(sent);
  if (key !== null) return done(key);
  return reject("invalid_idempotency_key", "Idempotency-Key takes 1 to 160 of A-Z a-z 0-9 _ . : @ / -");
}
