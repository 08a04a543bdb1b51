/** Whether every read of a file makes the disk write its time of access. */
import { type Check, looked, NO_ROOTS } from "./check.ts";

const SPARING = ["noatime", "relatime", "ro"];

export const accessTimes: Check = {
  name: "access_times",
  look: ({ roots, machine }) => {
    if (roots.kind !== "done") return NO_ROOTS;
    const mount = machine.mountOf(roots.value.runtime_root);
    if (mount === null) return looked("not known on this system");
    const option = SPARING.find((name) => mount.options.includes(name));
    if (option !== undefined) return looked(`${mount.mount_point} is mounted ${option}`);
    const message = `${mount.mount_point} writes the time of every read; mount it with noatime or relatime`;
    return looked("every read is written down", [{ severity: "info", message, path: mount.mount_point }]);
  },
};
