/** The version of Node that runs LoopX. */
import { type Check, looked } from "./check.ts";

const SUPPORTED = [20, 19] as const;
const RECOMMENDED = 22;

export const node: Check = {
  name: "node",
  look: ({ machine }) => {
    const [major = 0, minor = 0] = machine.node_version.split(".").map(Number);
    const says = `Node ${machine.node_version}`;
    if (major < SUPPORTED[0] || (major === SUPPORTED[0] && minor < SUPPORTED[1])) {
      const message = `Node ${machine.node_version} is too old: LoopX needs ${SUPPORTED.join(".")}; install Node ${RECOMMENDED} or newer`;
      return looked(says, [{ severity: "error", message }]);
    }
    if (major >= RECOMMENDED) return looked(says);
    return looked(says, [{ severity: "info", message: `Node ${RECOMMENDED} or newer starts faster` }]);
  },
};
