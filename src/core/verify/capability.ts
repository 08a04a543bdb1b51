/**
 * What a verifier is allowed to share: its cached verdicts and package caches are those of one capability.
 *
 * C1  Two capabilities never have one folder, and a folder's name gives back its capability.
 */

/** Of a check that names none. */
export const DEFAULT_CAPABILITY = "default";

const WRITTEN = /^[a-z][a-z0-9_:-]{0,63}$/;
const FOLDER = /^[a-z][a-z0-9_=]{0,63}$/;

/** With `-` as `_`, as the reference compares them; null for what is none. */
export function parseCapability(text: string): string | null {
  return WRITTEN.test(text) ? text.replaceAll("-", "_") : null;
}

/** C1. Some systems do not allow `:` in names, and no capability has a `=`. */
export function capabilityFolder(capability: string): string {
  return capability.replaceAll(":", "=");
}

/** Null for a folder of something else. */
export function capabilityIn(folder: string): string | null {
  return FOLDER.test(folder) ? folder.replaceAll("=", ":") : null;
}
