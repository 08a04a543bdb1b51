/**
 * Who may ask at all: no bind is a boundary against web pages, so every request is judged before it is routed.
 *
 * Does not own: the token (`access.ts`), which names the server answers to (`hosts.ts`).
 *
 * G1  `Host` is a name that this server answers to, with its port (DNS rebinding); else 421.
 * G2  A page may read from a loopback origin or the server's own, and write from its own alone; `null` is neither; else 403. Only an
 *     origin that may read is ever echoed.
 * G3  The target is at most `LONGEST_TARGET` characters; a read has no body, and that of a write at most `LARGEST_BODY` bytes.
 */
import { type BadInput, type Refusal, refuse, reject } from "../../core/result.ts";
import type { Names } from "./hosts.ts";
import { printable } from "./printable.ts";

export const LONGEST_TARGET = 4096;
export const READS: readonly string[] = ["GET", "HEAD", "OPTIONS"];
export const LARGEST_BODY = 65_536;
const LOOPBACK_ORIGIN = /^https?:\/\/(?:127\.0\.0\.1|localhost|\[::1\])(?::\d{1,5})?$/;

export interface RequestFacts {
  readonly method: string;
  /** As it was sent. */
  readonly target: string;
  readonly header: (name: string) => string | undefined;
}

/** Null: may ask. */
export function guard(facts: RequestFacts, names: Names): Refusal | BadInput | null {
  if (facts.target.length > LONGEST_TARGET) {
    return reject("url_too_long", `a request target has at most ${LONGEST_TARGET} characters`); // (G3)
  }
  return hostFlaw(facts, names) ?? originFlaw(facts, names) ?? bodyFlaw(facts);
}

/** G1. An absolute target names the host too, and takes precedence over the header. */
function hostFlaw({ target, header }: RequestFacts, { hosts }: Names): Refusal | null {
  const named = /^https?:\/\/([^/?#]*)/i.exec(target)?.[1];
  const wrong = [header("host") ?? "", ...(named === undefined ? [] : [named])].find((host) => !hosts.has(host.toLowerCase()));
  if (wrong === undefined) return null;
  return refuse("host_refused", `this server does not answer to the host "${printable(wrong)}"; --allow-host adds one`);
}

/** G2. */
function originFlaw({ method, header }: RequestFacts, names: Names): Refusal | null {
  const origin = header("origin");
  if (origin === undefined || mayWrite(origin, names)) return null;
  if (READS.includes(method) && mayRead(origin, names)) return null;
  const verb = READS.includes(method) ? "read from" : "write to";
  return refuse("origin_refused", `pages of "${printable(origin)}" may not ${verb} this server`);
}

export function mayWrite(origin: string, { origins }: Names): boolean {
  return origins.has(origin);
}

function mayRead(origin: string, names: Names): boolean {
  return LOOPBACK_ORIGIN.test(origin) || mayWrite(origin, names);
}

/** G3. One that is announced is not waited for. */
function bodyFlaw({ method, header }: RequestFacts): BadInput | null {
  const length = header("content-length") ?? "0";
  if (Number(length) > LARGEST_BODY) return bodyTooLarge();
  const announced = length !== "0" || header("transfer-encoding") !== undefined;
  return announced && READS.includes(method) ? reject("body_not_expected", `${method} takes no body`) : null;
}

export function bodyTooLarge(): BadInput {
  return reject("body_too_large", `a body has at most ${LARGEST_BODY} bytes`);
}

/** G2. What lets a page read the answer. */
export function corsHeaders(origin: string | undefined, names: Names): Readonly<Record<string, string>> {
  if (origin === undefined || !mayRead(origin, names)) return {};
  return { "access-control-allow-origin": origin, "access-control-expose-headers": "ETag, Retry-After, WWW-Authenticate" };
}
