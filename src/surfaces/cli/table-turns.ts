/** The commands that agents start every turn, known without the others. Only data (`table.ts`). */
import type { CommandSpec } from "./command.ts";

const PAGE = ["limit", "cursor"] as const;

export const REFRESH: CommandSpec = {
  path: ["refresh"],
  aliases: [["refresh-state"]],
  summary: "Record a run: what the state file says now, as a fact.",
  example: 'loopx refresh --goal-id importer --next-action "Write the parser"',
  options: [
    { name: "goal-id", about: "the goal; or --all" },
    { name: "all", about: "bring every goal up to date, record no run" },
    { name: "watch", about: "with --all: every so often (5) until Ctrl-C" },
    { name: "agent-id", about: "the agent that reports" },
    "agent-lane",
    "classification",
    "recommended-action",
    "next-action",
    "delivery-outcome",
    "delivery-batch-scale",
    "todo-id",
    "turn-instance-id",
    "progress-scope",
    "state-file",
    "dry-run",
  ],
  without_effect: ["no-global-sync", "suppress-external-sinks", "project"],
  load: async () => (await import("./commands/refresh.ts")).refresh,
};

export const NEXT: CommandSpec = {
  path: ["next"],
  summary: "Ask whether to act, on what, and why; a read.",
  example: "loopx next --goal-id importer --agent-id a1",
  options: [
    { name: "goal-id", about: "the goal (the one with most use for you)" },
    { name: "agent-id", about: "the agent that asks" },
    { name: "turn-instance-id", about: "open this turn: it keeps its answer" },
    "instance",
    "available-capability",
    "seen",
    "at",
  ],
  load: async () => (await import("./commands/next.ts")).next,
};

export const CLAIM: CommandSpec = {
  path: ["claim"],
  summary: "Select a todo and lease it, in one step.",
  example: "loopx claim --goal-id importer --agent-id a1",
  options: [
    { name: "goal-id", about: "the goal (the one with most use for you)" },
    { name: "agent-id", about: "the agent that will work" },
    { name: "todo-id", about: "this todo (the best one)" },
    { name: "turn-instance-id", about: "the turn; it claims once" },
    "instance",
    "ttl-seconds",
    "available-capability",
    { name: "write-scope", repeatable: true },
    "idempotency-key",
    "dry-run",
  ],
  load: async () => (await import("./commands/claim.ts")).claim,
};

export const DONE: CommandSpec = {
  path: ["done"],
  summary: "Finish a todo: verified, closed, followed up, settled.",
  example: 'loopx done --agent-id a1 --summary "Parser works" --next "Write docs"',
  options: [
    { name: "goal-id", about: "the goal (where you have a todo in hand)" },
    { name: "agent-id", about: "the agent that did it" },
    { name: "todo-id", about: "the todo (the one you have in hand)" },
    "summary",
    { name: "next", repeatable: true },
    "no-follow-up",
    { name: "reason", about: "with --no-follow-up: why nothing comes next" },
    "lease-epoch",
    "turn-instance-id",
    { name: "tokens", about: "tokens the turn took (0)" },
    "wall-seconds",
    "slots",
    "no-cache",
    "task-lease-idempotency-key",
    "task-lease-expected-version",
    "dry-run",
  ],
  load: async () => (await import("./commands/done.ts")).done,
};

export const STATUS: CommandSpec = {
  path: ["status"],
  summary: "Show who must act, what comes next and what has drifted.",
  example: "loopx status --goal-id importer --json",
  options: [
    "goal-id",
    { name: "agent-id", about: "as this agent sees it" },
    ...PAGE,
    { name: "all", about: "check and show every goal, not one page" },
    "fields",
    "watch",
    "at",
    "status-projection-cache-ttl-seconds",
    "clear-cache",
  ],
  without_effect: ["scan-path", "scan-root", "use-projection-cache", "write-projection-cache"],
  load: async () => (await import("./commands/status.ts")).status,
};

export const HISTORY: CommandSpec = {
  path: ["history"],
  summary: "List recorded runs, newest first.",
  example: "loopx history --goal-id importer --limit 10",
  options: ["goal-id", ...PAGE, { name: "all", about: "every run, with whole texts" }, "at"],
  load: async () => (await import("./commands/history.ts")).history,
};

export const DRIFT: CommandSpec = {
  path: ["drift"],
  summary: "Show where execution has left intent, and the repair.",
  example: "loopx drift --fix --dry-run",
  options: [
    "goal-id",
    ...PAGE,
    { name: "all", about: "every goal, with whole texts" },
    "fix",
    { name: "dry-run", about: "with --fix: show what it would do" },
  ],
  load: async () => (await import("./commands/drift.ts")).drift,
};

export const VERSION: CommandSpec = {
  path: ["version"],
  summary: "Print the version of loopx.",
  example: "loopx version --json",
  options: [],
  load: async () => (await import("./commands/version.ts")).version,
};

export const EVERY_TURN: readonly CommandSpec[] = [REFRESH, NEXT, CLAIM, DONE, STATUS, HISTORY, DRIFT, VERSION];
