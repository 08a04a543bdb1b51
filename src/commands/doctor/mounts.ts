/** Whether an archive is made by renaming a folder, or by copying it to another device. */
import { type Check, looked, NO_ROOTS } from "./check.ts";

export const mounts: Check = {
  name: "mounts",
  look: ({ roots, machine }) => {
    if (roots.kind !== "done") return NO_ROOTS;
    const { runtime_root } = roots.value;
    const archive = `${runtime_root}/archived-goals`;
    if (machine.deviceOf(runtime_root) === machine.deviceOf(archive)) return looked("runtime root and archive share a device");
    const message = "the archive is on another device than the runtime root: archiving copies instead of renaming";
    return looked("runtime root and archive are on two devices", [{ severity: "info", message, path: archive }]);
  },
};
