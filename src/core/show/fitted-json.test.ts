import { expect, test } from "vitest";
import { fittedJson } from "./fitted-json.ts";

test("what fits is whole", () => {
  expect(fittedJson({ a: ["x"] }, 11)).toEqual({ text: '{"a":["x"]}', whole: true });
});

test("bytes count, not letters", () => {
  expect(fittedJson("ü".repeat(5), 12)).toMatchObject({ whole: true });
  expect(fittedJson(["ü".repeat(300)], 500)?.whole).toBe(false);
});

test("texts are shortened and lists end early until it fits", () => {
  const large = { text: "é".repeat(10_000), list: Array.from({ length: 1000 }, (_, at) => `agent-${at}`), at: 7, none: null };
  const fitted = fittedJson(large, 1000);
  expect(fitted?.whole).toBe(false);
  const { text, list, at, none } = JSON.parse(fitted?.text ?? "");
  expect([text.endsWith("…"), text.length, list.length, list[0], at, none]).toEqual([true, 200, 20, "agent-0", 7, null]);
});

test("too many fields do not fit", () => {
  expect(fittedJson({ abcdef: 1 }, 5)).toBeNull();
});
