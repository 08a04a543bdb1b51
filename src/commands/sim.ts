/**
 * Simulates a world of agents and a person on the real rules, over a store in memory, and checks every step.
 *
 * Does not own: who does what (`core/sim/world.ts`), the laws (`core/sim/audit.ts`), carrying out (`sim/ask.ts`).
 *
 * S1  The same settings give the same steps and the same end, on every machine.
 * S2  It ends at the first law that is broken, with the line that gets there again.
 */
import { done, type Reply } from "../core/result.ts";
import { audit, auditStore } from "../core/sim/audit.ts";
import { Ledger } from "../core/sim/ledger.ts";
import { Report, type SimPayload } from "../core/sim/report.ts";
import type { SimSettings } from "../core/sim/settings.ts";
import type { Flaw, Step } from "../core/sim/step.ts";
import { type Doing, World } from "../core/sim/world.ts";
import type { Store } from "../ports/store.ts";
import type { Progress } from "../ports/system.ts";
import { ask } from "./sim/ask.ts";
import type { SimGoal } from "./sim/goal.ts";

export interface SimGround {
  readonly store: Store;
  /** The next commit fails, and nothing of it is stored. */
  readonly failNext: () => void;
  readonly progress: Progress;
  /** Milliseconds, never backwards. */
  readonly elapsed: () => number;
}

/** Between looks at everything that is stored. */
const STORE_EVERY = 512;

export async function sim(ground: SimGround, settings: SimSettings): Promise<Reply<SimPayload>> {
  const began = ground.elapsed();
  const simulation = new Simulation(ground, settings);
  const flaw = await simulation.run();
  const seconds = (ground.elapsed() - began) / 1000;
  return done(simulation.report.payload(settings, { passed: simulation.passed, seconds, flaw }));
}

class Simulation {
  readonly report: Report = new Report();
  readonly #ground: SimGround;
  readonly #hours: number;
  readonly #world: World;
  readonly #ledger: Ledger;
  readonly #goal: SimGoal;
  #position: string | null = null;

  constructor(ground: SimGround, settings: SimSettings) {
    this.#ground = ground;
    this.#hours = settings.hours;
    this.#world = new World(settings, () => ({ head: this.#ledger.fold.head, todos: this.#ledger.fold.todos }));
    const { terms, clock } = this.#world;
    this.#ledger = new Ledger(terms, clock);
    this.#goal = {
      store: ground.store,
      registered: () => ({ goal: terms.goal, shares_state_file_with: [], digest: "" }),
      wall: () => clock.wall(),
      page: terms.page,
    };
  }

  get passed(): number {
    return this.#world.clock.passed;
  }

  /** (S1, S2) */
  async run(): Promise<Flaw | null> {
    for (let doing = this.#world.next(); doing !== null; doing = this.#world.next()) {
      const flaw = await this.#step(doing);
      if (flaw !== null) return flaw;
      if (this.report.steps % STORE_EVERY === 0) {
        this.#ground.progress.report(Math.floor(this.passed / 3_600_000), this.#hours, "simulated hours");
        const wrong = await this.#lookAtStore();
        if (wrong !== null) return wrong;
      }
    }
    return await this.#lookAtStore();
  }

  async #step({ actor, request, fails }: Doing): Promise<Flaw | null> {
    const { clock } = this.#world;
    if (fails === "store" && request.kind !== "next") this.#ground.failNext();
    const before = this.#position;
    const { answer, carried } = await ask(this.#goal, request);
    this.#position = await this.#ground.store.lastPosition();
    const step: Step = {
      ...carried,
      request,
      number: this.report.steps + 1,
      passed: clock.passed,
      wall: clock.wall(),
      positions: [before, this.#position],
    };
    this.report.note(step);
    const flaw = audit(step, this.#ledger);
    actor.hear(fails === "answer" ? { kind: "unknown" } : answer, request);
    return flaw;
  }

  async #lookAtStore(): Promise<Flaw | null> {
    const { goal_id } = this.#goal.registered().goal;
    return auditStore(await this.#ground.store.load({ goal_id, todos: "all", base: "none" }), this.#ledger);
  }
}
