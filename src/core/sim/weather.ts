/** What happens to everybody at once: the clock is set, the machine sleeps, processes are killed. */
import { HOUR, MINUTE, SECOND } from "./clock.ts";
import type { Actor, Surroundings } from "./surroundings.ts";
import type { Worker } from "./worker.ts";

export class Weather implements Actor {
  wakes_at: number;
  readonly #world: Surroundings;
  readonly #workers: readonly Worker[];

  constructor(world: Surroundings, workers: readonly Worker[]) {
    this.#world = world;
    this.#workers = workers;
    this.wakes_at = world.random.between(20 * MINUTE, 2 * HOUR);
  }

  act(): null {
    const { random, clock, terms } = this.#world;
    this.wakes_at = clock.passed + random.between(5 * MINUTE, HOUR);
    switch (random.weighted({ set: 40, sleep: 25, kill: 35 })) {
      case "set":
        clock.set(this.#step());
        return null;
      case "sleep": {
        const pause = random.between(MINUTE, 3 * terms.ttl_ms);
        for (const worker of this.#workers) worker.wakes_at = Math.max(worker.wakes_at, clock.passed + pause);
        return null;
      }
      case "kill":
        for (const worker of this.#workers) if (random.chance(0.5)) worker.die();
        return null;
    }
  }

  hear(): void {}

  #step(): number {
    const { random } = this.#world;
    const size = random.weighted({ seconds: 40, minutes: 30, hours: 30 });
    const most = { seconds: 90 * SECOND, minutes: 20 * MINUTE, hours: 4 * HOUR }[size];
    return random.between(-most, most);
  }
}
