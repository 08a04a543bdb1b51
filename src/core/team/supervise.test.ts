import { expect, test } from "vitest";
import type { WorkerFact } from "../host/worker-protocol.ts";
import { addMilliseconds, type Instant, millisecondsBetween } from "../instant.ts";
import { Bench, FAST, id } from "./bench.sample.ts";
import { TEAM_SETTINGS } from "./settings.ts";
import { isOver, outcomeOf } from "./team.ts";

const TURN = { goal_id: "g", todo_id: "todo_one", turn_id: "t1" };
const USAGE = { input_tokens: null, output_tokens: null } as never;
const settled: WorkerFact = { event: "turn_settled", ...TURN, outcome: "completed", summary: "Done", usage: USAGE };
const failed = (kind: string, until?: Instant): WorkerFact => ({
  event: "turn_failed",
  ...TURN,
  failure: { kind, message: "no", ...(until !== undefined && { until }) },
  usage: USAGE,
});
const idle: WorkerFact = { event: "idle", why: "complete" };

test("V1: starts are staggered", () => {
  const bench = new Bench(4);
  expect(bench.did("spawn")).toEqual(["agent-1"]);
  bench.pass(250);
  expect(bench.did("spawn")).toEqual(["agent-1", "agent-2"]);
  bench.pass(500);
  expect(bench.did("spawn")).toEqual(["agent-1", "agent-2", "agent-3", "agent-4"]);
});

test("V1: above the load none is started, and it is looked again", () => {
  const bench = new Bench(2, { max_load: 0.8 });
  bench.start(1);
  bench.load = 1.5;
  bench.pass(2000);
  expect(bench.did("spawn")).toEqual(["agent-1"]);
  expect(bench.noted("held_back")).toMatchObject([{ agent_id: "agent-2", why: "load" }]);
  bench.load = 0.8;
  bench.pass(TEAM_SETTINGS.recheck_ms);
  expect(bench.did("spawn")).toEqual(["agent-1", "agent-2"]);
});

test("V1: while no goal may have one more running task none is started", () => {
  const bench = new Bench(2);
  bench.bar = "Goal g would have 17 running tasks; its limit is 16.";
  bench.pass(1000);
  expect(bench.phase(2)).toMatchObject({ kind: "due", why: "limits", message: bench.bar });
  bench.bar = null;
  bench.pass(TEAM_SETTINGS.recheck_ms);
  expect(bench.did("spawn")).toContain("agent-2");
});

test("V2: the wait after a crash doubles, and a turn that settles makes it short again", () => {
  const bench = new Bench(1, { ...FAST, max_restarts: 8 });
  bench.luck = 0.999;
  bench.start(1);
  const waits: number[] = [];
  for (let crash = 0; crash < 5; crash += 1) {
    bench.end(1);
    const due = bench.phase(1);
    if (due.kind !== "due") throw new Error("not due");
    waits.push(Math.round(millisecondsBetween(bench.now, due.at) / 1000));
    bench.pass(9000);
    bench.start(1);
  }
  expect(waits).toEqual([1, 2, 4, 8, 8]);
  bench.say(1, settled);
  bench.end(1);
  expect(bench.phase(1)).toMatchObject({ at: addMilliseconds(bench.now, 999) });
});

test.each([
  ["turns_done", "clean"],
  ["idle", "clean"],
  ["drained", "clean"],
  ["fatal", "fatal"],
] as const)("V2: who stopped as %s does not come back", (reason, outcome) => {
  const bench = new Bench(1);
  bench.start(1);
  bench.say(1, { event: "stopped", reason, message: "why", fix: "what helps" });
  bench.end(1, 0);
  expect(bench.phase(1)).toMatchObject({ kind: "ended", outcome, message: "why" });
  expect(outcomeOf(bench.team)).toBe(outcome);
  expect(isOver(bench.team)).toBe(true);
});

test.each([
  [2, "fatal"],
  [3, "fatal"],
  [70, "due"],
])("F1: exit status %i without a word", (code, kind) => {
  const bench = new Bench(1);
  bench.start(1);
  bench.end(1, code);
  const phase = bench.phase(1);
  expect(phase.kind === "ended" ? phase.outcome : phase.kind).toBe(kind);
});

test("V3: a worker that fails too often is given up, and a person is asked", () => {
  const bench = new Bench(1, FAST);
  for (let crash = 0; crash < 4; crash += 1) {
    bench.start(1);
    bench.end(1);
    bench.pass(8000);
  }
  expect(bench.phase(1)).toMatchObject({ kind: "ended", outcome: "failed", code: "crash_loop" });
  expect(bench.team.attention).toMatchObject([{ agent_id: "agent-1", code: "crash_loop" }]);
  expect(outcomeOf(bench.team)).toBe("breaker");
});

test("V3: failures long ago do not count", () => {
  const bench = new Bench(1, FAST);
  for (let crash = 0; crash < 8; crash += 1) {
    bench.start(1);
    bench.end(1);
    bench.pass(TEAM_SETTINGS.window_ms / 2);
  }
  expect(bench.phase(1).kind).not.toBe("ended");
});

test("V3: when all fail together the team is given up", () => {
  const bench = new Bench(4, FAST);
  bench.startAll();
  for (let round = 0; round < 2; round += 1) for (const agent of [1, 2, 3, 4]) bench.say(agent, failed("crashed"));
  expect(bench.noted("breaker_tripped")).toHaveLength(1);
  for (const agent of [1, 2, 3, 4]) {
    expect(bench.told(agent)).toContainEqual({ do: "stop" });
    bench.end(agent, 0);
  }
  expect(isOver(bench.team)).toBe(true);
  expect(outcomeOf(bench.team)).toBe("breaker");
});

test("V3: a session that is missing counts from the second time in a row", () => {
  const bench = new Bench(1, { ...FAST, max_restarts: 2 });
  bench.start(1);
  bench.say(1, failed("session_missing"));
  expect(bench.worker(1)).toMatchObject({ setbacks: [], failed_as: "session_missing" });
  bench.say(1, settled);
  for (let turn = 0; turn < 3; turn += 1) bench.say(1, failed("session_missing"));
  expect(bench.worker(1).setbacks).toHaveLength(2);
  bench.say(1, failed("session_missing"));
  expect(bench.phase(1)).toMatchObject({ kind: "ending", after: { kind: "give_up", code: "crash_loop" } });
});

test("a failed check is no failure of the host: nothing is held", () => {
  const bench = new Bench(1, FAST);
  bench.startAll();
  for (let turn = 0; turn < 10; turn += 1) bench.say(1, failed("checks_failed"));
  expect(bench.orders).toEqual([]);
  expect(bench.worker(1)).toMatchObject({ turns: 10, last: { outcome: "failed" } });
});

test("V4, D1: a limit that several meet is one pause; then they go on one by one", () => {
  const bench = new Bench(3);
  bench.startAll();
  const until = addMilliseconds(bench.now, 60_000);
  bench.say(1, failed("rate_limited", until));
  bench.say(2, failed("rate_limited", until));
  bench.say(3, failed("rate_limited"));
  expect(bench.noted("rate_limited")).toHaveLength(1);
  const holds = [1, 2, 3].map((agent) => (bench.told(agent)[0] as { until: Instant }).until);
  expect(new Set(holds).size).toBe(3);
  expect([...holds].sort()).toEqual(holds);
  expect(holds[0] ?? "" > until).toBeTruthy();
  expect(bench.team.setbacks).toEqual([]);
});

test("V4: who is not started yet waits for the end of the pause", () => {
  const bench = new Bench(2);
  bench.start(1);
  bench.say(1, failed("rate_limited", addMilliseconds(bench.now, 60_000)));
  bench.pass(50_000);
  expect(bench.did("spawn")).toEqual(["agent-1"]);
  expect(bench.phase(2)).toMatchObject({ kind: "due", why: "rate_limited" });
  bench.pass(100_000);
  expect(bench.did("spawn")).toEqual(["agent-1", "agent-2"]);
});

test("D2: a limit that comes back makes the next pause longer, a turn that settles makes it short", () => {
  const bench = new Bench(1);
  bench.luck = 0.999;
  bench.startAll();
  const pause = (): number => {
    bench.say(1, failed("rate_limited"));
    return millisecondsBetween(bench.now, bench.team.cool_down?.until ?? bench.now);
  };
  const first = pause();
  bench.pass(first + 1);
  const second = pause();
  expect(second).toBeGreaterThan(first * 1.9);
  bench.pass(second + 1);
  bench.say(1, settled);
  expect(pause()).toBeLessThanOrEqual(first);
});

test("V5, O1, O2: nudge, fresh process, person", () => {
  const bench = new Bench(1, { turn_ms: 10_000, nudge_ms: 1000 });
  bench.startAll();
  const claims = (): void => bench.say(1, { event: "claimed", ...TURN, text: "Do it", epoch: 1 });
  claims();
  bench.pass(10_000);
  expect(bench.told(1)).toEqual([{ do: "wake" }]);
  bench.pass(1000);
  expect(bench.told(1)).toEqual([{ do: "wake" }, { do: "stop" }]);
  bench.end(1, 0);
  expect(bench.phase(1)).toMatchObject({ kind: "starting" });
  bench.start(1);
  claims();
  bench.pass(11_000);
  bench.end(1, 0);
  expect(bench.phase(1)).toMatchObject({ kind: "ended", outcome: "failed", code: "agent_stalled" });
  expect(bench.team.attention).toHaveLength(1);
  bench.happen({ kind: "wake", agent_id: id(1) });
  expect(bench.phase(1)).toMatchObject({ kind: "starting" });
  expect(bench.team.attention).toEqual([]);
});

test("V5: who waits or is idle is not overdue", () => {
  const bench = new Bench(2);
  bench.startAll();
  bench.say(1, idle);
  bench.say(2, { event: "waiting", why: "monitor", until: addMilliseconds(bench.now, 3_600_000) });
  bench.pass(3_600_000);
  expect(bench.orders).toEqual([]);
});

test("V6: a drain lets turns finish until its deadline, then they are stopped, then killed", () => {
  const bench = new Bench(2, { grace_ms: 5000, stop_ms: 1000 });
  bench.startAll();
  bench.happen({ kind: "asked", what: "drain" });
  expect(bench.told(1)).toEqual([{ do: "drain" }]);
  bench.say(1, { event: "stopped", reason: "drained", message: "done" });
  bench.end(1, 0);
  bench.pass(5000);
  expect(bench.told(2)).toEqual([{ do: "drain" }, { do: "stop" }]);
  expect(bench.did("kill")).toEqual([]);
  bench.pass(1000);
  expect(bench.did("kill")).toEqual(["agent-2"]);
  bench.happen({ kind: "ended", agent_id: id(2), end: { kind: "signalled", signal: "SIGKILL" } });
  expect([isOver(bench.team), outcomeOf(bench.team)]).toEqual([true, "clean"]);
});

test("V6: asked twice, a drain is a stop", () => {
  const bench = new Bench(1);
  bench.startAll();
  bench.happen({ kind: "asked", what: "drain" });
  bench.happen({ kind: "asked", what: "drain" });
  expect(bench.told(1)).toEqual([{ do: "drain" }, { do: "stop" }]);
});

test("V7: nothing is started any more, and what was just being started is told at once", () => {
  const bench = new Bench(2);
  bench.happen({ kind: "asked", what: "stop" });
  expect(bench.phase(2)).toMatchObject({ kind: "ended", outcome: "clean" });
  bench.start(1);
  expect(bench.told(1)).toEqual([{ do: "stop" }]);
  bench.end(1, 1);
  expect(isOver(bench.team)).toBe(true);
  bench.happen({ kind: "wake", agent_id: null });
  expect(bench.did("spawn")).toEqual(["agent-1"]);
});

test("V8: the team ends together when nobody has had anything to do", () => {
  const bench = new Bench(2, { idle_ms: 3000 });
  bench.startAll();
  bench.say(1, idle);
  bench.pass(10_000);
  expect(bench.orders).toEqual([]);
  bench.say(2, idle);
  bench.say(1, { event: "deciding" });
  bench.pass(2999);
  expect(bench.orders).toEqual([]);
  bench.pass(1);
  expect(bench.told(1)).toEqual([{ do: "drain" }]);
  expect(bench.told(2)).toEqual([{ do: "drain" }]);
});

test.each(["back_off", "held"])("V8: who waits as %s has not looked for work: the team goes on", (why) => {
  const bench = new Bench(2, { idle_ms: 300 });
  bench.startAll();
  const until = addMilliseconds(bench.now, 1000);
  bench.say(1, idle);
  bench.say(2, { event: "waiting", why, until });
  bench.pass(1000);
  expect(bench.orders).toEqual([]);
  bench.say(2, idle);
  bench.pass(300);
  expect([bench.told(1), bench.told(2)]).toEqual([[{ do: "drain" }], [{ do: "drain" }]]);
});

test("turns are counted over restarts, and who took all of them does not come back", () => {
  const bench = new Bench(1, { max_turns: 2 });
  bench.start(1);
  bench.say(1, settled);
  bench.end(1);
  bench.pass(10_000);
  bench.start(1);
  expect(bench.worker(1)).toMatchObject({ turns: 1, restarts: 1 });
  bench.say(1, settled);
  bench.end(1);
  expect(bench.phase(1)).toMatchObject({ kind: "ended", outcome: "clean", code: "turns_done" });
  expect(bench.worker(1).turns).toBe(2);
});
