/**
 * What agents, persons and editors do to a small goal, one step after the other, with a clock that also steps back.
 *
 * A step is data: what it asks for is worked out on the head and the todos that stand when its turn comes.
 */
import fc from "fast-check";
import type { Continuation, TodoFields, TodoRecord, Units } from "../../src/core/events.ts";
import type { GoalCommand } from "../../src/core/goal/command.ts";
import { type Fence, leaseOf } from "../../src/core/goal/fence.ts";
import type { GoalHead, GoalState } from "../../src/core/goal/head.ts";
import { type AgentId, parseAgentId, parseTodoId, parseTurnId, type TodoId, type TurnId } from "../../src/core/id.ts";
import { addMilliseconds, type Instant } from "../../src/core/instant.ts";
import type { PlanChange } from "../../src/core/plan/compare.ts";
import type { PlanTodo } from "../../src/core/plan/plan.ts";

function made<T>(value: T | null): T {
  if (value === null) throw new Error("an id of the tests is no id");
  return value;
}

/** Names of properties that every object has are names like any other. */
export const AGENTS: readonly AgentId[] = ["a1", "b2", "constructor"].map((text) => made(parseAgentId(text)));
export const TURNS: readonly TurnId[] = ["t-1", "7", "__proto__", "constructor"].map((text) => made(parseTurnId(text)));
export const IDS: readonly TodoId[] = [..."abcdef"].map((letter) => made(parseTodoId(`todo_${letter}00`)));
const RENAMED: readonly TodoId[] = ["todo_x00", "todo_y00"].map((text) => made(parseTodoId(text)));

export const someTodoId: fc.Arbitrary<TodoId> = fc.constantFrom(...IDS);
const someAgent = fc.constantFrom(...AGENTS);
const someTurn = fc.constantFrom(...TURNS);

const someTurnOrNone: fc.Arbitrary<TurnId | null> = fc.option(someTurn);

const someUnits: fc.Arbitrary<Units> = fc.record({
  slots: fc.nat(3),
  tokens: fc.nat(500),
  wall_ms: fc.nat(90_000),
});

const someList = (of: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc.array(of, { minLength: 1, maxLength: 2 }).map((words) => words.join(","));

const CONDITIONS = [
  "pr_merged:#1",
  "pr_merged:#2",
  "capacity_available:gpu",
  "2026-01-02T00:00:00Z",
  "at:2026-01-01T02:00:00Z",
  "never-heard-of",
];

const VALUES = {
  depends_on: someList(someTodoId),
  resume_when: fc.oneof(
    fc.constantFrom(...CONDITIONS),
    someTodoId.map((id) => `todo_done:${id}`),
  ),
  unblocks_todo_id: someList(someTodoId),
  blocks_agent: someList(someAgent),
  decision_scope: fc.constantFrom("direction:goal:x", "resource:lane:db"),
  required_decision_scopes: fc.constantFrom("direction:action:y", "resource:lane:db"),
  on_reject: fc.constant("reopen"),
  claimed_by: fc.constantFrom("a1", "B2", "Someone Else", "!"),
  excluded_agents: someAgent,
  no_followup: fc.constant("true"),
  next_due_at: fc.constantFrom("2026-01-01T03:00:00Z", "2026-01-03T00:00:00Z", "soon"),
  required_write_scopes: fc.constantFrom("src/**", "docs/a.md"),
  ["__proto__"]: fc.constant("kept"),
};

/** Keys that decide, a few at a time, and one that LoopX does not know. */
export const someMetadata: fc.Arbitrary<TodoRecord["metadata"]> = fc
  .tuple(fc.subarray(Object.keys(VALUES), { maxLength: 4 }), fc.record(VALUES))
  .map(([keys, values]) => Object.fromEntries(Object.entries(values).filter(([key]) => keys.includes(key))));

const CLASSES = [null, "advancement_task", "continuous_monitor", "blocker"] as const;

export const someTodo: fc.Arbitrary<TodoRecord> = fc
  .record({
    todo_id: someTodoId,
    user: fc.nat(3).map((sides) => sides === 0),
    of_agent: fc.constantFrom(...CLASSES),
    of_user: fc.constantFrom("user_gate", "user_gate", "user_action"),
    status: fc.constantFrom("open", "open", "open", "deferred", "blocked", "done"),
    priority: fc.option(fc.nat(4)),
    index: fc.nat(5),
    archived: fc.nat(9).map((sides) => sides === 0),
    metadata: someMetadata,
  })
  .map(({ user, of_agent, of_user, todo_id, ...rest }) => ({
    todo_id,
    id_source: "metadata",
    role: user ? "user" : "agent",
    text: `Do ${todo_id}`,
    task_class: user ? of_user : of_agent,
    section: user ? "User Todo" : "Agent Todo",
    ...rest,
  }));

type Proof = "none" | "newest" | "old" | "key";

export type Ask =
  | { readonly do: "add"; readonly todo: TodoRecord }
  | { readonly do: "change"; readonly id: TodoId; readonly fields: TodoFields; readonly proof: Proof }
  | {
      readonly do: "close";
      readonly id: TodoId;
      readonly outcome: "done" | "superseded" | "rejected";
      readonly next: Continuation;
      readonly proof: Proof;
    }
  | { readonly do: "answer"; readonly id: TodoId; readonly outcome: "approve" | "reject" | "defer" }
  | {
      readonly do: "take";
      readonly id: TodoId;
      readonly ttl: number;
      readonly scopes: readonly string[];
      readonly turn: TurnId | null;
    }
  | { readonly do: "renew" | "free"; readonly id: TodoId; readonly proof: Proof }
  | { readonly do: "move"; readonly id: TodoId; readonly to: AgentId; readonly proof: Proof }
  | { readonly do: "clamp" }
  | { readonly do: "open_turn"; readonly turn: TurnId; readonly request: string }
  | {
      readonly do: "write_turn";
      readonly turn: TurnId;
      readonly id: TodoId;
      readonly outcome: "completed" | "progress" | "failed" | "wait";
      readonly seen: string;
    }
  | { readonly do: "spend"; readonly turn: TurnId | null; readonly units: Units }
  | { readonly do: "wait"; readonly minutes: number }
  | { readonly do: "go_on" }
  | { readonly do: "poll"; readonly id: TodoId; readonly hash: string }
  | { readonly do: "wake"; readonly id: TodoId }
  | { readonly do: "edit"; readonly id: TodoId; readonly fields: TodoFields; readonly base: "fresh" | "older" }
  | { readonly do: "write_line"; readonly todo: TodoRecord }
  | { readonly do: "erase"; readonly id: TodoId }
  | { readonly do: "rename"; readonly id: TodoId; readonly to: TodoId }
  | { readonly do: "stop" | "resume" | "begin_again" };

export interface Step {
  /** How far the clock moves before it. */
  readonly seconds: number;
  readonly agent: AgentId | null;
  readonly ask: Ask;
}

const someFields: fc.Arbitrary<TodoFields> = fc.record(
  {
    metadata: someMetadata,
    text: fc.constantFrom("Do it", "Do it otherwise"),
    status: fc.constantFrom("open", "blocked", "deferred"),
    task_class: fc.constantFrom("user_gate", "user_action", "advancement_task"),
  },
  { requiredKeys: [] },
);

/** What an editor can do that no command can: tick, untick, file away. */
const someEdit: fc.Arbitrary<TodoFields> = fc
  .tuple(someFields, fc.record({ status: fc.constantFrom("done", "open"), archived: fc.boolean() }, { requiredKeys: [] }))
  .map(([fields, more]) => ({ ...fields, ...more }));

const someProof = fc.constantFrom<Proof>("none", "newest", "old", "key");

const someNext: fc.Arbitrary<Continuation> = fc.oneof(
  fc.record({ kind: fc.constant("successors" as const), todo_ids: fc.array(someTodoId, { minLength: 1, maxLength: 2 }) }),
  fc.constant({ kind: "none" as const, reason: "that was all" }),
  fc.constant({ kind: "open" as const }),
);

const of = <D extends Ask["do"], M>(what: D, model: { [K in keyof M]: fc.Arbitrary<M[K]> }): fc.Arbitrary<{ do: D } & M> =>
  fc.record({ do: fc.constant(what), ...model }) as unknown as fc.Arbitrary<{ do: D } & M>;

const someAsk: fc.Arbitrary<Ask> = fc.oneof(
  { weight: 6, arbitrary: of("add", { todo: someTodo }) },
  { weight: 3, arbitrary: of("change", { id: someTodoId, fields: someFields, proof: someProof }) },
  {
    weight: 4,
    arbitrary: of("close", {
      id: someTodoId,
      outcome: fc.constantFrom("done" as const, "done" as const, "superseded" as const, "rejected" as const),
      next: someNext,
      proof: someProof,
    }),
  },
  {
    weight: 3,
    arbitrary: of("answer", {
      id: someTodoId,
      outcome: fc.constantFrom("approve" as const, "reject" as const, "reject" as const, "defer" as const),
    }),
  },
  {
    weight: 9,
    arbitrary: of("take", {
      id: someTodoId,
      ttl: fc.constantFrom(60_000, 600_000, 600_000),
      scopes: fc.constantFrom<readonly string[]>([], ["src/**"], ["src/a.ts"]),
      turn: someTurnOrNone,
    }),
  },
  { weight: 2, arbitrary: of("renew", { id: someTodoId, proof: someProof }) },
  { weight: 2, arbitrary: of("free", { id: someTodoId, proof: someProof }) },
  { weight: 2, arbitrary: of("move", { id: someTodoId, to: someAgent, proof: someProof }) },
  { weight: 1, arbitrary: of("clamp", {}) },
  { weight: 1, arbitrary: of("open_turn", { turn: someTurn, request: fc.constantFrom("r", "s") }) },
  {
    weight: 3,
    arbitrary: of("write_turn", {
      turn: someTurn,
      id: someTodoId,
      outcome: fc.constantFrom("completed" as const, "progress" as const, "failed" as const, "wait" as const),
      seen: fc.constantFrom("", "x", "y"),
    }),
  },
  { weight: 3, arbitrary: of("spend", { turn: someTurnOrNone, units: someUnits }) },
  { weight: 1, arbitrary: of("wait", { minutes: fc.nat(30) }) },
  { weight: 1, arbitrary: of("go_on", {}) },
  { weight: 2, arbitrary: of("poll", { id: someTodoId, hash: fc.constantFrom("h", "i") }) },
  { weight: 1, arbitrary: of("wake", { id: someTodoId }) },
  {
    weight: 5,
    arbitrary: of("edit", { id: someTodoId, fields: someEdit, base: fc.constantFrom("fresh" as const, "older" as const) }),
  },
  { weight: 2, arbitrary: of("write_line", { todo: someTodo }) },
  { weight: 1, arbitrary: of("erase", { id: someTodoId }) },
  { weight: 1, arbitrary: of("rename", { id: someTodoId, to: fc.constantFrom(...RENAMED) }) },
  { weight: 1, arbitrary: fc.constantFrom<Ask>({ do: "stop" }, { do: "resume" }, { do: "resume" }, { do: "begin_again" }) },
);

export const someStep: fc.Arbitrary<Step> = fc.record({
  seconds: fc.oneof({ weight: 19, arbitrary: fc.nat(60) }, { weight: 1, arbitrary: fc.integer({ min: -1200, max: 6000 }) }),
  agent: fc.option(someAgent, { freq: 6 }),
  ask: someAsk,
});

/** Most of it is there from the beginning. */
export const someSteps = (most: number): fc.Arbitrary<readonly Step[]> =>
  fc
    .tuple(
      fc.array(someTodo, { minLength: 3, maxLength: IDS.length, size: "max" }),
      fc.array(someStep, { minLength: Math.floor(most / 2), maxLength: most, size: "max" }),
    )
    .map(([todos, steps]) => [...todos.map(adding), ...steps]);

function adding(todo: TodoRecord): Step {
  return { seconds: 0, agent: null, ask: { do: "add", todo } };
}

export const REGISTRY = "/project/.loopx/registry.json";

/** What the step asks for on the state that stands; empty where it makes no sense. */
export function commandsOf({ agent, ask }: Step, { head, todos }: GoalState, now: Instant): readonly GoalCommand[] {
  if (head === null) return [{ kind: "open-goal", registry: REGISTRY }];
  const fence = (id: TodoId, proof: Proof): Fence => fenceOf({ head, todos }, { id, proof, agent });
  switch (ask.do) {
    case "add":
      return [{ kind: "add-todo", todo: ask.todo }];
    case "change":
      return [{ kind: "change-todo", todo_id: ask.id, fields: ask.fields, fence: fence(ask.id, ask.proof) }];
    case "close":
      return [
        {
          kind: "close-todo",
          todo_id: ask.id,
          outcome: ask.outcome,
          next: ask.next,
          fields: {},
          fence: fence(ask.id, ask.proof),
        },
      ];
    case "answer":
      return [{ kind: "decide-gate", todo_id: ask.id, outcome: ask.outcome, reason: "so", by: "person", until: null }];
    case "take":
      return agent === null ? [] : [takeBy(agent, ask)];
    case "renew":
      return [{ kind: "renew-lease", todo_id: ask.id, ttl_ms: null, fence: fence(ask.id, ask.proof) }];
    case "free":
      return [{ kind: "free-lease", todo_id: ask.id, reason: "released", fence: fence(ask.id, ask.proof) }];
    case "move":
      return [{ kind: "move-lease", todo_id: ask.id, to: ask.to, key: "moved", fence: fence(ask.id, ask.proof) }];
    case "clamp":
      return [{ kind: "clamp-leases" }];
    default:
      return commandsOfTurns({ agent, ask }, { head, todos }, now);
  }
}

function takeBy(owner: AgentId, ask: Extract<Ask, { do: "take" }>): GoalCommand {
  const { id, ttl, scopes, turn } = ask;
  const reserved = { slots: 1, tokens: 0, wall_ms: 0 };
  const lease = {
    todo_id: id,
    owner,
    ttl_ms: ttl,
    write_scopes: scopes,
    reserved,
    key: "k",
    ...(turn !== null && { turn_id: turn }),
  };
  return { kind: "take-lease", lease };
}

function commandsOfTurns(
  { agent, ask }: { readonly agent: AgentId | null; readonly ask: Ask },
  state: GoalState & { readonly head: GoalHead },
  now: Instant,
): readonly GoalCommand[] {
  switch (ask.do) {
    case "open_turn":
      return [
        {
          kind: "open-turn",
          turn: { turn_id: ask.turn, act: "run", why: "work", todo_id: null, request: ask.request, answer: {} },
        },
      ];
    case "write_turn": {
      const { turn, id, outcome, seen } = ask;
      return [
        { kind: "write-turn", turn: { turn_id: turn, todo_id: id, outcome, summary: "s", observation: seen, evidence: [] } },
      ];
    }
    case "spend":
      return [{ kind: "spend", turn_id: ask.turn, agent_id: agent, todo_id: null, units: ask.units, source: "agent" }];
    case "wait":
      return [{ kind: "hold-agent", until: addMilliseconds(now, ask.minutes * 60_000), reason: "limit" }];
    case "go_on":
      return agent === null ? [] : [{ kind: "release-agent", agent_id: agent, reason: "said so" }];
    case "poll":
      return [{ kind: "poll-monitor", todo_id: ask.id, result_hash: ask.hash, material_change: null }];
    case "wake":
      return [{ kind: "wake-todo", todo_id: ask.id }];
    case "stop":
      return [{ kind: "set-activation", activation: "stopped", reason: "pause" }];
    case "resume":
      return [{ kind: "set-activation", activation: "active", reason: "" }];
    case "begin_again":
      return [
        { kind: "start-archive", source: "/root/goals/g", target: "/root/archived-goals/g" },
        { kind: "finish-archive" },
        { kind: "open-goal", registry: REGISTRY },
      ];
    default:
      return editOf(ask, state);
  }
}

function fenceOf(
  { head, todos }: GoalState & { readonly head: GoalHead },
  { id, proof, agent }: { readonly id: TodoId; readonly proof: Proof; readonly agent: AgentId | null },
): Fence {
  const newest = todos.get(id)?.lease_epoch ?? 0;
  const lease = leaseOf(head, id);
  const holder = { agent_id: lease?.owner ?? agent };
  const none: Fence = { agent_id: agent, turn_id: null, epoch: null, key: null, version: null };
  switch (proof) {
    case "none":
      return none;
    case "newest":
      return { ...none, ...holder, epoch: newest };
    case "old":
      return { ...none, epoch: Math.max(0, newest - 1) };
    case "key":
      return { ...none, ...holder, key: lease?.key ?? "k", version: lease?.version ?? 1 };
  }
}

/** What an editor saved, on a base in which the todo stood as it does, or otherwise. */
function editOf(ask: Ask, { todos }: GoalState): readonly GoalCommand[] {
  if (ask.do === "write_line") return accepting([{ kind: "todo_appeared", todo: inFile(ask.todo) }], new Map());
  if (ask.do !== "edit" && ask.do !== "erase" && ask.do !== "rename") return [];
  const todo = todos.get(ask.id);
  if (todo === undefined) return [];
  const base = new Map([
    [ask.id, inFile(ask.do === "edit" && ask.base === "older" ? { ...todo, status: "open", metadata: {} } : todo)],
  ]);
  if (ask.do === "erase") return accepting([{ kind: "todo_missing", todo_id: ask.id, heading_present: true }], base);
  const after = ask.do === "rename" ? { ...todo, todo_id: ask.to } : { ...todo, ...ask.fields };
  return accepting([{ kind: "todo_changed", todo_id: ask.id, todo: inFile(after), fields: [] }], base);
}

function accepting(changes: readonly PlanChange[], base: ReadonlyMap<TodoId, PlanTodo>): readonly GoalCommand[] {
  return [{ kind: "accept-plan", changes, base }];
}

const NOWHERE = { start: 0, end: 0 };

export function inFile(todo: TodoRecord): PlanTodo {
  const { todo_id, id_source, role, text, status, priority, task_class, section, index, archived, metadata } = todo;
  return {
    ...{ todo_id, id_source, role, text, status, priority, task_class, section, index, archived, metadata },
    declared_id: todo_id,
    checkbox: status === "blocked" ? "open" : status,
    line: 0,
    marker: NOWHERE,
    first_line: NOWHERE,
    todo_line: NOWHERE,
    continuation: [],
    comment: null,
    comments: [],
    block: NOWHERE,
  };
}
