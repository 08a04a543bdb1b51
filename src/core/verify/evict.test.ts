import fc from "fast-check";
import { expect, test } from "vitest";
import { type Held, NO_BOUNDS, toEvict } from "./evict.ts";

const held = (name: string, used_at: number, bytes = 10): Held => ({ name, used_at, bytes });
const names = (all: readonly Held[]): readonly string[] => all.map(({ name }) => name);
const ALL = [held("c", 3), held("a", 1), held("d", 4), held("b", 2)];

test("without bounds nothing goes", () => {
  expect(toEvict(ALL, NO_BOUNDS)).toEqual([]);
});

test("E1: what was not used for longest goes first, of equals by name", () => {
  expect(names(toEvict(ALL, { ...NO_BOUNDS, max_entries: 1 }))).toEqual(["a", "b", "c"]);
  expect(names(toEvict([held("b", 1), held("a", 1), held("c", 1)], { ...NO_BOUNDS, max_entries: 1 }))).toEqual(["a", "b"]);
});

test("bytes and age bind as well", () => {
  expect(names(toEvict(ALL, { ...NO_BOUNDS, max_bytes: 25 }))).toEqual(["a", "b"]);
  expect(names(toEvict(ALL, { ...NO_BOUNDS, used_since: 3 }))).toEqual(["a", "b"]);
  expect(names(toEvict(ALL, { ...NO_BOUNDS, max_bytes: 0 }))).toEqual(["a", "b", "c", "d"]);
});

test("E2: what stays keeps the bounds, and the newest that went would have broken them", () => {
  const each = fc.record({ name: fc.uuid(), used_at: fc.integer({ min: 0, max: 9 }), bytes: fc.integer({ min: 1, max: 50 }) });
  fc.assert(
    fc.property(fc.array(each), fc.nat(8), fc.nat(200), (all, max_entries, max_bytes) => {
      const gone = toEvict(all, { max_entries, max_bytes, used_since: -Infinity });
      const left = all.filter((one) => !gone.includes(one));
      const sum = (some: readonly Held[]): number => some.reduce((total, { bytes }) => total + bytes, 0);
      const fits = (some: readonly Held[]): boolean => some.length <= max_entries && sum(some) <= max_bytes;
      expect(fits(left)).toBe(true);
      const last = gone.at(-1);
      if (last !== undefined) expect(fits([...left, last])).toBe(false);
    }),
  );
});
