/**
 * Time in a simulated world: what really passes, and what the clock of the machine shows.
 *
 * C1  Real time never goes back; only the clock of the machine is set, back and forth.
 */
import { addMilliseconds, type Instant, parseInstant } from "../instant.ts";

const BEGINNING = parseInstant("2026-01-01T00:00:00Z") as Instant;

export const SECOND = 1000;
export const MINUTE: number = 60 * SECOND;
export const HOUR: number = 60 * MINUTE;

export class SimClock {
  #passed = 0;
  #ahead = 0;
  #steps: { readonly at: number; readonly by: number }[] = [];

  /** Milliseconds since the beginning, as they really passed. */
  get passed(): number {
    return this.#passed;
  }

  /** When the clock was set, and how far. */
  get steps(): readonly { readonly at: number; readonly by: number }[] {
    return this.#steps;
  }

  /** What the machine's clock shows. */
  wall(): Instant {
    return addMilliseconds(BEGINNING, this.#passed + this.#ahead);
  }

  /** (C1) */
  advanceTo(passed: number): void {
    this.#passed = Math.max(this.#passed, passed);
  }

  set(by: number): void {
    this.#ahead += by;
    this.#steps.push({ at: this.#passed, by });
  }
}
