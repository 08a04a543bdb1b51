/**
 * Chance that comes out the same for the same seed, everywhere and for ever.
 *
 * R1  What is drawn depends on the seed and on how much was drawn before, and on nothing else: no clock, no engine.
 */

const RANGE = 0x1_0000_0000;

/** Mulberry32: 32 bits of state are enough to choose by, and it is one line of arithmetic on every engine. */
export class Random {
  #state: number;

  constructor(seed: number) {
    // Seeds above 32 bits are told apart as well.
    this.#state = (seed ^ Math.imul(Math.floor(seed / RANGE) + 1, 0x9e3779b9)) >>> 0;
  }

  /** From 0 to below 1 (R1). */
  fraction(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / RANGE;
  }

  /** A whole number from 0 to below `count`. */
  below(count: number): number {
    return Math.floor(this.fraction() * count);
  }

  /** A whole number, both ends included. */
  between(least: number, most: number): number {
    return least + this.below(most - least + 1);
  }

  chance(share: number): boolean {
    return this.fraction() < share;
  }

  /** Of a list that is not empty. */
  pick<T>(list: readonly [T, ...T[]]): T {
    return list[this.below(list.length)] ?? list[0];
  }

  /** Of any list; null: it is empty. */
  some<T>(list: readonly T[]): T | null {
    return list[this.below(list.length)] ?? null;
  }

  /** By weight, in the order of the table. */
  weighted<K extends string>(weights: Readonly<Record<K, number>>): K {
    const table = Object.entries(weights) as [K, number][];
    let left = this.fraction() * table.reduce((sum, [, weight]) => sum + weight, 0);
    for (const [name, weight] of table) {
      left -= weight;
      if (left < 0) return name;
    }
    return (table[0] as [K, number])[0];
  }
}
