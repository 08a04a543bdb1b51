import { expect, test } from "vitest";
import { nearSpellings } from "./near.ts";

test.each([
  ["statsu", ["status", "start", "history"], ["status"]],
  ["goal", ["all", "goal-id", "global-registry"], ["goal-id"]],
  ["arch", ["archives", "archive", "search"], ["archive", "archives"]],
  ["xyzzy", ["status", "init"], []],
  ["", ["a"], ["a"]],
])("%s", (typed, names, near) => {
  expect(nearSpellings(typed, names)).toEqual(near);
});

test("at most three", () => {
  expect(nearSpellings("a", ["aa", "ab", "ac", "ad"])).toHaveLength(3);
});
