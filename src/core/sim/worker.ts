/**
 * One execution of an agent: asks, claims, lets its host work, says what came of it; and dies, hangs and comes late.
 *
 * W1  It knows what it was told and no more: an answer that did not come is asked for again in the same words.
 * W2  What it does with a todo it says with the number it was given, however long ago that was.
 */
import type { Units } from "../events.ts";
import type { AgentId, TodoId, TurnId } from "../id.ts";
import { addMilliseconds, type Instant, millisecondsBetween } from "../instant.ts";
import { MINUTE, SECOND } from "./clock.ts";
import { type Course, courseOf } from "./host.ts";
import { newPlan } from "./replan.ts";
import type { Cost, Hand, SimAnswer, SimRequest, Told } from "./request.ts";
import type { Actor, Surroundings } from "./surroundings.ts";

interface Work extends Hand {
  readonly is_monitor: boolean;
  readonly course: Course;
  readonly ends_at: number;
  renews_at: number;
}

export class Worker implements Actor {
  wakes_at: number;
  readonly #world: Surroundings;
  readonly #agent: AgentId;
  readonly #instance: string;
  #capabilities: readonly string[] = [];
  #work: Work | null = null;
  /** What is asked next, if that is known already. */
  #intends: SimRequest | null = null;

  constructor(world: Surroundings, { agent, instance }: { readonly agent: AgentId; readonly instance: string }) {
    this.#world = world;
    this.#agent = agent;
    this.#instance = instance;
    this.wakes_at = world.random.below(MINUTE);
  }

  act(): SimRequest | null {
    const work = this.#work;
    if (this.#intends !== null) return this.#intends;
    if (work === null) return this.#question();
    if (this.#world.clock.passed >= work.ends_at) return this.#ending(work);
    work.renews_at = this.#world.clock.passed + this.#world.terms.ttl_ms / 3;
    return { kind: "renew", ...handOf(work) };
  }

  /** Everything that was only in memory is gone; the process is started again a little later. */
  die(): void {
    this.#work = null;
    this.#intends = null;
    this.#capabilities = [];
    this.#rest(this.#world.random.between(SECOND, 10 * MINUTE));
  }

  hear(answer: SimAnswer, request: SimRequest): void {
    if (answer.kind === "unknown") {
      this.#intends = request; // (W1)
      this.#rest(this.#world.random.between(SECOND, 20 * SECOND));
      return;
    }
    this.#intends = null;
    if (answer.kind === "told") this.#follow(answer.told, request);
    else if (answer.kind === "claimed") this.#begin(answer, request);
    else if (request.kind === "renew") this.#renewed(answer.kind === "written");
    else if (answer.kind === "refused" && answer.code === "checks_failed") this.#repair(request);
    else this.#settled(request);
  }

  #asker(): Pick<Extract<SimRequest, { kind: "next" }>, "agent" | "instance" | "capabilities"> {
    return { agent: this.#agent, instance: this.#instance, capabilities: this.#capabilities };
  }

  #question(): SimRequest {
    const { random, names } = this.#world;
    const asker = this.#asker();
    const way = random.weighted({ next: 40, open_turn: 12, claim: 48 });
    if (way === "next") return { kind: "next", ...asker };
    if (way === "open_turn") return { kind: "open_turn", turn: names.turn(), ...asker };
    return this.#claim(names.turn(), null);
  }

  #claim(turn: TurnId, todo_id: TodoId | null): SimRequest {
    return { kind: "claim", turn, ttl_ms: this.#world.terms.ttl_ms, todo_id, ...this.#asker() };
  }

  #rest(milliseconds: number): void {
    this.wakes_at = this.#world.clock.passed + Math.max(1, Math.floor(milliseconds));
  }

  #follow(told: Told, request: SimRequest): void {
    const { random, names } = this.#world;
    const { act, why, todo_id } = told;
    if ((act === "run" || act === "poll") && request.kind !== "claim") {
      const turn = request.kind === "open_turn" ? request.turn : names.turn();
      this.#intends = this.#claim(turn, random.chance(0.3) ? todo_id : null);
      this.#rest(random.between(50, 3 * SECOND));
    } else if (act === "replan") {
      this.#intends = newPlan(this.#world, { agent: this.#agent, why, todo_id });
      this.#rest(random.between(SECOND, MINUTE));
    } else {
      if (why === "capability" && random.chance(0.3)) this.#capabilities = ["gpu"];
      this.#rest(this.#patience(told.until));
    }
  }

  /** Until the time it was told, or until it looks again because something changed. */
  #patience(until: Instant | null): number {
    const { random, clock } = this.#world;
    const told = until === null ? MINUTE : millisecondsBetween(clock.wall(), until);
    const sooner = random.between(5 * SECOND, 4 * MINUTE);
    return random.chance(0.5) ? Math.min(told, 30 * MINUTE) : sooner;
  }

  #begin(claimed: Extract<SimAnswer, { kind: "claimed" }>, request: SimRequest): void {
    const { random, clock, terms, goal } = this.#world;
    const { todo_id, epoch, is_monitor } = claimed;
    const todo = goal().todos.get(todo_id);
    this.#rest(SECOND);
    if (request.kind !== "claim" || todo === undefined) return;
    const course = courseOf(random, todo, request.ttl_ms);
    const now = clock.passed;
    const ends_at = now + (is_monitor ? random.between(SECOND, 30 * SECOND) : course.lasts_ms);
    const renews_at = course.does === "hangs" || course.does === "crashes" ? ends_at : now + terms.ttl_ms / 3;
    this.#work = { agent: this.#agent, turn: request.turn, todo_id, epoch, is_monitor, course, ends_at, renews_at };
    if (random.chance(0.03)) this.#world.post(random.between(1, 30 * SECOND), request);
    this.#wakeForWork();
  }

  #wakeForWork(): void {
    const work = this.#work;
    if (work !== null) this.wakes_at = Math.ceil(Math.min(work.ends_at, work.renews_at));
  }

  #renewed(held: boolean): void {
    const { random } = this.#world;
    // Some go on as if nothing were.
    if (held || random.chance(0.4)) this.#wakeForWork();
    else {
      this.#work = null;
      this.#rest(random.between(SECOND, MINUTE));
    }
  }

  #settled(request: SimRequest): void {
    const { random } = this.#world;
    this.#work = null;
    if (random.chance(0.05) && request.kind !== "plan") this.#world.post(random.between(SECOND, 40 * MINUTE), request); // (W2)
    if (request.kind === "done" && random.chance(0.03))
      this.#world.post(SECOND, { kind: "bill", agent: this.#agent, turn: request.turn, units: ONE_SLOT });
    this.#rest(random.between(100, 20 * SECOND));
  }

  #ending(work: Work): SimRequest | null {
    const hand = handOf(work);
    if (work.course.does === "crashes") return this.#crash(hand);
    if (work.is_monitor)
      return { kind: "poll", seen: this.#world.random.pick(["quiet", "quiet", "louder"]), ...this.#cost(), ...hand };
    switch (work.course.does) {
      case "gives_back":
        return { kind: "release", ...hand };
      case "hands_over":
        return { kind: "hand_over", to: this.#world.random.some(this.#world.agents) ?? this.#agent, ...hand };
      case "finishes":
      case "hangs":
        return this.#done(hand, "pass");
      case "fails_its_checks":
        return this.#done(hand, "fail");
      default:
        return this.#endOf(work);
    }
  }

  /** Its host may go on without it, and says so when nobody waits for that any more. */
  #crash(hand: Hand): null {
    const { random } = this.#world;
    if (random.chance(0.4)) this.#world.post(random.between(MINUTE, 90 * MINUTE), this.#done(hand, "pass"));
    this.#work = null;
    this.#capabilities = [];
    this.#rest(random.between(SECOND, 40 * MINUTE));
    return null;
  }

  #done(hand: Hand, checks: "pass" | "fail"): SimRequest {
    const { random, names, goal } = this.#world;
    const text = goal().todos.get(hand.todo_id)?.text ?? "it";
    const goesOn = random.chance(0.35) && (goal().head?.todo_counts.open ?? 0) < 60;
    const next = goesOn
      ? [{ todo_id: names.todo(), text: `After: ${text.replace(/^(\[P\d\] )?(After: )*/, "$1").slice(0, 60)}` }]
      : [];
    return { kind: "done", checks, next, ...this.#cost(), ...hand };
  }

  #repair(request: SimRequest): void {
    if (request.kind !== "done") return;
    const { agent, turn, todo_id, epoch } = request;
    const observation = `checks ${this.#world.random.below(3)}`;
    this.#intends = this.#end({ agent, turn, todo_id, epoch }, { outcome: "repair", observation });
    this.#rest(SECOND);
  }

  #endOf(work: Work): SimRequest {
    const { random, clock } = this.#world;
    const hand = handOf(work);
    switch (work.course.does) {
      case "rate_limited": {
        const until = addMilliseconds(clock.wall(), random.between(MINUTE, 90 * MINUTE));
        return this.#end(hand, { outcome: "failed", observation: "", hold_until: until });
      }
      case "asks":
        return this.#end(hand, { outcome: "ask", observation: "" });
      case "fails_again":
        return this.#end(hand, { outcome: "failed", observation: "" });
      default:
        return this.#end(hand, { outcome: "progress", observation: `seen ${random.below(50)}` });
    }
  }

  #end(hand: Hand, said: Pick<End, "outcome" | "observation"> & Partial<End>): SimRequest {
    return { kind: "end", hold_until: null, ...this.#cost(), ...said, ...hand };
  }

  #cost(): Cost {
    const { random, names } = this.#world;
    const used = { slots: random.between(1, 2), tokens: random.below(4000), wall_ms: random.below(10 * MINUTE) };
    return { used, gate_id: names.todo(), question_id: names.todo() };
  }
}

const ONE_SLOT: Units = { slots: 1, tokens: 0, wall_ms: 0 };

type End = Extract<SimRequest, { kind: "end" }>;

function handOf({ agent, turn, todo_id, epoch }: Hand): Hand {
  return { agent, turn, todo_id, epoch };
}
