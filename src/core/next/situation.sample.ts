/** A goal as `next` sees it, put together from the todos of a test. */
import type { Lease, TodoRecord } from "../events.ts";
import { agent, at, SampleGoal } from "../goal/goal.sample.ts";
import type { GoalHead } from "../goal/head.ts";
import type { Instant } from "../instant.ts";
import type { Decision, DecisionRequest, DecisionState, GoalFacts, QuotaState } from "./decision.ts";
import { frontierOf } from "./frontier.ts";
import { next } from "./next.ts";
import { type WhyNot, whyNot } from "./why-not.ts";

export const QUOTA: QuotaState = { spent: 0, reserved: 0, allowed: 10, next_eligible_at: null, short: null };

export const FACTS: GoalFacts = {
  goal_id: "g",
  registered_agents: [agent("a1"), agent("b2")],
  monitor_only: [],
  write_scope: [],
  activation: "active",
  activation_reason: "",
};

export interface Asked {
  readonly todos?: readonly TodoRecord[];
  readonly by?: string | null;
  readonly request?: Partial<DecisionRequest>;
  readonly goal?: Partial<GoalFacts>;
  readonly head?: Partial<GoalHead>;
  readonly state?: Partial<DecisionState>;
  readonly now?: Instant;
}

/** Of owner, todo and how long it still runs, in seconds; negative: it ran out. */
export function leaseOn(todo: TodoRecord, owner: string, seconds = 100, fields: Partial<Lease> = {}): Record<string, Lease> {
  const lease: Lease = {
    ...{ todo_id: todo.todo_id, owner: agent(owner), epoch: 1, version: 1, ttl_ms: 100_000 },
    ...{ taken_at: at(0), renewed_at: at(0), expires_at: at(seconds), write_scopes: [] },
    reserved: { slots: 1, tokens: 0, wall_ms: 0 },
    ...fields,
  };
  return { [todo.todo_id]: lease };
}

export function stateOf({ todos = [], by = "a1", goal, head, state, now = at(0) }: Asked): DecisionState {
  const sample = new SampleGoal(...todos);
  const standing: GoalHead = { ...sample.head, ...head };
  const gaps = todos.filter((todo) => todo.gap === true).map(({ todo_id }) => todo_id);
  const records = new Map(
    [...sample.draft.todos].map(([id, todo]) => [id, gaps.includes(id) ? { ...todo, gap: true as const } : todo]),
  );
  return {
    goal: { ...FACTS, ...goal },
    head: standing,
    todos: records,
    frontier: frontierOf(records.values(), { agent: by === null ? null : agent(by), now, limit: 20 }, standing),
    quota: { kind: "set", state: QUOTA, is_zero: false },
    problem: null,
    ...state,
  };
}

export function requestOf({ by = "a1", request }: Asked): DecisionRequest {
  return { agent: by === null ? null : agent(by), instance: null, capabilities: [], seen: null, ...request };
}

export function ask(asked: Asked): Decision {
  return next(stateOf(asked), requestOf(asked), asked.now ?? at(0));
}

/** About the first of the todos. */
export function askWhyNot(asked: Asked): WhyNot | null {
  const state = stateOf(asked);
  const [first] = asked.todos ?? [];
  const todo = first === undefined ? undefined : state.todos.get(first.todo_id);
  if (todo === undefined) throw new Error("there is no todo to ask about");
  return whyNot(state, { todo, request: requestOf(asked), now: asked.now ?? at(0) });
}
