/** Commands that explain decisions, and the reference's that only read. Only data (`table.ts`). */
import type { CommandSpec } from "./command.ts";

const AGENT = { name: "agent-id", about: "the agent this is about" } as const;

export const READ_COMMANDS: readonly CommandSpec[] = [
  {
    path: ["why"],
    summary: "Explain what next answers: the rule, and its facts.",
    example: "loopx why --goal-id importer --agent-id a1",
    options: [{ name: "goal-id", about: "the goal (the one next answers about)" }, AGENT, "instance", "available-capability"],
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
    ],
    positional: "todo-id",
    load: async () => (await import("./commands/why.ts")).whyNot,
  },
];
