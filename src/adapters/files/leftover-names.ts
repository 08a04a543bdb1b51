/**
 * Names of the files that exist only while another is written, so that whatever a kill leaves can be told and ended.
 *
 * O1  `.loopx-<process>-<random>` begins each of them; a backup and a journal name the file that they belong to by a digest of
 *     its name, a backup also the text that it must hold and the text that replaced it.
 */
import type { Leftover } from "../../ports/files.ts";
import { randomHex, sha256 } from "./digest.ts";

export interface LeftoverName {
  readonly kind: Leftover["kind"];
  readonly pid: number;
  /** Digests; empty for a temporary file. */
  readonly digests: readonly string[];
}

const KINDS = { tmp: "temporary", old: "backup", journal: "journal", kept: "kept" } as const;
const NAME = /^\.loopx-(\d{1,10})-[0-9a-f]{12}((?:-[0-9a-f]{8,16})*)\.(tmp|old|journal|kept)$/;
const NAME_DIGITS = 8;
const TEXT_DIGITS = 16;

/** Of a file's name, as backups and journals carry it. */
export function nameDigest(fileName: string): string {
  return sha256(fileName).slice(0, NAME_DIGITS);
}

export function textDigest(bytes: Uint8Array): string {
  return sha256(bytes).slice(0, TEXT_DIGITS);
}

/** A name that nobody else has. O1. */
export function leftoverName(suffix: keyof typeof KINDS, digests: readonly string[] = []): string {
  return `.loopx-${[process.pid, randomHex(6), ...digests].join("-")}.${suffix}`;
}

export function parseLeftoverName(fileName: string): LeftoverName | null {
  const match = NAME.exec(fileName);
  const suffix = match?.[3];
  if (match === null || (suffix !== "tmp" && suffix !== "old" && suffix !== "journal" && suffix !== "kept")) return null;
  return { kind: KINDS[suffix], pid: Number(match[1]), digests: (match[2] ?? "").split("-").slice(1) };
}
