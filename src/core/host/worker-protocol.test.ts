import { describe, expect, test } from "vitest";
import type { Instant } from "../instant.ts";
import { lineOf, readOrder, readReport, type WorkerOrder, type WorkerReport } from "./worker-protocol.ts";

const AT = "2026-11-30T08:00:00.000Z" as Instant;
const TURN = { goal_id: "g", todo_id: "todo_one", turn_id: "turn-1" } as const;
const USAGE = { wall_ms: 12 };

const REPORTS: readonly WorkerReport[] = [
  { event: "deciding", at: AT, turns: 0 },
  { event: "waiting", until: AT, why: "peers_own", at: AT, turns: 0 },
  { event: "idle", why: "complete", at: AT, turns: 3 },
  { event: "claimed", ...TURN, text: "Write\nthe parser  ", epoch: 4, at: AT, turns: 0 },
  { event: "turn_started", ...TURN, at: AT, turns: 0 },
  { event: "turn_settled", ...TURN, outcome: "completed", summary: "done", usage: USAGE, at: AT, turns: 1 },
  { event: "turn_failed", ...TURN, failure: { kind: "timeout_idle", message: "silent" }, usage: USAGE, at: AT, turns: 1 },
  { event: "stopped", reason: "rate_limited", message: "limited", until: AT, at: AT, turns: 1 },
];
const ORDERS: readonly WorkerOrder[] = [
  { do: "drain" },
  { do: "stop" },
  { do: "wake" },
  { do: "hold", until: AT },
  { do: "hold", until: null },
];

test.each(REPORTS.map((report) => [report.event, report] as const))(
  "W1: the report %s is one line and is read back",
  (_event, report) => {
    const line = lineOf(report);
    expect(line.trimEnd().split("\n")).toHaveLength(1);
    expect(readReport(line)).toEqual({ kind: "done", value: report });
  },
);

test.each(ORDERS.map((order) => [JSON.stringify(order), order] as const))("W1: the order %s is read back", (_text, order) => {
  expect(readOrder(lineOf(order))).toEqual({ kind: "done", value: order });
});

describe("W2: what is not understood is a problem", () => {
  test.each([
    ["", "no JSON value"],
    ["stop", "cannot be understood"],
    ["[]", "no JSON object"],
    ["null", "no JSON object"],
    ['{"do":"dance"}', 'no order "dance"'],
    ['{"do":["stop"]}', "no order"],
    ["{}", "no order nothing"],
    ['{"do":"hold","until":"soon"}', 'no time: "soon"'],
    [`{"do":"stop","pad":"${"x".repeat(20_000)}"}`, "longer than"],
  ])("order %.40s", (line, message) => {
    expect(readOrder(line)).toMatchObject({
      kind: "bad_input",
      code: "line_unreadable",
      message: expect.stringContaining(message),
    });
  });

  test.each([
    ["{", "cannot be understood"],
    ['{"event":"slept","at":"2026-11-30T08:00:00Z","turns":0}', 'no event "slept"'],
    ['{"event":"deciding","turns":0}', "no time or count"],
    ['{"event":"deciding","at":"2026-11-30T08:00:00Z"}', "no time or count"],
  ])("report %s", (line, message) => {
    expect(readReport(line)).toMatchObject({
      kind: "bad_input",
      code: "line_unreadable",
      message: expect.stringContaining(message),
    });
  });
});

test("W3: every report says when, and how many turns have ended", () => {
  for (const report of REPORTS) expect(readReport(lineOf(report))).toMatchObject({ value: { at: AT, turns: report.turns } });
});
