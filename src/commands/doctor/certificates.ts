/** Additional certificates, which old versions of Node read and parse at every start. */
import { type Check, looked } from "./check.ts";

const LAZY_SINCE = 22;

export const certificates: Check = {
  name: "certificates",
  look: ({ machine }) => {
    const path = machine.extra_certificates;
    if (path === null) return looked("NODE_EXTRA_CA_CERTS is not set");
    if (Number.parseInt(machine.node_version, 10) >= LAZY_SINCE) return looked("NODE_EXTRA_CA_CERTS is read only when needed");
    const message =
      "NODE_EXTRA_CA_CERTS makes this version of Node read that file at every start (some 40 ms a command); LoopX does not need it";
    return looked("NODE_EXTRA_CA_CERTS is set", [{ severity: "info", message, path }]);
  },
};
