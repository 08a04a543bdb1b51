/**
 * A simulated world: who is in it, and who acts next.
 *
 * Does not own: what the goal answers (the real `handle` and `next`, asked by `commands/sim.ts`), whether that was right
 * (`audit.ts`).
 *
 * W1  One at a time, in the order of real time; where two wake at once, the first in the list.
 */
import type { GoalState } from "../goal/head.ts";
import { type AgentId, parseAgentId, parseGoalId } from "../id.ts";
import { PROFILES, type QuotaSettings } from "../registry/quota-settings.ts";
import type { DeclaredGoal } from "../registry/registry.ts";
import { HOUR, MINUTE, SimClock } from "./clock.ts";
import { Person, someCaps } from "./person.ts";
import { Random } from "./random.ts";
import type { SimRequest } from "./request.ts";
import type { SimSettings } from "./settings.ts";
import { type Actor, Names, type Surroundings, type Terms } from "./surroundings.ts";
import { Weather } from "./weather.ts";
import { Worker } from "./worker.ts";

export interface Doing {
  readonly actor: Actor;
  readonly request: SimRequest;
  /** `store`: the commit fails and nothing happens. `answer`: it happens, and nobody hears. */
  readonly fails: "nothing" | "store" | "answer";
}

export class World {
  readonly clock: SimClock = new SimClock();
  readonly terms: Terms;
  readonly #random: Random;
  readonly #ends_at: number;
  readonly #actors: Actor[] = [];

  constructor(settings: SimSettings, goal: () => GoalState) {
    const random = new Random(settings.seed);
    this.#random = random;
    this.#ends_at = settings.hours * HOUR;
    const agents = Array.from({ length: settings.agents }, (_, at) => parseAgentId(`a${at + 1}`) as AgentId);
    const goalOfWorld = declared(agents, random);
    this.terms = { goal: goalOfWorld, ttl_ms: random.pick([3, 10, 30]) * MINUTE, page: random.pick([2, 8, 64]) };
    const post = (after: number, request: SimRequest): void => {
      this.#actors.push(new Letter(this.clock.passed + after, request));
    };
    const world: Surroundings = { random, clock: this.clock, terms: this.terms, agents, names: new Names(), goal, post };
    const workers = agents.flatMap((agent) => executionsOf(random).map((instance) => new Worker(world, { agent, instance })));
    this.#actors.push(new Person(world, settings), ...workers, new Weather(world, workers));
  }

  /** Null: the time is over. (W1) */
  next(): Doing | null {
    for (;;) {
      const actor = this.#actors.reduce((first, each) => (each.wakes_at < first.wakes_at ? each : first));
      if (actor.wakes_at >= this.#ends_at) return null;
      this.clock.advanceTo(actor.wakes_at);
      const request = actor.act();
      if (actor instanceof Letter) this.#actors.splice(this.#actors.indexOf(actor), 1);
      if (request !== null) return { actor, request, fails: this.#random.weighted({ nothing: 97, store: 1.5, answer: 1.5 }) };
    }
  }
}

/** Most agents run once, some twice under one name. */
function executionsOf(random: Random): readonly string[] {
  return random.chance(0.3) ? ["x", "y"] : ["x"];
}

/** Something that was sent long ago. */
class Letter implements Actor {
  readonly wakes_at: number;
  readonly #request: SimRequest;

  constructor(wakes_at: number, request: SimRequest) {
    this.wakes_at = wakes_at;
    this.#request = request;
  }

  act(): SimRequest {
    return this.#request;
  }

  hear(): void {}
}

function declared(agents: readonly AgentId[], random: Random): DeclaredGoal {
  const parsed = parseGoalId("simulated");
  if (!parsed.ok) throw new Error("the goal's id is none");
  const last = agents.at(-1);
  return {
    goal_id: parsed.id,
    ordinal: 0,
    line: 1,
    standing: "clear",
    display_name: null,
    domain: null,
    status: null,
    role: "goal",
    parent_goal_id: null,
    repo: null,
    state_file: null,
    source_registry: null,
    adapter: { kind: null, status: null },
    activation: { state: "active", updated_at: null, reason: null },
    registered_agents: agents,
    monitor_only_agents: agents.length > 2 && last !== undefined && random.chance(0.3) ? [last] : [],
    write_scope: random.chance(0.2) ? ["src/**", "docs/**"] : [],
    quota: { kind: "set", settings: settings(random), warnings: [] },
    cadence_ms: null,
    entry: {},
    problems: [],
  } as DeclaredGoal;
}

function settings(random: Random): QuotaSettings {
  const window_hours = random.pick([0.5, 2, 6]);
  const caps = { allowed_slots: 400, tokens: null, wall_minutes: null, ...(random.chance(0.6) && someCaps(random)) };
  return { profile: "interactive", compute: 1, window_hours, slot_minutes: 1, limits: PROFILES.interactive, ...caps };
}
