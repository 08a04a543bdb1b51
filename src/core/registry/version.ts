/**
 * Whether a registry of some version may be written (field failures A27): what a newer program wrote is shown, never
 * rewritten by an older one.
 */
import { REGISTRY_VERSION, type Registry } from "./registry.ts";

const NUMBERS = /^\d{1,9}(?:\.\d{1,9}){0,3}$/;

/** Of the raw values of `schema_version` and `version`; one that is absent allows writing, as in the reference. */
export function writableAt(versions: readonly unknown[]): Registry["writable"] {
  const verdicts = versions.map(verdictOn);
  return verdicts.find((verdict) => verdict === "newer_version") ?? verdicts.find((verdict) => verdict !== "yes") ?? "yes";
}

function verdictOn(value: unknown): Registry["writable"] {
  if (value === null || value === undefined || value === "") return "yes";
  const version = typeof value === "string" || typeof value === "number" ? String(value) : "";
  if (!NUMBERS.test(version)) return "unknown_version";
  return isNewer(version.split(".").map(Number), REGISTRY_VERSION.split(".").map(Number)) ? "newer_version" : "yes";
}

/** Major and minor decide; a patch level never changes the format. */
function isNewer(version: readonly number[], known: readonly number[]): boolean {
  const place = [0, 1].find((index) => (version[index] ?? 0) !== (known[index] ?? 0));
  return place !== undefined && (version[place] ?? 0) > (known[place] ?? 0);
}
