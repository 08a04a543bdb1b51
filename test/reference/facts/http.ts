/** One HTTP exchange: status, kind of body, who may read it, and the status page by its meaning. */
import { at, isObject, type Json, textAt } from "../json.ts";
import type { Facts } from "./facts.ts";
import { ourStatus, referenceStatus } from "./status.ts";

export interface Answered {
  readonly status: number;
  readonly allow_origin: string | null;
  readonly json: Json;
}

export function referenceExchange({
  status,
  answer,
  answer_headers,
}: {
  readonly status: number;
  readonly answer: Json;
  readonly answer_headers: Json;
}): Facts {
  const facts = exchange({ status, allow_origin: textAt(answer_headers, "Access-Control-Allow-Origin"), json: answer });
  return at(answer, "run_history") === null ? facts : { ...facts, ...referenceStatus(answer) };
}

export function ourExchange(answered: Answered): Facts {
  const facts = exchange(answered);
  return at(answered.json, "attention_queue") === null ? facts : { ...facts, ...ourStatus(answered.json) };
}

function exchange({ status, allow_origin, json }: Answered): Facts {
  return { status, allow_origin, ...(isObject(json) && { ok: at(json, "ok") }) };
}
