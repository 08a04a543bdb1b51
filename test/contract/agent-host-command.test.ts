import { commandHost } from "../../src/adapters/agents/command-host.ts";
import { agentHostSuite } from "./agent-host.ts";

const event = (loopx_event: string, more: object = {}): string => JSON.stringify({ loopx_event, ...more });

agentHostSuite("command", {
  host: commandHost,
  turnFor: (script, args) => ({ run: JSON.stringify([process.execPath, script, ...args]) }),
  turnWithout: () => ({ run: '["loopx-has-no-such-program"]' }),
  text: (text) => text,
  session: (session_id) => event("session", { session_id }),
  usage: (usage) => event("usage", { usage }),
  result: (result) => event("result", { result }),
  rateLimited: (until) => event("rate_limited", { until }),
  authFailed: () => event("auth_failed", { detail: "no key" }),
  refused: () => event("refused"),
});
