/**
 * Who may ask at all: a loopback bind is no boundary against web pages, so every request is judged before it is routed.
 *
 * G1  `Host` is a loopback name or the bound address, with the port that is served (DNS rebinding); else 421.
 * G2  `Origin`, when it is sent, is a loopback origin; `null` is not one; else 403. Only such an origin is ever echoed.
 * G3  The target is at most `LONGEST_TARGET` characters; a read has no body.
 */
import { type BadInput, type Refusal, refuse, reject } from "../../core/result.ts";
import { printable } from "./printable.ts";

export const LONGEST_TARGET = 4096;
export const READS: readonly string[] = ["GET", "HEAD", "OPTIONS"];
const LARGEST_BODY = 65_536;
const LOOPBACK_ORIGIN = /^https?:\/\/(?:127\.0\.0\.1|localhost|\[::1\])(?::\d{1,5})?$/;

export interface RequestFacts {
  readonly method: string;
  /** As it was sent. */
  readonly target: string;
  readonly header: (name: string) => string | undefined;
}

export interface BoundAddress {
  /** As it stands in a URL: IPv6 in brackets. */
  readonly host: string;
  readonly port: number;
}

/** G1: every `Host` that this server answers to. */
export function hostsOf({ host, port }: BoundAddress): ReadonlySet<string> {
  const names = ["127.0.0.1", "localhost", "[::1]", host];
  return new Set(names.flatMap((name) => [`${name}:${port}`, ...(port === 80 ? [name] : [])]));
}

/** Null: may ask. */
export function guard(facts: RequestFacts, hosts: ReadonlySet<string>): Refusal | BadInput | null {
  if (facts.target.length > LONGEST_TARGET) {
    return reject("url_too_long", `a request target has at most ${LONGEST_TARGET} characters`); // (G3)
  }
  return hostFlaw(facts, hosts) ?? originFlaw(facts.header("origin")) ?? bodyFlaw(facts);
}

/** G1. An absolute target names the host too, and takes precedence over the header. */
function hostFlaw({ target, header }: RequestFacts, hosts: ReadonlySet<string>): Refusal | null {
  const named = /^https?:\/\/([^/?#]*)/i.exec(target)?.[1];
  const wrong = [header("host") ?? "", ...(named === undefined ? [] : [named])].find((host) => !hosts.has(host.toLowerCase()));
  if (wrong === undefined) return null;
  const message = `this server does not answer to the host "${printable(wrong)}"`;
  return refuse("host_refused", message, { details: { hosts: [...hosts] } });
}

/** G2. */
function originFlaw(origin: string | undefined): Refusal | null {
  if (origin === undefined || isLoopbackOrigin(origin)) return null;
  return refuse("origin_refused", `pages of "${printable(origin)}" may not read from this server`);
}

export function isLoopbackOrigin(origin: string): boolean {
  return LOOPBACK_ORIGIN.test(origin);
}

/** G3. Nothing reads bodies yet; one that is announced is not waited for. */
function bodyFlaw({ method, header }: RequestFacts): BadInput | null {
  const length = header("content-length") ?? "0";
  if (Number(length) > LARGEST_BODY) return reject("body_too_large", `a body has at most ${LARGEST_BODY} bytes`);
  const announced = length !== "0" || header("transfer-encoding") !== undefined;
  return announced && READS.includes(method) ? reject("body_not_expected", `${method} takes no body`) : null;
}

/** G2. What lets a page of a loopback origin read the answer. */
export function corsHeaders(origin: string | undefined): Readonly<Record<string, string>> {
  if (origin === undefined || !isLoopbackOrigin(origin)) return {};
  return { "access-control-allow-origin": origin, "access-control-expose-headers": "ETag, Retry-After" };
}
