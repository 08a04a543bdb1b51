/**
 * The goal counted again from its journal alone, in the plainest way: what the answers are held against.
 *
 * Does not own: the laws (one file each in `checks`).
 *
 * L1  Nothing in here comes from a head: only from events, in their order. The one exception is `fold`, which is the real
 *     fold, made of every event and never of a part of the todos.
 */
import type { GoalEvent, Lease, Units } from "../events.ts";
import { evolve, type Foldable } from "../goal/evolve.ts";
import { addUnits } from "../goal/evolve-turn.ts";
import type { AgentId, TodoId, TurnId } from "../id.ts";
import { addMilliseconds, type Instant } from "../instant.ts";
import { windowOf } from "../quota/law.ts";
import { HOUR, type SimClock } from "./clock.ts";
import type { Step } from "./step.ts";
import type { Terms } from "./surroundings.ts";

export interface HeldLease {
  readonly lease: Lease;
  /** Real time at which it was given or made longer. */
  readonly since: number;
}

interface Spend {
  readonly at: Instant;
  readonly units: Units;
}

const NOTHING: Units = { slots: 0, tokens: 0, wall_ms: 0 };
/** No clock is set back further, all steps taken together. */
const FAR = 48 * HOUR;

export class Ledger {
  readonly terms: Terms;
  readonly clock: SimClock;
  readonly events: GoalEvent[] = [];
  readonly fold: Foldable = { head: null, todos: new Map(), touched: new Set() };
  readonly leases: Map<TodoId, HeldLease> = new Map();
  /** The newest number of each todo, and of the goal. */
  readonly epochs: Map<TodoId, number> = new Map();
  newest_epoch = 0;
  readonly spends: Spend[] = [];
  readonly spent_turns: Set<TurnId> = new Set();
  readonly accountable_turns: Set<TurnId> = new Set();
  readonly waits: Map<AgentId, Instant> = new Map();
  readonly turn_answers: Map<TurnId, string> = new Map();
  /** Decisions in a row that found a todo first, and in which nobody took it. */
  readonly passed_over: Map<TodoId, number> = new Map();

  /** Of each agent: the same no in a row, with nothing that worked in between. */
  readonly dead_ends: Map<AgentId, { readonly code: string; readonly times: number }> = new Map();

  constructor(terms: Terms, clock: SimClock) {
    this.terms = terms;
    this.clock = clock;
  }

  apply({ events, passed }: Pick<Step, "events" | "passed">): void {
    this.fold.touched.clear();
    for (const event of events) {
      this.events.push(event);
      evolve(this.fold, event);
      this.#count(event, passed);
    }
  }

  /** Spent in the window and set aside by leases that run, at an instant. */
  taken(at: Instant): Units {
    const { goal } = this.terms;
    if (goal.quota.kind === "invalid") return NOTHING;
    const { window_ms } = windowOf(goal.quota.settings);
    const since = addMilliseconds(at, -window_ms);
    const over = addMilliseconds(since, -FAR);
    let sum = NOTHING;
    for (let index = this.spends.length - 1; index >= 0; index -= 1) {
      const spend = this.spends[index];
      if (spend === undefined || spend.at < over) break;
      if (spend.at > since) sum = addUnits(sum, spend.units, 1);
    }
    for (const { lease } of this.leases.values()) if (lease.expires_at > at) sum = addUnits(sum, lease.reserved, 1);
    return sum;
  }

  #count(event: GoalEvent, passed: number): void {
    switch (event.type) {
      case "lease.taken":
      case "lease.moved":
        this.leases.set(event.data.todo_id, { lease: event.data, since: passed });
        this.epochs.set(event.data.todo_id, event.data.epoch);
        this.newest_epoch = event.data.epoch;
        this.passed_over.delete(event.data.todo_id);
        return;
      case "lease.renewed": {
        const held = this.leases.get(event.data.todo_id);
        if (held !== undefined) this.leases.set(event.data.todo_id, { lease: { ...held.lease, ...event.data }, since: passed });
        return;
      }
      case "lease.freed":
      case "todo.withdrawn":
        this.leases.delete(event.data.todo_id);
        return;
      case "todo.closed":
        this.leases.delete(event.data.todo_id);
        return;
      case "todo.changed":
        this.passed_over.delete(event.data.todo_id);
        if (event.data.fields.status === "done") this.leases.delete(event.data.todo_id);
        return;
      default:
        this.#countTurn(event);
    }
  }

  #countTurn(event: GoalEvent): void {
    if (event.type === "turn.written") {
      const { turn_id, outcome } = event.data;
      if (turn_id !== undefined && (outcome === "completed" || outcome === "progress")) this.accountable_turns.add(turn_id);
    } else if (event.type === "turn.spent") {
      this.spends.push({ at: event.at, units: event.data.units });
      // What a turn used that brought nothing is charged without a slot.
      if (event.data.turn_id !== undefined && event.data.units.slots > 0) this.spent_turns.add(event.data.turn_id);
    } else if (event.type === "agent.waits" && event.agent_id !== undefined) {
      this.waits.set(event.agent_id, event.data.until);
    } else if (event.type === "agent.wait_ended") this.waits.delete(event.data.agent_id);
  }
}
