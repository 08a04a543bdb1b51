/** The commands that launch teams and ask after them. Only data, as in `table.ts`. */
import type { CommandSpec } from "./command.ts";

const SESSION = "session";
const ONE_AGENT = { name: "agent-id", about: "this agent (all)" } as const;

export const TEAM: readonly CommandSpec[] = [
  {
    path: ["launch"],
    aliases: [["visible-multi-agent-launcher"], ["agents", "launch"]],
    summary: "Launch a team of agents and supervise it.",
    example: "loopx launch --agents 4 --runtime-root .loopx/runtime",
    options: [
      "agents",
      { name: "agent", repeatable: true },
      { name: "goal-id", repeatable: true, about: "a goal; repeatable (every active goal)" },
      { name: "host", about: "what takes the turns (command)" },
      "host-command-json",
      "validation-command-json",
      "accept-unvalidated",
      "workspace",
      { name: "turns", about: "turns of each agent (no limit)" },
      "turn-timeout",
      { name: "idle-exit", about: "seconds without work, or never (never)" },
      { name: "grace", about: "seconds for turns to finish at the end (15)" },
      "max-load",
      "max-restarts",
      "backoff-min",
      "backoff-max",
      SESSION,
      "foreground",
      "detach",
      "register",
      "dry-run",
    ],
    load: async () => (await import("./commands/launch.ts")).launch,
  },
  {
    path: ["agents", "status"],
    summary: "Show a team: one line an agent.",
    example: "loopx agents status --session team",
    options: [SESSION, "watch"],
    load: async () => (await import("./commands/agents-status.ts")).agentsStatus,
  },
  {
    path: ["agents", "logs"],
    summary: "Show what agents of a team print.",
    example: "loopx agents logs agent-1 --follow",
    options: [ONE_AGENT, SESSION, "follow"],
    positional: "agent-id",
    load: async () => (await import("./commands/agents-logs.ts")).agentsLogs,
  },
  {
    path: ["agents", "stop"],
    summary: "End a team after its turns, or now.",
    example: "loopx agents stop --session team --now",
    options: [SESSION, "now"],
    load: async () => (await import("./commands/agents-stop.ts")).agentsStop,
  },
  {
    path: ["agents", "wake"],
    summary: "Let agents of a team go on at once.",
    example: "loopx agents wake agent-1",
    options: [ONE_AGENT, SESSION],
    positional: "agent-id",
    load: async () => (await import("./commands/agents-wake.ts")).agentsWake,
  },
];
