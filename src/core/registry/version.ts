/**
 * Whether a registry of some version may be written (field failures A27): what a newer program wrote is shown, never
 * rewritten by an older one.
 */
import type { Registry } from "./registry.ts";

const KNOWN = { major: 0, minor: 1 };
const VERSION = /^(\d{1,9})(?:\.(\d{1,9}))?(?:\.\d{1,9}){0,2}$/;

export const REGISTRY_VERSION: string = `${KNOWN.major}.${KNOWN.minor}`;

/** Of the raw values of `schema_version` and `version`; one that is absent allows writing, as in the reference. */
export function writableAt(versions: readonly unknown[]): Registry["writable"] {
  const verdicts = versions.map(verdictOn);
  return verdicts.find((verdict) => verdict === "newer_version") ?? verdicts.find((verdict) => verdict !== "yes") ?? "yes";
}

/** Major and minor decide; a patch level never changes the format. */
function verdictOn(value: unknown): Registry["writable"] {
  if (value === null || value === undefined || value === "") return "yes";
  const match = typeof value === "string" || typeof value === "number" ? VERSION.exec(String(value)) : null;
  if (match === null) return "unknown_version";
  const [major, minor] = [Number(match[1]), Number(match[2] ?? 0)];
  const isNewer = major > KNOWN.major || (major === KNOWN.major && minor > KNOWN.minor);
  return isNewer ? "newer_version" : "yes";
}
