/** The commands about checks, evidence and what is cached of them. Only data, as in `table.ts`. */
import type { CommandSpec } from "./command.ts";

const GOAL = { name: "goal-id", required: true, about: "the goal" } as const;

export const PROVING: readonly CommandSpec[] = [
  {
    path: ["verify"],
    summary: "Run the checks of a todo and record the evidence.",
    example: "loopx verify --goal-id importer --agent-id a1",
    options: [
      { name: "todo-id", about: "the todo (the one you have in hand)" },
      { name: "goal-id", about: "the goal (where the todo is in hand)" },
      { name: "agent-id", about: "the agent that verifies" },
      { name: "turn-instance-id", about: "the turn: what fails in it counts as failed" },
      "lease-epoch",
      "no-cache",
      { name: "dry-run", about: "run the checks, record nothing" },
    ],
    positional: "todo-id",
    load: async () => (await import("./commands/verify.ts")).verify,
  },
  {
    path: ["evidence", "add"],
    summary: "Record what was seen, as a report.",
    example: 'loopx evidence add --goal-id importer --label "Tests" --note ok',
    options: [
      GOAL,
      { name: "label", required: true },
      { name: "agent-id", about: "the agent that reports" },
      { name: "todo-id", about: "the todo that it is about" },
      "command-json",
      "exit-code",
      "duration-seconds",
      "output",
      "output-file",
      "note",
      "lease-epoch",
      "idempotency-key",
      "dry-run",
    ],
    load: async () => (await import("./commands/evidence.ts")).evidenceAdd,
  },
  {
    path: ["evidence", "list"],
    summary: "List recorded evidence, newest first.",
    example: "loopx evidence list --goal-id importer --limit 10",
    options: [GOAL, { name: "todo-id", about: "only about this todo" }, "limit", "cursor"],
    positional: "goal-id",
    load: async () => (await import("./commands/evidence.ts")).evidenceList,
  },
  {
    path: ["evidence", "show"],
    summary: "Show one piece of evidence.",
    example: "loopx evidence show 5 --goal-id importer --with-output",
    options: [{ name: "seq", required: true }, GOAL, "with-output"],
    positional: "seq",
    load: async () => (await import("./commands/evidence.ts")).evidenceShow,
  },
  {
    path: ["cache", "stats"],
    summary: "Show what is cached, by kind and capability.",
    example: "loopx cache stats",
    options: [{ name: "kind", about: "status, verifier or packages (all)" }, "capability"],
    load: async () => (await import("./commands/cache.ts")).cacheStats,
  },
  {
    path: ["cache", "prune"],
    summary: "Remove what was used longest ago.",
    example: "loopx cache prune --kind verifier --max-entries 100",
    options: [
      { name: "kind", about: "status, verifier or packages (all)" },
      "capability",
      "max-entries",
      "max-bytes",
      "older-than",
      "dry-run",
    ],
    load: async () => (await import("./commands/cache.ts")).cachePrune,
  },
  {
    path: ["cache", "clear"],
    summary: "Remove all that is cached; it is made again.",
    example: "loopx cache clear --kind status",
    options: [{ name: "kind", about: "status, verifier or packages (all)" }, "capability", "dry-run"],
    load: async () => (await import("./commands/cache.ts")).cacheClear,
  },
];
