import fc from "fast-check";
import { expect, test } from "vitest";
import { fullJitter } from "./backoff.ts";

const BACKOFF = { base_ms: 1000, max_ms: 60_000 };

test.each([
  [0, 1000],
  [1, 2000],
  [5, 32_000],
  [6, 60_000],
  [5000, 60_000],
])("after %i failures the longest wait is %i ms, the shortest none", (attempt, longest) => {
  expect(fullJitter(BACKOFF, attempt, () => 1 - Number.EPSILON)).toBe(longest);
  expect(fullJitter(BACKOFF, attempt, () => 0)).toBe(0);
});

test("B1: any wait is a whole number within the bounds", () => {
  const wait = fc.tuple(fc.integer({ min: -2, max: 3000 }), fc.double({ min: 0, max: 1, noNaN: true }));
  fc.assert(
    fc.property(wait, ([attempt, random]) => {
      const milliseconds = fullJitter(BACKOFF, attempt, () => random);
      expect(Number.isInteger(milliseconds) && milliseconds >= 0 && milliseconds <= 60_000).toBe(true);
    }),
  );
});
