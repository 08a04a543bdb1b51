/**
 * The names that a server answers to, and the origins of pages that are its own.
 *
 * H1  Those of loopback and of the address that is bound; of a bind to every address, those of this machine; and what was allowed by
 *     name. Nothing else, and no pattern.
 * H2  A name that was allowed is answered to with the port of the server and, for a proxy that stands before it, without or with the
 *     port that was named; pages of it may come by `https`.
 */
import { hostname, networkInterfaces } from "node:os";
import { done, type Reply, reject } from "../../core/result.ts";
import { printable } from "./printable.ts";

export interface BoundAddress {
  /** As it stands in a URL: IPv6 in brackets. */
  readonly host: string;
  readonly port: number;
}

export interface Names {
  /** Every `Host` that is answered to, in lower case. */
  readonly hosts: ReadonlySet<string>;
  /** Of the server's own pages. */
  readonly origins: ReadonlySet<string>;
}

const LOOPBACK_NAMES = ["127.0.0.1", "localhost", "[::1]"];
const EVERY_ADDRESS: readonly string[] = ["0.0.0.0", "[::]"];
const NAME = /^(?:[a-z0-9_](?:[a-z0-9_.-]{0,251}[a-z0-9_])?|\[[0-9a-f:.]+\])(?::\d{1,5})?$/;

/** H1, H2. */
export function namesOf({ host, port }: BoundAddress, allowed: readonly string[] = []): Names {
  const own = [...LOOPBACK_NAMES, host, ...(isEveryAddress(host) ? [hostname().toLowerCase(), ...addressesBehind(host)] : [])];
  const hosts = own.flatMap((name) => withPort(name, port));
  const others = allowed.flatMap((name) => [name, ...(hasPort(name) ? [] : [`${name}:${port}`])]);
  const origins = [...[...hosts, ...others].map((name) => `http://${name}`), ...others.map((name) => `https://${name}`)];
  return { hosts: new Set([...hosts, ...others]), origins: new Set(origins) };
}

/** Browsers leave the port out where it is the default one. */
function withPort(name: string, port: number): readonly string[] {
  return [`${name}:${port}`, ...(port === 80 ? [name] : [])];
}

function hasPort(name: string): boolean {
  return /:\d+$/.test(name);
}

export function isEveryAddress(host: string): boolean {
  return EVERY_ADDRESS.includes(host);
}

/** Those of this machine that a bind to every address listens on, as they stand in a URL; those of one wire alone are left out. */
export function addressesBehind(host: string): readonly string[] {
  return Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .filter(({ internal, address }) => !internal && !address.toLowerCase().startsWith("fe80:"))
    .filter(({ family }) => host !== "0.0.0.0" || family === "IPv4")
    .map(({ address, family }) => (family === "IPv6" ? `[${address.toLowerCase()}]` : address));
}

/** What `--allow-host` takes: names or addresses, each with a port or without. */
export function parseAllowed(given: readonly string[]): Reply<readonly string[]> {
  const names = given.map((name) => name.toLowerCase());
  const wrong = names.find((name) => !NAME.test(name));
  if (wrong === undefined) return done(names);
  const message = `--allow-host takes names as they stand in a URL, like loopx.example.com or 10.0.0.5:8765, not "${printable(wrong)}"`;
  return reject("invalid_host", message, { fix: "loopx serve --allow-host loopx.example.com" });
}
