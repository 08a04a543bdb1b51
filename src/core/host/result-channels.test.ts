import { expect, test } from "vitest";
import { parseTurnId, type TurnId } from "../id.ts";
import { chooseResult, type SaidResults } from "./result-channels.ts";
import { TURN_RESULT_SCHEMA } from "./turn-result.ts";

const turn = { turn_id: parseTurnId("t") as TurnId };
const NONE: SaidResults = { file: null, structured: null, fenced: null };
const PROGRESS = { kind: "validated_progress", summary: "s" };
const DONE = { kind: "validated_completion", summary: "s" };

function file(value: object): SaidResults["file"] {
  return { kind: "text", text: JSON.stringify({ schema_version: TURN_RESULT_SCHEMA, ...value }) };
}

test("nothing said", () => {
  expect(chooseResult(NONE, turn)).toEqual({ kind: "none" });
});

test("C1: the file counts before structured output, and that before a block", () => {
  const all = { file: file(DONE), structured: { value: DONE }, fenced: JSON.stringify(DONE) };
  expect(chooseResult(all, turn)).toEqual({ kind: "said", channel: "file", checked: { ok: true, result: DONE }, conflicts: [] });
  expect(chooseResult({ ...all, file: null }, turn)).toMatchObject({ channel: "structured", conflicts: [] });
  expect(chooseResult({ ...all, file: null, structured: null }, turn)).toMatchObject({ channel: "fenced", conflicts: [] });
});

test("C2: a file that cannot be used lets nothing else count", () => {
  const problem = { path: "/r.json", code: "not_utf8", message: "is not UTF-8" };
  expect(chooseResult({ ...NONE, file: { kind: "unreadable", problem }, fenced: JSON.stringify(DONE) }, turn)).toEqual({
    kind: "said",
    channel: "file",
    checked: { ok: false, problems: [problem] },
    conflicts: [{ kind: "differs", channel: "fenced", fields: ["kind"] }],
  });
  expect(chooseResult({ ...NONE, file: file({ kind: "x" }) }, turn)).toMatchObject({ checked: { ok: false } });
});

test("C3: what another way says differently is reported", () => {
  const wait = { kind: "wait", summary: "other", until: "2026-11-30T08:00:00Z", next: "n" };
  expect(chooseResult({ file: file(PROGRESS), structured: { value: wait }, fenced: "{" }, turn)).toMatchObject({
    channel: "file",
    checked: { result: PROGRESS },
    conflicts: [
      { kind: "differs", channel: "structured", fields: ["kind", "summary", "next", "until"] },
      { kind: "invalid", channel: "fenced", problems: [{ code: "json_unexpected_end" }] },
    ],
  });
});
