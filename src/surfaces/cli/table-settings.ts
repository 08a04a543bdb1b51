/** The commands that change what the registry says about goals, beside adding and stopping them. Only data, as in `table.ts`. */
import type { CommandSpec } from "./command.ts";

const GOAL = { name: "goal-id", required: true, about: "the goal" } as const;

export const SETTINGS: readonly CommandSpec[] = [
  {
    path: ["quota", "set"],
    summary: "Set how much a goal may spend and hold.",
    example: "loopx quota set --goal-id importer --compute 0.5",
    options: [
      { name: "goal-id", about: "the goal; or --root" },
      "root",
      "compute",
      "window-hours",
      "slot-minutes",
      "allowed-slots",
      "tokens",
      "wall-minutes",
      "profile",
      "limit-open-todos",
      "limit-running-tasks",
      "limit-runtime-bytes",
      "limit-event-bytes",
      "limit-cache-entries",
      "limit-cache-bytes",
      "dry-run",
    ],
    load: async () => (await import("./commands/quota-set.ts")).quotaSet,
  },
  {
    path: ["agent", "add"],
    summary: "Register agents of a goal.",
    example: "loopx agent add --goal-id importer --agent-id alice",
    options: [
      GOAL,
      { name: "agent-id", required: true, repeatable: true, about: "an agent; repeatable" },
      "require-new",
      "dry-run",
      { name: "execute", about: "--execute=false is the same as --dry-run" },
    ],
    load: async () => (await import("./commands/agent-add.ts")).agentAdd,
  },
  {
    path: ["register-agent"],
    reference: true,
    summary: "Preview registering agents; --execute does it.",
    example: "loopx register-agent --goal-id importer --agent-id alice --execute",
    options: [
      GOAL,
      { name: "agent-id", required: true, repeatable: true, about: "an agent; repeatable" },
      "require-new",
      "dry-run",
      { name: "execute", about: "write; without it only a preview" },
    ],
    load: async () => (await import("./commands/agent-add.ts")).registerAgent,
  },
  {
    path: ["configure-goal"],
    reference: true,
    summary: "Show or preview settings of a goal; --execute writes.",
    example: "loopx configure-goal --goal-id importer --quota-compute 0.5 --execute",
    options: [
      GOAL,
      "quota-compute",
      "quota-window-hours",
      { name: "write-scope", repeatable: true },
      "replace-write-scope",
      "clear-write-scope",
      "waiting-on",
      "clear-waiting-on",
      { name: "agent-work-mode", repeatable: true },
      "dry-run",
      { name: "execute", about: "write; without it only a preview" },
    ],
    load: async () => (await import("./commands/configure-goal.ts")).configureGoal,
  },
];
