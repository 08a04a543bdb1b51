/** The commands that spend quota, take a spend back, and make an agent wait. Only data, as in `table.ts`. */
import type { CommandSpec } from "./command.ts";

const GOAL = { name: "goal-id", required: true, about: "the goal" } as const;
const EXECUTE = { name: "execute", about: "write; without it only a preview" } as const;

export const SPENDING: readonly CommandSpec[] = [
  {
    path: ["quota", "spend-slot"],
    summary: "Preview spending a written turn; --execute does it.",
    example: "loopx quota spend-slot --goal-id importer --agent-id a1",
    options: [
      GOAL,
      { name: "agent-id", about: "the agent that took the turn" },
      { name: "todo-id", about: "the todo that the turn was about" },
      { name: "turn-instance-id", about: "the turn; it is spent once" },
      "slots",
      { name: "tokens", about: "tokens the turn took (0)" },
      "wall-seconds",
      "source",
      "dry-run",
      EXECUTE,
    ],
    positional: "goal-id",
    load: async () => (await import("./commands/quota-spend.ts")).quotaSpendSlot,
  },
  {
    path: ["quota", "void-slot"],
    summary: "Preview taking a spend back; --execute does it.",
    example: "loopx quota void-slot importer --void-seq 5 --reason-summary Twice",
    options: [
      GOAL,
      "void-seq",
      "void-generated-at",
      { name: "reason-summary", required: true, about: "why it is taken back" },
      "dry-run",
      EXECUTE,
    ],
    positional: "goal-id",
    load: async () => (await import("./commands/quota-spend.ts")).quotaVoidSlot,
  },
  {
    path: ["quota", "hold"],
    summary: "Make an agent wait, as its provider demands.",
    example: "loopx quota hold --goal-id importer --agent-id a1 --minutes 30",
    options: [
      GOAL,
      { name: "agent-id", required: true, about: "the agent that has to wait" },
      "until",
      "minutes",
      { name: "reason", about: "what it waits for" },
      "dry-run",
    ],
    positional: "goal-id",
    load: async () => (await import("./commands/quota-wait.ts")).quotaHold,
  },
  {
    path: ["quota", "resume"],
    summary: "End the wait of an agent.",
    example: "loopx quota resume --goal-id importer --agent-id a1",
    options: [
      GOAL,
      { name: "agent-id", required: true, about: "the agent that waits" },
      { name: "reason", about: "why it need not wait" },
      "dry-run",
    ],
    positional: "goal-id",
    load: async () => (await import("./commands/quota-wait.ts")).quotaResume,
  },
];
