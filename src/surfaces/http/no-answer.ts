/**
 * Every "no" as JSON with its HTTP status from `errors.ts`.
 *
 * H1  A body always has `ok: false`, `code`, `message`, `fix`, `retry`; never a stack trace. `error` is the name that the reference's
 *     answers have for the sentence.
 */
import type { BadInput, Refusal } from "../../core/result.ts";
import { BUG, Fault, outwardOf } from "../../errors.ts";
import { type Answer, momentary } from "./answer.ts";

const RESERVED = new Set(["ok", "code", "message", "fix", "retry", "problems", "near", "cause", "error"]);

/** H1. `extra` are headers that belong to this no, for example `allow`. */
export function noAnswer(no: Refusal | BadInput, extra: Readonly<Record<string, string>> = {}): Answer {
  const { http, retry } = outwardOf(no);
  const body = {
    ok: false,
    code: no.code,
    message: no.message,
    fix: no.fix ?? null,
    retry,
    ...(no.kind === "bad_input" && no.problems.length > 0 && { problems: no.problems }),
    ...(no.kind === "bad_input" && no.near !== undefined && no.near.length > 0 && { near: no.near }),
    ...(no.kind === "refusal" && detailsOf(no)),
    error: no.message,
  };
  return momentary(http, body, {
    ...extra,
    ...(http >= 413 && http !== 422 && { connection: "close" }),
    ...(http === 401 && { "www-authenticate": "Bearer" }),
  });
}

function detailsOf({ details = {} }: Refusal): object {
  return Object.fromEntries(Object.entries(details).filter(([key]) => !RESERVED.has(key)));
}

/** H1: of a bug, its code alone goes outside; the log has the rest. */
export function thrownAnswer(error: unknown): Answer {
  if (!(error instanceof Fault)) {
    const message = "this is a bug in loopx; the log has the details";
    return momentary(BUG.http, { ok: false, code: "bug", message, fix: null, retry: BUG.retry, error: message });
  }
  const { code, message, hint, retry } = error;
  const { http } = outwardOf({ kind: "fault", code });
  return momentary(http, { ok: false, code, message, fix: hint, retry, error: message }, retry ? { "retry-after": "1" } : {});
}
