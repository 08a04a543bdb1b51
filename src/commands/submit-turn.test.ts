import { expect, test } from "vitest";
import { parseTurnResult } from "../core/host/result-text.ts";
import { parseTurnId, type TurnId } from "../core/id.ts";
import type { Problem } from "../core/result.ts";
import { submitTurn } from "./submit-turn.ts";

const ENV = { LOOPX_TURN_RESULT_FILE: "/r/result.json", LOOPX_TURN_ID: "turn/1" };
const GOOD = { kind: "wait", summary: "CI runs.", until: "2026-11-30T09:00:00+01:00", usage: { input_tokens: 3 } };

function world(problem: Problem | null = null) {
  const written = new Map<string, string>();
  const writeResult = (path: string, text: string): Problem | null => {
    if (problem === null) written.set(path, text);
    return problem;
  };
  return { written, ports: { places: { writeResult }, env: ENV } };
}

test("S1 S3: what is written is what the runner reads, and the later one stays", () => {
  const { written, ports } = world();
  submitTurn(ports, { kind: "validated_progress", summary: "first" });
  const reply = submitTurn(ports, GOOD);
  expect(reply).toMatchObject({ kind: "done", value: { turn_id: "turn/1", path: "/r/result.json", result: { kind: "wait" } } });
  const text = written.get("/r/result.json") ?? "";
  expect(parseTurnResult(text, { turn_id: parseTurnId("turn/1") as TurnId, version: "required" })).toEqual({
    ok: true,
    result: { ...GOOD, until: "2026-11-30T08:00:00.000Z" },
  });
});

test("S1: what is wrong is said at once, and nothing is written", () => {
  const { written, ports } = world();
  expect(submitTurn(ports, { ...GOOD, kind: "done", until: null })).toMatchObject({
    kind: "bad_input",
    code: "turn_result_invalid",
    problems: [{ path: "kind" }],
  });
  expect(submitTurn(ports, { ...GOOD, turn_id: "turn/2" })).toMatchObject({ problems: [{ code: "other_turn" }] });
  expect(written.size).toBe(0);
});

test.each([[{}], [{ ...ENV, LOOPX_TURN_ID: "a b" }], [{ ...ENV, LOOPX_TURN_RESULT_FILE: "" }]])(
  "S2: outside of a turn, %j",
  (env) => {
    const { written, ports } = world();
    expect(submitTurn({ ...ports, env }, GOOD)).toMatchObject({ kind: "refusal", code: "no_turn" });
    expect(written.size).toBe(0);
  },
);

test("a file that cannot be written is named", () => {
  const { ports } = world({ path: "/r/result.json", code: "result_unwritable", message: "cannot be written (EACCES)" });
  expect(submitTurn(ports, GOOD)).toMatchObject({
    code: "result_unwritable",
    message: "/r/result.json cannot be written (EACCES).",
  });
});
