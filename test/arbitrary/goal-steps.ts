/**
 * What agents, persons and editors do to a small goal, one step after the other, with a clock that also steps back.
 *
 * A step is data: what it asks for is worked out on the head and the todos that stand when its turn comes.
 */
import fc from "fast-check";
import type { Continuation, TodoFields, TodoRecord, Units } from "../../src/core/events.ts";
import type { AgentId, TodoId, TurnId } from "../../src/core/id.ts";
import {
  IDS,
  RENAMED,
  someAgent,
  someMetadata,
  someTodo,
  someTodoId,
  someTurn,
  someTurnOrNone,
  someUnits,
} from "./goal-todos.ts";

export type Proof = "none" | "newest" | "old" | "key";

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
