import { expect, test } from "vitest";
import { parseTurnId, type TurnId } from "../id.ts";
import { parseTurnResult, turnResultText } from "./result-text.ts";
import { checkTurnResult, MAX_RESULT_TEXT, TURN_RESULT_KINDS, TURN_RESULT_SCHEMA } from "./turn-result.ts";
import { turnUsage } from "./usage.ts";

const TURN = parseTurnId("turn-1") as TurnId;
const CONTEXT = { turn_id: TURN, version: "optional" } as const;

test.each(TURN_RESULT_KINDS)("a result of kind %s is read back from its own text", (kind) => {
  const said = { summary: "Built it.", next: ["Ship it."], usage: { input_tokens: 7, output_tokens: 0 } };
  const result = kind === "wait" ? { kind, ...said, until: null } : { kind, ...said };
  const parsed = parseTurnResult(turnResultText(TURN, result), { turn_id: TURN, version: "required" });
  expect(parsed).toEqual({ ok: true, result });
});

test("the least that a result can be", () => {
  expect(checkTurnResult({ kind: "validated_progress", summary: " Half done. " }, CONTEXT)).toEqual({
    ok: true,
    result: { kind: "validated_progress", summary: "Half done." },
  });
  expect(checkTurnResult({ kind: "wait", summary: "CI", until: "2026-11-30T09:00:00+01:00", next: null }, CONTEXT)).toEqual({
    ok: true,
    result: { kind: "wait", summary: "CI", until: "2026-11-30T08:00:00.000Z" },
  });
});

const GOOD = { kind: "validated_progress", summary: "s" };

test.each([
  ["T1", { ...GOOD, sumary: "x" }, "field_unknown", "sumary"],
  ["T1", { ...GOOD, zzzzzzzzzzzz: 1 }, "field_unknown", "zzzzzzzzzzzz"],
  ["T1", { ...GOOD, summary: "x".repeat(MAX_RESULT_TEXT + 1) }, "text_too_long", "summary"],
  ["T1", { ...GOOD, next: "x".repeat(MAX_RESULT_TEXT + 1) }, "text_too_long", "next"],
  ["T1", { ...GOOD, summary: "a\0b" }, "text_holds_nul", "summary"],
  ["T1", { ...GOOD, next: "password=hunter2" }, "text_holds_secret", "next"],
  ["T1", { ...GOOD, next: 3 }, "text_expected", "next"],
  ["T1", { ...GOOD, next: ["a", 3] }, "text_expected", "next"],
  ["T1", { ...GOOD, next: Array(11).fill("a") }, "too_many", "next"],
  ["T5", { ...GOOD, next: ["a"], no_follow_up: "the last one" }, "follow_up_conflict", "no_follow_up"],
  ["T1", { ...GOOD, summary: ["x"] }, "text_expected", "summary"],
  ["T1", { ...GOOD, summary: " \n" }, "summary_missing", "summary"],
  ["T1", { kind: "wait" }, "summary_missing", "summary"],
  ["T1", { ...GOOD, kind: "validated_progres" }, "kind_unknown", "kind"],
  ["T1", { ...GOOD, kind: "done" }, "kind_unknown", "kind"],
  ["T1", { summary: "s" }, "kind_unknown", "kind"],
  ["T1", { ...GOOD, schema_version: "loopx_turn_result_v2" }, "schema_unknown", "schema_version"],
  ["T1", { ...GOOD, usage: 3 }, "usage_not_object", "usage"],
  ["T1", { ...GOOD, usage: [] }, "usage_not_object", "usage"],
  ["T1", { ...GOOD, usage: { input_tokens: -1 } }, "count_expected", "usage.input_tokens"],
  ["T1", { ...GOOD, usage: { output_tokens: 1.5 } }, "count_expected", "usage.output_tokens"],
  ["T1", { ...GOOD, usage: { tokens: 1 } }, "field_unknown", "usage.tokens"],
  ["T2", { ...GOOD, until: "2026-11-30T08:00:00Z" }, "until_without_wait", "until"],
  ["T2", { kind: "wait", summary: "s", until: "soon" }, "instant_expected", "until"],
  ["T3", { ...GOOD, turn_id: "turn-2" }, "other_turn", "turn_id"],
  ["T3", { ...GOOD, turn_id: 3 }, "other_turn", "turn_id"],
])("%s: %j is refused as %s at %s", (_rule, value, code, path) => {
  const checked = checkTurnResult(value, CONTEXT);
  expect(checked).toMatchObject({ ok: false });
  expect(checked.ok ? [] : checked.problems).toContainEqual(expect.objectContaining({ code, path }));
});

test.each([["validated_progres", "validated_progress"]])("T1: %s may have been meant as %s", (kind, meant) => {
  expect(checkTurnResult({ ...GOOD, kind }, CONTEXT)).toMatchObject({
    problems: [{ message: expect.stringContaining(`did you mean ${meant}?`) }],
  });
});

test("T1: of many unknown fields a few are named", () => {
  const many = Object.fromEntries(Array.from({ length: 100 }, (_, at) => [`f${at}`, at]));
  const checked = checkTurnResult({ ...GOOD, ...many }, CONTEXT);
  expect(checked.ok ? 0 : checked.problems.length).toBeLessThan(10);
});

test.each([[null], [[]], ["done"], [3]])("%j is no result", (value) => {
  expect(checkTurnResult(value, CONTEXT)).toMatchObject({ ok: false, problems: [{ code: "result_not_object" }] });
});

test("T4: costs and times of the host are not read", () => {
  const usage = { input_tokens: 5, cost_usd: 1, total_cost_usd: "lots", cost: null, wall_ms: -3 };
  expect(checkTurnResult({ ...GOOD, usage }, CONTEXT)).toEqual({ ok: true, result: { ...GOOD, usage: { input_tokens: 5 } } });
});

test("X2: every flaw has its place in the text", () => {
  const text = '{\n  "kind": "wait",\n  "until": "soon",\n  "usage": {"tokens": 1},\n  "kind": "wait"\n}';
  expect(parseTurnResult(text, CONTEXT)).toEqual({
    ok: false,
    problems: [
      expect.objectContaining({ code: "field_repeated", path: "kind", line: 5, column: 3 }),
      expect.objectContaining({ code: "summary_missing", line: 1, column: 1 }),
      expect.objectContaining({ code: "instant_expected", line: 3, column: 3 }),
      expect.objectContaining({ code: "field_unknown", path: "usage.tokens", line: 4, column: 3 }),
    ],
  });
  expect(parseTurnResult('{"kind":"wait",\n "summary":', CONTEXT)).toMatchObject({
    problems: [{ line: 2, code: "json_unexpected_end", message: "is no JSON: the text ends where a value should be" }],
  });
  expect(parseTurnResult("  []", CONTEXT)).toMatchObject({ problems: [{ line: 1, column: 3, code: "result_not_object" }] });
});

test("X2: a field that is there twice is a flaw even when all else is right", () => {
  const text = '{"kind":"wait","summary":"a","summary":"b"}';
  expect(parseTurnResult(text, CONTEXT)).toMatchObject({ ok: false, problems: [{ code: "field_repeated" }] });
});

test("X1: a text that is too long is not read", () => {
  expect(parseTurnResult("[".repeat(1_000_000), CONTEXT)).toMatchObject({ problems: [{ code: "result_too_long" }] });
});

test("a file has to name its version", () => {
  expect(parseTurnResult(JSON.stringify(GOOD), { turn_id: TURN, version: "required" })).toMatchObject({
    problems: [{ code: "schema_unknown" }],
  });
  const text = JSON.stringify({ ...GOOD, schema_version: TURN_RESULT_SCHEMA });
  expect(parseTurnResult(text, { turn_id: TURN, version: "required" }).ok).toBe(true);
});

test("U1 U2: what the stream says counts before what the result says, and what nobody says is absent", () => {
  expect(turnUsage(12, null, null)).toEqual({ wall_ms: 12 });
  expect(turnUsage(12, { input_tokens: 1 }, { input_tokens: 2, output_tokens: 3 })).toEqual({
    wall_ms: 12,
    input_tokens: 1,
    output_tokens: 3,
  });
});
