/** Commands that explain decisions, and the reference's that only read. Only data (`table.ts`). */
import type { CommandSpec } from "./command.ts";

const GOAL = { name: "goal-id", required: true, about: "the goal" } as const;
const AGENT = { name: "agent-id", about: "the agent this is about" } as const;

export const READ_COMMANDS: readonly CommandSpec[] = [
  {
    path: ["why"],
    summary: "Explain what next answers: the rule, and its facts.",
    example: "loopx why --goal-id importer --agent-id a1",
    options: [
      { name: "goal-id", about: "the goal (the one next answers about)" },
      AGENT,
      "instance",
      "available-capability",
      "at",
    ],
    load: async () => (await import("./commands/why.ts")).why,
  },
  {
    path: ["why-not"],
    summary: "Say what keeps an agent from a todo, and what would change it.",
    example: "loopx why-not todo_a1b --goal-id importer --agent-id a1",
    options: [
      { name: "todo-id", required: true, about: "the todo" },
      { name: "goal-id", about: "the goal (the one next answers about)" },
      AGENT,
      "instance",
      "available-capability",
      "at",
    ],
    positional: "todo-id",
    load: async () => (await import("./commands/why.ts")).whyNot,
  },
  {
    path: ["quota", "should-run"],
    reference: true,
    summary: "What next answers, in the fields of the Python program.",
    example: "loopx quota should-run --goal-id importer --agent-id a1 --json",
    options: [
      GOAL,
      AGENT,
      { name: "turn-instance-id", about: "open this turn: it keeps its answer" },
      "available-capability",
      "runtime-profile",
      "turn-envelope",
      "include-detail",
    ],
    without_effect: ["scan-root", "scan-path"],
    load: async () => (await import("./commands/compat.ts")).shouldRun,
  },
  {
    path: ["quota", "status"],
    summary: "Show what goals have spent, hold, and may still spend.",
    example: "loopx quota status --goal-id importer",
    options: [{ name: "goal-id", about: "one goal, with every unit and limit" }, "limit", "cursor"],
    load: async () => (await import("./commands/compat.ts")).quotaStatus,
  },
  {
    path: ["quota", "plan"],
    summary: "Name the goal that should run next.",
    example: "loopx quota plan",
    options: [],
    load: async () => (await import("./commands/compat.ts")).quotaPlan,
  },
  {
    path: ["evidence-log"],
    reference: true,
    summary: "List what one agent did on a goal, newest first.",
    example: "loopx evidence-log --goal-id importer --agent-id a1 --thin",
    options: [GOAL, AGENT, { name: "todo-id", about: "only about this todo" }, "since", "limit", "thin"],
    load: async () => (await import("./commands/compat.ts")).evidenceLog,
  },
  {
    path: ["diagnose"],
    reference: true,
    summary: "The decision as one signal, with evidence and commands.",
    example: "loopx diagnose --goal-id importer --agent-id a1 --json",
    options: [GOAL, AGENT, "available-capability"],
    load: async () => (await import("./commands/compat.ts")).diagnose,
  },
];
