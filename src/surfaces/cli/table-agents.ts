/** The commands that run agents, and that their hosts call. Only data, as in `table.ts`. */
import type { CommandSpec } from "./command.ts";

export const AGENTS: readonly CommandSpec[] = [
  {
    path: ["run"],
    summary: "Run an agent: claim, host, check, settle; one turn or more.",
    example: "loopx run --goal-id importer --agent-id a1 --until-idle",
    options: [
      { name: "goal-id", repeatable: true, about: "a goal, repeatable (any that has use for it)" },
      { name: "agent-id", about: "the agent that works" },
      { name: "host", about: "what takes the turns (command)" },
      "host-command-json",
      "validation-command-json",
      "accept-unvalidated",
      "workspace",
      "turns",
      "until-idle",
      "turn-timeout",
      "idle-exit",
      "grace",
      { name: "ttl-seconds", about: "how long a lease runs (300)" },
      "available-capability",
      "log-dir",
      "retry-host",
      "dry-run",
      "worker",
    ],
    load: async () => (await import("./commands/run.ts")).run,
  },
  {
    path: ["turn", "submit"],
    summary: "Hand over what came of a turn; called by its host.",
    example: 'loopx turn submit --kind validated_completion --summary "Parser works"',
    options: [
      { name: "kind", required: true, about: "what came of the turn" },
      { name: "summary", required: true, about: "what came of it, in a sentence" },
      { name: "next", repeatable: true },
      "no-follow-up",
      { name: "reason", about: "why nothing follows" },
      { name: "until", about: "when to look again" },
      "input-tokens",
      "output-tokens",
    ],
    load: async () => (await import("./commands/turn-submit.ts")).turnSubmit,
  },
];
