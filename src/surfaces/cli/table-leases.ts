/** The commands about leases: LoopX's own and the reference's `task-lease`. Only data (`table.ts`). */
import type { CommandSpec } from "./command.ts";

const GOAL = { name: "goal-id", required: true, about: "the goal" } as const;
const TODO = { name: "todo-id", required: true, about: "the todo" } as const;
const AGENT = { name: "agent-id", about: "the agent that holds the lease" } as const;
const KEY = { name: "idempotency-key", about: "key of the lease, with --expected-version" } as const;
const NEXT_KEY = { name: "idempotency-key", about: "key of the next owner's lease" } as const;
const TTL = { name: "ttl-seconds", about: "from now (as long as it was taken for)" } as const;
const TO = { name: "to", required: true } as const;
const CHANGE = [GOAL, TODO, AGENT, "owner", "lease-epoch", "expected-version"] as const;

export const LEASE_COMMANDS: readonly CommandSpec[] = [
  {
    path: ["lease", "renew"],
    summary: "Let a lease run on from now.",
    example: "loopx lease renew todo_4f2k --goal-id g --agent-id a1 --lease-epoch 1",
    options: [...CHANGE, KEY, TTL, "turn-instance-id", "dry-run"],
    positional: "todo-id",
    load: async () => (await import("./commands/lease.ts")).leaseRenew,
  },
  {
    path: ["lease", "transfer"],
    summary: "Hand a lease over to another agent.",
    example: "loopx lease transfer todo_4f2k --goal-id g --lease-epoch 1 --to a2",
    options: [...CHANGE, TO, NEXT_KEY, "turn-instance-id", "dry-run"],
    positional: "todo-id",
    load: async () => (await import("./commands/lease.ts")).leaseTransfer,
  },
  {
    path: ["lease", "release"],
    summary: "Give a lease back.",
    example: "loopx lease release todo_4f2k --goal-id g --agent-id a1 --lease-epoch 1",
    options: [...CHANGE, KEY, "turn-instance-id", "dry-run"],
    positional: "todo-id",
    load: async () => (await import("./commands/lease.ts")).leaseRelease,
  },
  {
    path: ["lease", "show"],
    summary: "Show who holds a todo, and whether that counts.",
    example: "loopx lease show todo_4f2k --goal-id importer",
    options: [GOAL, TODO],
    positional: "todo-id",
    load: async () => (await import("./commands/lease.ts")).leaseShow,
  },
  {
    path: ["lease", "list"],
    summary: "List the leases of a goal, the one that ends first in front.",
    example: "loopx lease list --goal-id importer",
    options: [GOAL, { name: "agent-id", about: "only this agent's" }, "limit", "cursor"],
    positional: "goal-id",
    load: async () => (await import("./commands/lease.ts")).leaseList,
  },
  {
    path: ["task-lease", "acquire"],
    reference: true,
    summary: "Lease one todo under a key.",
    example: "loopx task-lease acquire --goal-id g --todo-id todo_4f2k --owner a1",
    options: [
      GOAL,
      TODO,
      { name: "agent-id", about: "the agent that will work" },
      "owner",
      { name: "idempotency-key", about: "a new key for a new lease" },
      "ttl-seconds",
      { name: "write-scope", repeatable: true },
      "turn-instance-id",
      "instance",
      "available-capability",
    ],
    load: async () => (await import("./commands/lease.ts")).leaseAcquire,
  },
  {
    path: ["task-lease", "renew"],
    reference: true,
    summary: "Let a lease run on from now.",
    example: "loopx task-lease renew --goal-id g --todo-id todo_4f2k --lease-epoch 1",
    options: [...CHANGE, KEY, TTL, "turn-instance-id", "dry-run"],
    load: async () => (await import("./commands/lease.ts")).taskLeaseRenew,
  },
  {
    path: ["task-lease", "transfer"],
    reference: true,
    summary: "Hand a lease over to another agent.",
    example: "loopx task-lease transfer --goal-id g --todo-id todo_4f2k --to a2",
    options: [...CHANGE, TO, NEXT_KEY, "turn-instance-id", "dry-run"],
    load: async () => (await import("./commands/lease.ts")).taskLeaseTransfer,
  },
  {
    path: ["task-lease", "release"],
    reference: true,
    summary: "Give a lease back.",
    example: "loopx task-lease release --goal-id g --todo-id todo_4f2k --owner a1",
    options: [...CHANGE, KEY, "turn-instance-id", "dry-run"],
    load: async () => (await import("./commands/lease.ts")).taskLeaseRelease,
  },
  {
    path: ["task-lease", "inspect"],
    reference: true,
    summary: "Show the lease of a todo.",
    example: "loopx task-lease inspect --goal-id importer --todo-id todo_4f2k",
    options: [GOAL, TODO],
    load: async () => (await import("./commands/lease.ts")).taskLeaseInspect,
  },
];
