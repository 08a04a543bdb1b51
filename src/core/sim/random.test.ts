import { describe, expect, it } from "vitest";
import { Random } from "./random.ts";

const drawn = (seed: number): readonly number[] => {
  const random = new Random(seed);
  return Array.from({ length: 200 }, () => random.fraction());
};

describe("chance", () => {
  it("R1 is the same for the same seed, whatever the engine", () => {
    const random = new Random(42);
    expect([random.below(1000), random.below(1000), random.below(1000)]).toEqual([481, 985, 737]);
    expect(drawn(7)).toEqual(drawn(7));
  });

  it("tells seeds apart, also large ones", () => {
    expect(new Set([0, 1, 2, 2 ** 32, 2 ** 33 + 1, 2 ** 52].map((seed) => drawn(seed)[0])).size).toBe(6);
  });

  it("stays in its bounds and reaches both ends", () => {
    const random = new Random(3);
    const rolls = Array.from({ length: 300 }, () => random.between(1, 6));
    expect([Math.min(...rolls), Math.max(...rolls)]).toEqual([1, 6]);
    expect(random.some([])).toBeNull();
    expect([random.chance(0), random.chance(1)]).toEqual([false, true]);
  });

  it("draws by weight", () => {
    const random = new Random(5);
    const names = Array.from({ length: 400 }, () => random.weighted({ often: 9, seldom: 1, never: 0 }));
    const times = (name: string): number => names.filter((each) => each === name).length;
    expect(times("never")).toBe(0);
    expect(times("often")).toBeGreaterThan(times("seldom") * 4);
    expect(times("seldom")).toBeGreaterThan(10);
  });
});
