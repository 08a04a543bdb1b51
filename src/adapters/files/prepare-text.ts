/**
 * The new text of a file, on the disk beside it before the lock is held under which it gets the file's name (design 3).
 *
 * Does not own: giving it the name (`replace-file.ts`), what a kill leaves of it (`recover-file.ts`).
 *
 * R2  What was prepared for another file, owner or mode than the one that is there now is not used.
 */
import { dirname, join } from "node:path";
import type { PreparedText, Replacement } from "../../ports/files.ts";
import { type FileSteps, fileSteps } from "./file-steps.ts";
import { leftoverName } from "./leftover-names.ts";
import { type Target, targetOf } from "./replace-target.ts";

export function prepareText(
  replacement: Pick<Replacement, "path" | "next" | "within">,
  steps: FileSteps = fileSteps,
): PreparedText | null {
  try {
    const target = targetOf(replacement);
    return target.kind === "target" ? writeBeside(target, Buffer.from(replacement.next), steps) : null;
  } catch {
    return null; // Whoever replaces the file meets the same, and says so.
  }
}

/** Durable: the text is on the disk when this answers. */
export function writeBeside({ path, stats }: Target, text: Uint8Array, steps: FileSteps): PreparedText {
  const temporary = join(dirname(path), leftoverName("tmp"));
  const { uid, gid } = stats;
  const mode = stats.mode & 0o7777;
  steps.create(temporary, text, { mode, owner: { uid, gid }, keep: "durable" });
  return { temporary, target: path, mode, uid, gid };
}

/** (R2) */
export function fits({ target, mode, uid, gid }: PreparedText, { path, stats }: Target): boolean {
  return target === path && mode === (stats.mode & 0o7777) && uid === stats.uid && gid === stats.gid;
}

export function discardText({ temporary }: PreparedText, steps: FileSteps = fileSteps): void {
  try {
    steps.remove(temporary);
  } catch {
    return; // Recovery takes it away (Z2 of `recover-file.ts`).
  }
}
