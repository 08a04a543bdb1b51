// With a fake machine; what holds with real processes is in test/contract/agent-host.ts.
import { expect, test } from "vitest";
import { commandHost } from "../adapters/agents/command-host.ts";
import type { NotStarted } from "../core/host/process-end.ts";
import { TURN_RESULT_SCHEMA } from "../core/host/turn-result.ts";
import { type GoalId, parseAgentId, parseGoalId, parseTurnId, type TurnId } from "../core/id.ts";
import type { HostTurn, ReadResult, TurnPlaces } from "../ports/agent-host.ts";
import type { GroupRequest, GroupRun, ProcessGroups } from "../ports/process.ts";
import { type HostTurnRequest, runHostTurn } from "./host-turn.ts";
import { handScheduler } from "./scheduler.sample.ts";

const RAN: GroupRun = { kind: "ran", end: { kind: "exited", code: 0 }, wall_ms: 7, dropped_bytes: 0, swept: 0, log_flaw: null };

function turnOf(more: Partial<HostTurn> = {}): HostTurn {
  const goal = parseGoalId("g");
  const agent_id = parseAgentId("a");
  if (!goal.ok || agent_id === null) throw new Error("no ids");
  const ids = { goal_id: goal.id as GoalId, agent_id, todo_id: null, turn_id: parseTurnId("t") as TurnId };
  const places = { workspace: "/w", runtime_root: "/r", registry: "/g", result_file: "/r/t.json", session_marker: "m" };
  return { ...ids, ...places, run: '["npm","test"]', prompt: null, session_id: null, ...more };
}

function world(more: { run?: ProcessGroups["run"]; places?: Partial<TurnPlaces> } = {}) {
  const calls: string[] = [];
  const asked: GroupRequest[] = [];
  const scheduler = handScheduler();
  const places: TurnPlaces = {
    workspaceFlaw: () => null,
    findProgram: () => "found",
    prepareResult: (path) => calls.push(`prepare ${path}`),
    readResult: () => null,
    writeResult: () => null,
    discardResult: (path) => calls.push(`discard ${path}`),
    ...more.places,
  };
  const run: ProcessGroups["run"] = (request) => {
    calls.push("run");
    asked.push(request);
    return more.run?.(request) ?? Promise.resolve(RAN);
  };
  const ports = { processes: { run, sweep: () => Promise.resolve(0) }, places, scheduler, env: { PATH: "/bin" } };
  const request: HostTurnRequest = {
    host: commandHost,
    turn: turnOf(),
    log_path: "/r/t.log",
    lease: null,
    earlier_result: "counts",
    signal: new AbortController().signal,
  };
  return { ports, request, calls, asked, scheduler };
}

test.each<[string | null, string]>([
  [null, "run_missing"],
  ["npm test", "run_invalid"],
  ['["-x"]', "run_invalid"],
])("H1: with the command %j nothing starts", async (run, code) => {
  const { ports, request, calls } = world();
  const outcome = await runHostTurn(ports, { ...request, turn: turnOf({ run }) });
  expect(outcome).toMatchObject({ kind: "not_started", no: { kind: "bad_input", code } });
  expect(calls).toEqual([]);
});

test.each<[Partial<TurnPlaces>, object]>([
  [{ workspaceFlaw: () => "not_permitted" }, { kind: "not_started", no: { kind: "refusal", code: "workspace_missing" } }],
  [{ findProgram: () => "missing" }, { kind: "failed", failure: { kind: "host_missing", program: "npm", why: "not_found" } }],
  [
    { findProgram: () => "not_executable" },
    { kind: "failed", failure: { kind: "host_missing", program: "npm", why: "not_executable" } },
  ],
])("H1: what is seen before is refused before: %o", async (places, outcome) => {
  const { ports, request, calls } = world({ places });
  expect(await runHostTurn(ports, request)).toMatchObject(outcome);
  expect(calls).toEqual([]);
});

test.each<[NotStarted["why"], object]>([
  ["workspace_missing", { kind: "not_started", no: { code: "workspace_missing" } }],
  ["program_missing", { kind: "failed", failure: { kind: "host_missing", why: "not_found" }, usage: { wall_ms: 0 } }],
  ["not_executable", { kind: "failed", failure: { kind: "host_missing", why: "not_executable" } }],
  ["too_long", { kind: "not_started", no: { kind: "bad_input", code: "run_invalid" } }],
])("H1: what goes away after the look gives the same answer: %s", async (why, outcome) => {
  const { ports, request } = world({ run: () => Promise.resolve({ kind: "not_started", why }) });
  expect(await runHostTurn(ports, request)).toMatchObject(outcome);
});

const FILE: ReadResult = {
  kind: "text",
  text: JSON.stringify({ schema_version: TURN_RESULT_SCHEMA, kind: "wait", summary: "CI" }),
};

test("H2: a result that is there counts, and nothing runs", async () => {
  const { ports, request, calls } = world({ places: { readResult: () => FILE } });
  expect(await runHostTurn(ports, request)).toMatchObject({
    kind: "already_said",
    checked: { ok: true, result: { kind: "wait" } },
  });
  expect(calls).toEqual([]);
});

test("H2: unless it is to be discarded", async () => {
  const { ports, request, calls } = world();
  expect(await runHostTurn(ports, { ...request, earlier_result: "discard" })).toMatchObject({ kind: "result", channel: "exit" });
  expect(calls).toEqual(["discard /r/t.json", "prepare /r/t.json", "run"]);
});

test("the limits of the host hold where the turn names none", async () => {
  const { ports, request, asked } = world();
  await runHostTurn(ports, { ...request, limits: { hard_ms: 5 } });
  const { idle_ms, grace_ms } = commandHost.limits;
  expect(asked[0]).toMatchObject({
    argv: ["npm", "test"],
    cwd: "/w",
    stdin: null,
    log_path: "/r/t.log",
    marks: { LOOPX_TURN_ID: "t", LOOPX_SESSION_MARKER: "m" },
    limits: { hard_ms: 5, idle_ms, grace_ms },
  });
  expect(asked[0]?.env["LOOPX_TODO_ID"]).toBeUndefined();
});

test("H3: a lost lease stops the host, and the keeping ends with the turn", async () => {
  const untilAborted: ProcessGroups["run"] = ({ signal }) =>
    new Promise((resolve) => {
      signal.addEventListener("abort", () => resolve({ ...RAN, end: { kind: "aborted" } }));
    });
  const { ports, request, scheduler } = world({ run: untilAborted, places: { readResult: () => null } });
  const renew = () => Promise.resolve({ kind: "lost" } as const);
  const running = runHostTurn(ports, { ...request, lease: { left_ms: 100, renew_every_ms: 10, renew } });
  await scheduler.advance(10);
  expect(await running).toMatchObject({ kind: "lease_lost", end: { kind: "aborted" } });
  expect(scheduler.pending()).toBe(0);
});

test("a fault of the machine is a fault, and nothing is left behind", async () => {
  const { ports, request, scheduler } = world({ run: () => Promise.reject(new Error("no processes")) });
  const renew = () => Promise.resolve({ kind: "held", for_ms: 100 } as const);
  const running = runHostTurn(ports, { ...request, lease: { left_ms: 100, renew_every_ms: 10, renew } });
  await expect(running).rejects.toThrow("no processes");
  expect(scheduler.pending()).toBe(0);
});

test("events are told while the host runs", async () => {
  const run: ProcessGroups["run"] = ({ onLine }) => {
    onLine({ text: "hello", cut: false }, "out");
    return Promise.resolve(RAN);
  };
  const { ports, request } = world({ run });
  const events: unknown[] = [];
  await runHostTurn(ports, { ...request, onEvent: (event) => events.push(event) });
  expect(events).toEqual([{ kind: "text", text: "hello" }]);
});
