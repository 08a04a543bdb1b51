import { expect, test } from "vitest";
import { parseTurnId, type TurnId } from "../id.ts";
import { commandEvents } from "./command-events.ts";
import type { HostEvent } from "./host-event.ts";
import { judgeTurn, type TurnFacts } from "./judge-turn.ts";
import { TurnObserver } from "./turn-observer.ts";
import { TURN_RESULT_SCHEMA } from "./turn-result.ts";

const DONE = { kind: "validated_completion", summary: "s" } as const;
const BLOCK = ["```loopx-turn-result", JSON.stringify(DONE), "```"];
const FILE = { kind: "text", text: JSON.stringify({ schema_version: TURN_RESULT_SCHEMA, ...DONE }) } as const;
const EXIT = (code: number): TurnFacts["end"] => ({ kind: "exited", code });

function seen(...lines: readonly string[]): TurnFacts["seen"] {
  const observer = new TurnObserver(commandEvents());
  for (const text of lines) observer.read({ text, cut: false }, "out");
  return observer.seen();
}

function event(loopx_event: string, more: object = {}): string {
  return JSON.stringify({ loopx_event, ...more });
}

function facts(more: Partial<TurnFacts> = {}): TurnFacts {
  return {
    turn_id: parseTurnId("t") as TurnId,
    program: "/usr/bin/npm",
    end: EXIT(0),
    lease: "held",
    seen: seen(),
    file: null,
    silence: "no_result",
    wall_ms: 5,
    limits: { idle_ms: 10, hard_ms: 20 },
    ...more,
  };
}

test("G1: a lost lease has no result, whatever was said", () => {
  expect(judgeTurn(facts({ lease: "lost", file: FILE }))).toEqual({
    kind: "lease_lost",
    usage: { wall_ms: 5 },
    session_id: null,
    end: { kind: "exited", code: 0 },
  });
});

test.each<TurnFacts["end"]>([
  EXIT(0),
  EXIT(1),
  { kind: "signalled", signal: "SIGKILL" },
  { kind: "idle_limit" },
  { kind: "hard_limit" },
  { kind: "aborted" },
])("G2: a file counts although the process ended as %j", (end) => {
  expect(judgeTurn(facts({ end, file: FILE }))).toMatchObject({ kind: "result", channel: "file", result: DONE });
  const structured = seen(event("result", { result: DONE }), event("rate_limited"));
  expect(judgeTurn(facts({ end, seen: structured }))).toMatchObject({ kind: "result", channel: "structured", result: DONE });
});

test("G3: a block counts after exit status 0 alone", () => {
  expect(judgeTurn(facts({ seen: seen(...BLOCK) }))).toMatchObject({ kind: "result", channel: "fenced", result: DONE });
  expect(judgeTurn(facts({ seen: seen(...BLOCK), end: EXIT(1) }))).toMatchObject({
    kind: "failed",
    failure: { kind: "crashed" },
  });
  expect(judgeTurn(facts({ seen: seen(...BLOCK), end: { kind: "idle_limit" } }))).toMatchObject({ kind: "failed" });
});

test.each<[TurnFacts["end"], object]>([
  [EXIT(3), { kind: "crashed", cause: { kind: "exit", code: 3 } }],
  [
    { kind: "signalled", signal: "SIGSEGV" },
    { kind: "crashed", cause: { kind: "signal", signal: "SIGSEGV" } },
  ],
  [{ kind: "idle_limit" }, { kind: "timeout_idle", after_ms: 10 }],
  [{ kind: "hard_limit" }, { kind: "timeout_hard", after_ms: 20 }],
  [EXIT(0), { kind: "output_invalid", problems: [] }],
])("without a result, %j is %j", (end, failure) => {
  expect(judgeTurn(facts({ end }))).toMatchObject({ kind: "failed", failure });
});

test("G4: the cause that the host names counts before the way its process ended", () => {
  const limited = seen(event("rate_limited", { until: "2026-11-30T08:00:00Z" }));
  for (const end of [EXIT(0), EXIT(1), { kind: "idle_limit" }, { kind: "aborted" }] as const) {
    expect(judgeTurn(facts({ end, seen: limited, silence: "completion" }))).toMatchObject({
      kind: "failed",
      failure: { kind: "rate_limited", until: "2026-11-30T08:00:00.000Z" },
    });
  }
});

test("a turn that was to stop has stopped", () => {
  expect(judgeTurn(facts({ end: { kind: "aborted" } }))).toMatchObject({ kind: "stopped" });
});

test("G5: exit status 0 is a result for a host that says so, and only when nothing was said", () => {
  const completion = facts({ silence: "completion" });
  expect(judgeTurn(completion)).toMatchObject({
    kind: "result",
    channel: "exit",
    result: { kind: "validated_completion", summary: "npm ended with exit status 0" },
  });
  const half = seen("```loopx-turn-result", '{"kind":');
  expect(judgeTurn({ ...completion, seen: half })).toMatchObject({
    failure: { kind: "output_invalid", problems: [{ code: "json_unexpected_end" }] },
  });
  expect(judgeTurn({ ...completion, seen: seen('{"loopx_event":"result","result":{') })).toMatchObject({
    failure: { kind: "output_invalid", problems: [{ code: "event_unreadable" }] },
  });
  expect(judgeTurn({ ...completion, end: EXIT(1) })).toMatchObject({ failure: { kind: "crashed" } });
});

test("V1: of sessions, usage and structured results the last counts", () => {
  const lines = [
    event("session", { session_id: "a" }),
    event("usage", { usage: { input_tokens: 1 } }),
    event("result", { result: { kind: "wait", summary: "first" } }),
    event("session", { session_id: "b" }),
    event("usage", { usage: { input_tokens: 2 } }),
    event("result", { result: { ...DONE, usage: { input_tokens: 9, output_tokens: 4 } } }),
  ];
  expect(judgeTurn(facts({ seen: seen(...lines) }))).toMatchObject({
    result: DONE,
    session_id: "b",
    usage: { input_tokens: 2, output_tokens: 4, wall_ms: 5 },
  });
});

test("V2: the setback that only a person can put right counts, and of two of a kind the later one", () => {
  expect(seen(event("rate_limited"), event("auth_failed"), event("refused")).setback).toMatchObject({ kind: "auth_failed" });
  expect(seen(event("refused", { detail: "a" }), event("refused", { detail: "b" })).setback).toMatchObject({ detail: "b" });
});

test("the first event that cannot be understood is the one that is named", () => {
  expect(seen('{"loopx_event":"first"}', '{"loopx_event":"second"}').unreadable).toContain("first");
});

test("a new message makes the blocks before it mean nothing", () => {
  const events: HostEvent[][] = [
    [{ kind: "text", text: BLOCK.join("\n") }],
    [{ kind: "message" }],
    [{ kind: "text", text: "bye" }],
  ];
  const observer = new TurnObserver(() => events.shift() ?? []);
  observer.read({ text: "", cut: false }, "out");
  expect(observer.seen().fenced).toContain("validated_completion");
  expect(observer.read({ text: "", cut: false }, "out")).toEqual([{ kind: "message" }]);
  expect(observer.seen().fenced).toBeNull();
});
