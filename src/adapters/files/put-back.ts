/**
 * Gives a person's text its name back, after it was overtaken by a replacement.
 */
import { dirname, join } from "node:path";
import type { FileSteps } from "./file-steps.ts";
import { leftoverName, textDigest } from "./leftover-names.ts";

export interface Overtaken {
  /** The second name of the file that the person saved into. */
  readonly backup: string;
  readonly target: string;
  /** Digest of the text that replaced it. */
  readonly next: string;
  readonly steps: FileSteps;
}

/** `null`: it has its name back. A path: the file has moved on since, so the text waits there for a person. */
export function putBack({ backup, target, next, steps }: Overtaken): string | null {
  const read = steps.read(target);
  if (read.kind === "bytes" && textDigest(read.bytes) === next) {
    steps.rename(backup, target);
    return null;
  }
  const kept = join(dirname(target), leftoverName("kept"));
  steps.rename(backup, kept);
  return kept;
}
