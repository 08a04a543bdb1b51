import { expect, test } from "vitest";
import { commandEvents } from "./command-events.ts";
import type { HostEvent } from "./host-event.ts";

function read(text: string, source: "out" | "err" = "out", cut = false): readonly HostEvent[] {
  return commandEvents()({ text, cut }, source);
}

test.each<[string, object]>([
  ['{"loopx_event":"rate_limited","until":"2026-11-30T08:00:00Z"}', { kind: "rate_limited", until: "2026-11-30T08:00:00.000Z" }],
  ['  { "loopx_event" : "rate_limited" }', { kind: "rate_limited", until: null }],
  ['{"loopx_event":"rate_limited","until":"soon"}', { kind: "rate_limited", until: null }],
  ['{"loopx_event":"auth_failed","detail":" no key "}', { kind: "auth_failed", detail: "no key" }],
  ['{"loopx_event":"budget","detail":""}', { kind: "budget", detail: null }],
  ['{"loopx_event":"session_missing"}', { kind: "session_missing", detail: null }],
  ['{"loopx_event":"refused","detail":3}', { kind: "refused", detail: null }],
  ['{"loopx_event":"session","session_id":"s-1"}', { kind: "session", session_id: "s-1" }],
  ['{"loopx_event":"usage","usage":{"input_tokens":3}}', { kind: "usage", usage: { input_tokens: 3 } }],
  ['{"loopx_event":"result","result":{"kind":"wait"}}', { kind: "result", value: { kind: "wait" } }],
  ['{"loopx_event":"result"}', { kind: "result", value: null }],
])("%s is an event", (line, event) => {
  expect(read(line)).toEqual([event]);
});

test.each([
  ["error: rate limit reached, try again at 2026-11-30T08:00:00Z"],
  ["please run login: authentication failed"],
  ['{"type":"result","loopx_event":"auth_failed"}'],
  ['say {"loopx_event":"refused"}'],
  [""],
])("E1: %j is text", (line) => {
  expect(read(line)).toEqual([{ kind: "text", text: line }]);
});

test.each([
  ['{"loopx_event":"result","result":{"kind":"vali'],
  ['{"loopx_event":"nonsense"}'],
  ['{"loopx_event":"toString"}'],
  ['{"loopx_event":3}'],
  ['{"loopx_event":"usage","usage":{"input_tokens":-3}}'],
  ['{"loopx_event":"usage"}'],
  ['{"loopx_event":"session"}'],
  [`{"loopx_event":"session","session_id":"${"x".repeat(201)}"}`],
  [`{"loopx_event":"refused","detail":"${"x".repeat(70_000)}"}`],
])("E2: %.60s is meant as an event and unreadable", (line) => {
  expect(read(line)).toEqual([{ kind: "unreadable", message: expect.any(String) }]);
});

test("E2: an event whose line was cut is unreadable, whatever is left of it", () => {
  expect(read('{"loopx_event":"refused"}', "out", true)).toMatchObject([{ kind: "unreadable" }]);
});

test("E3: standard error says nothing", () => {
  expect(read('{"loopx_event":"refused"}', "err")).toEqual([]);
  expect(read("text", "err")).toEqual([]);
});
