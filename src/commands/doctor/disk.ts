/** How long a write waits for the disk of the runtime root, and how much room is left there. */
import type { Roots } from "../../core/registry/resolve-roots.ts";
import { type Check, type Examined, type Found, looked, NO_ROOTS } from "./check.ts";

/** A command that writes waits for the disk a few times. */
const SLOW_MS = 30;
const LITTLE_BYTES = 100 * 1024 * 1024;
const MEBIBYTE = 1024 * 1024;

export const disk: Check = {
  name: "disk",
  look: (examined) => {
    const { roots, machine } = examined;
    if (roots.kind !== "done") return NO_ROOTS;
    const path = roots.value.runtime_root;
    const kind = machine.mountOf(path)?.kind ?? "file system not known";
    const free = machine.freeBytes(path);
    const room = free === null ? "" : `, ${Math.floor(free / MEBIBYTE)} MiB free`;
    const little: readonly Found[] =
      free !== null && free < LITTLE_BYTES
        ? [{ severity: "warning", message: "there is little room left on this disk", path }]
        : [];
    const { says, found } = speed(examined, roots.value);
    return looked(`${kind}, ${says}${room}`, [...found, ...little]);
  },
};

function speed(
  { machine, tree }: Examined,
  { runtime_root: path }: Roots,
): { readonly says: string; readonly found: readonly Found[] } {
  if (tree.look(path) !== "folder") return { says: "no runtime root yet", found: [] };
  const time = machine.syncTime(path);
  if (time.kind === "failed") {
    return {
      says: "cannot be written",
      found: [{ severity: "warning", message: `a file cannot be written here: ${time.code}`, path }],
    };
  }
  const says = `a synced write takes ${time.milliseconds.toFixed(1)} ms`;
  const slow = `each write waits ${Math.round(time.milliseconds)} ms for this disk: it is slow, or on a network; put the runtime root on a local one`;
  return { says, found: time.milliseconds < SLOW_MS ? [] : [{ severity: "warning", message: slow, path }] };
}
