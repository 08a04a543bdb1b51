import { expect, test } from "vitest";
import { parseVerdict } from "./verdict.ts";

const ASKED = { capability: "a", key: "k" };
const VERDICT = {
  ...ASKED,
  exit_code: 0,
  argv: ["make"],
  duration_ms: 12,
  goal_id: "alpha",
  output: { sha256: "0".repeat(64), bytes: 7 },
  at: "2026-11-30T08:00:00.000Z",
};
const parse = (more: object): unknown => parseVerdict(JSON.stringify({ ...VERDICT, ...more }), ASKED);

test("a verdict comes back as it was written", () => {
  expect(parse({})).toEqual(VERDICT);
});

test.each([{ exit_code: 1 }, { exit_code: "0" }, { exit_code: null }])("V1: with %j it is none", (more) => {
  expect(parse(more)).toBeNull();
});

test.each([{ capability: "b" }, { key: "l" }])("V2: with %j it is none", (more) => {
  expect(parse(more)).toBeNull();
});

test.each([
  { argv: "make" },
  { argv: [1] },
  { duration_ms: -1 },
  { duration_ms: 1.5 },
  { goal_id: "../x" },
  { output: null },
  { output: { sha256: "x", bytes: 1 } },
  { output: { sha256: 7, bytes: 1 } },
  { output: { sha256: "0".repeat(64), bytes: "1" } },
  { at: "yesterday" },
])("damaged by %j it is none", (more) => {
  expect(parse(more)).toBeNull();
});

test.each(["", "{", "null", "7", "[]"])("%j is none", (text) => {
  expect(parseVerdict(text, ASKED)).toBeNull();
});
