/** The commands about todos, gates and what is looked up. Only data, as in `table.ts`. */
import type { CommandSpec, OptionUse } from "./command.ts";
import type { OptionName } from "./options.ts";

const GOAL = { name: "goal-id", required: true, about: "the goal" } as const;
const OF_TODO = { name: "goal-id", about: "the goal (the one that has it)" } as const;
const TODO = { name: "todo-id", required: true, about: "the todo" } as const;
const WRITER = { name: "agent-id", about: "the agent that writes" } as const;
const FENCE = ["lease-epoch", "turn-instance-id", "task-lease-idempotency-key", "task-lease-expected-version"] as const;
const REHEARSAL = ["dry-run", { name: "execute", about: "--execute=false is the same as --dry-run" }] as const;

const GATE_WORDS: readonly OptionName[] = [
  "unblocks-todo-id",
  "blocks-agent",
  "decision-scope",
  "global-gate",
  "on-reject",
  "expires-at",
  "default-outcome",
  "cadence",
  "note",
];

/** What can be said of a todo. */
const WORDS: readonly OptionName[] = [
  "task-class",
  "action-kind",
  "claimed-by",
  "excluded-agent",
  "depends-on",
  "resume-when",
  "target-key",
  "cadence",
  "expires-at",
  "next-due-at",
  "watch-only",
  "required-capability",
  "target-capability",
  "required-write-scope",
  "validation-command",
  "validation-command-argv",
  "validation-label",
  "validation-timeout-seconds",
  "run",
  "bound-agent",
  "goal-bound",
  "blocks-agent",
  "global-gate",
  "unblocks-todo-id",
  "decision-scope",
  "required-decision-scope",
  "on-reject",
  "default-outcome",
  "continuation-policy",
  "note",
  "evidence",
];

const NEXT: readonly (OptionName | OptionUse)[] = [
  { name: "next", repeatable: true },
  "no-follow-up",
  "next-task-class",
  "next-action-kind",
  "next-claimed-by",
  "next-excluded-agent",
  "next-continuation-policy",
  { name: "next-user-todo", repeatable: true },
  "next-user-task-class",
  "next-bound-agent",
  "next-goal-bound",
  "next-blocks-agent",
  "next-global-gate",
];

const WHY = { name: "reason", about: "why, kept with the todo" } as const;
const todo = async (): Promise<typeof import("./commands/todo.ts")> => await import("./commands/todo.ts");
const gate = async (): Promise<typeof import("./commands/gate.ts")> => await import("./commands/gate.ts");

export const TODOS: readonly CommandSpec[] = [
  {
    path: ["todo", "add"],
    summary: "Add a todo, or bring an open one of the same text up to date.",
    example: 'loopx todo add --goal-id importer --text "Write the parser"',
    options: [
      GOAL,
      { name: "text", required: true },
      "role",
      "priority",
      "status",
      ...WORDS,
      WHY,
      WRITER,
      "turn-instance-id",
      ...REHEARSAL,
    ],
    load: async () => (await todo()).todoAdd,
  },
  {
    path: ["todo", "list"],
    summary: "List todos: what can be done first.",
    example: "loopx todo list --goal-id importer --status open",
    options: [GOAL, "status", "role", { name: "todo-id", about: "only this one" }, "limit", "cursor"],
    positional: "goal-id",
    load: async () => (await todo()).todoList,
  },
  {
    path: ["todo", "show"],
    summary: "Show one todo, whole.",
    example: "loopx todo show todo_4f2k --agent-id a1",
    options: [TODO, OF_TODO, { name: "agent-id", about: "also why this agent cannot take it up" }],
    positional: "todo-id",
    load: async () => (await todo()).todoShow,
  },
  {
    path: ["todo", "update"],
    summary: "Change what a todo says.",
    example: "loopx todo update todo_4f2k --priority 0",
    options: [
      TODO,
      OF_TODO,
      "text",
      "priority",
      "status",
      "clear-claim",
      ...WORDS,
      WHY,
      { name: "next", repeatable: true },
      "no-follow-up",
      WRITER,
      ...FENCE,
      ...REHEARSAL,
    ],
    positional: "todo-id",
    load: async () => (await todo()).todoUpdate,
  },
  {
    path: ["todo", "block"],
    summary: "Put a todo aside: something is in the way.",
    example: 'loopx todo block todo_4f2k --reason "The API is down"',
    options: [TODO, OF_TODO, WHY, "note", "resume-when", WRITER, ...FENCE, ...REHEARSAL],
    positional: "todo-id",
    load: async () => (await todo()).todoBlock,
  },
  {
    path: ["todo", "defer"],
    summary: "Put a todo off, until a time or a condition.",
    example: "loopx todo defer todo_4f2k --until 2027-01-10",
    options: [
      TODO,
      OF_TODO,
      { name: "until", about: "the time it comes back" },
      "resume-when",
      WHY,
      "note",
      WRITER,
      ...FENCE,
      ...REHEARSAL,
    ],
    positional: "todo-id",
    load: async () => (await todo()).todoDefer,
  },
  {
    path: ["todo", "reopen"],
    summary: "Open a todo again.",
    example: "loopx todo reopen todo_4f2k",
    options: [TODO, OF_TODO, WHY, "note", WRITER, ...FENCE, ...REHEARSAL],
    positional: "todo-id",
    load: async () => (await todo()).todoReopen,
  },
  {
    path: ["todo", "complete"],
    summary: "Close a todo, with what comes next.",
    example: 'loopx todo complete todo_4f2k --agent-id a1 --next "Write the docs"',
    options: [TODO, OF_TODO, ...NEXT, WHY, "note", "evidence", "decision-outcome", WRITER, ...FENCE, ...REHEARSAL],
    positional: "todo-id",
    load: async () => (await todo()).todoComplete,
  },
  {
    path: ["todo", "supersede"],
    summary: "Close a todo that something else takes the place of.",
    example: 'loopx todo supersede todo_4f2k --next "Parse lazily"',
    options: [TODO, OF_TODO, "superseded-by", ...NEXT, WHY, "note", "evidence", WRITER, ...FENCE, ...REHEARSAL],
    positional: "todo-id",
    load: async () => (await todo()).todoSupersede,
  },
  {
    path: ["todo", "claim"],
    reference: true,
    summary: "Claim this todo: the same as loopx claim --todo-id.",
    example: "loopx todo claim --todo-id todo_4f2k --agent-id a1",
    options: [
      TODO,
      OF_TODO,
      { name: "agent-id", about: "the agent that will work" },
      "claimed-by",
      "turn-instance-id",
      "instance",
      "ttl-seconds",
      "idempotency-key",
      "dry-run",
    ],
    positional: "todo-id",
    load: async () => (await todo()).todoClaim,
  },
  {
    path: ["todo", "archive-completed"],
    summary: "Preview moving old closed todos; --execute does it.",
    example: "loopx todo archive-completed --goal-id importer --execute",
    options: [GOAL, "max-active-done", "dry-run", { name: "execute", about: "move; without it only a preview" }],
    load: async () => (await todo()).todoArchiveCompleted,
  },
  {
    path: ["gate", "list"],
    summary: "List what waits for a person, over all goals.",
    example: "loopx gate list",
    options: [{ name: "goal-id", about: "only this goal" }, "limit", "cursor"],
    load: async () => (await gate()).gateList,
  },
  {
    path: ["gate", "show"],
    summary: "Show one question and what it holds up.",
    example: "loopx gate show todo_7c3z",
    options: [TODO, OF_TODO],
    positional: "todo-id",
    load: async () => (await gate()).gateShow,
  },
  {
    path: ["gate", "add"],
    summary: "Ask a person: agents wait for the answer.",
    example: 'loopx gate add --goal-id importer --text "Ship it?" --global-gate',
    options: [GOAL, { name: "text", required: true }, "priority", ...GATE_WORDS, WRITER, ...REHEARSAL],
    load: async () => (await gate()).gateAdd,
  },
  ...(["approve", "reject", "defer"] as const).map(
    (answer): CommandSpec => ({
      path: ["gate", answer],
      summary: summaryOf(answer),
      example: `loopx gate ${answer} todo_7c3z${answer === "approve" ? "" : ' --reason "Not yet"'}`,
      options: [TODO, OF_TODO, WHY, ...(answer === "defer" ? (["until"] as const) : []), ...REHEARSAL],
      positional: "todo-id",
      load: async () => (await gate()).gateAnswer(answer),
    }),
  ),
  {
    path: ["poll"],
    summary: "Look up what is due, or record what a monitor saw.",
    example: "loopx poll --goal-id importer --todo-id todo_9b1q --result-hash 9f2c",
    options: [
      { name: "goal-id", about: "the goal (all, or the one that has the todo)" },
      { name: "agent-id", about: "the agent that looked" },
      { name: "todo-id", about: "the monitor that was looked at" },
      { name: "target-key", about: "the monitor of this target" },
      "result-hash",
      "material-change",
      ...REHEARSAL,
    ],
    load: async () => (await import("./commands/poll.ts")).poll,
  },
  {
    path: ["operator-gate"],
    reference: true,
    summary: "Answer a question: the same as loopx gate approve.",
    example: "loopx operator-gate --goal-id importer --decision approve",
    options: [GOAL, { name: "decision", required: true }, "reason-summary", "gate", "dry-run"],
    load: async () => (await gate()).operatorGate,
  },
];

function summaryOf(answer: "approve" | "reject" | "defer"): string {
  if (answer === "approve") return "Answer yes: what the question holds up can be done.";
  return answer === "reject" ? "Answer no: what the question holds up is closed." : "Answer later: the question is asked again.";
}
