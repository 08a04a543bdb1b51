import { expect, test } from "vitest";
import { done } from "../../core/result.ts";
import { runFake } from "./host.sample.ts";

async function called(line: string): Promise<unknown> {
  const { calls, err } = await runFake([...line.split(" "), "--json"]);
  expect(err).toBe("");
  return calls[0];
}

const PLAIN_REFRESH = {
  goalId: "g",
  agentId: null,
  agentLane: null,
  classification: null,
  recommendedAction: null,
  nextAction: null,
  deliveryOutcome: null,
  deliveryBatchScale: null,
  todoId: null,
  turnInstanceId: null,
  progressScope: null,
  stateFile: null,
  dryRun: false,
};

const PLAIN_QUOTA = {
  goalId: "g",
  profile: null,
  compute: null,
  windowHours: null,
  slotMinutes: null,
  allowedSlots: null,
  tokens: null,
  wallMinutes: null,
  limits: {},
  dryRun: false,
};
const PLAIN_CONFIGURE = {
  goalId: "g",
  quotaCompute: null,
  quotaWindowHours: null,
  writeScope: null,
  waitingOn: null,
  agentWorkModes: [],
  dryRun: true,
};

test.each([
  ["init --objective T", "init", { objective: "T", goalId: null, project: null, dryRun: false }],
  ["init --objective T --goal-id g --project P --dry-run", "init", { objective: "T", goalId: "g", project: "P", dryRun: true }],
  [
    "goal add g --objective T --display-name N --state-file S --dry-run",
    "goalAdd",
    { goalId: "g", objective: "T", displayName: "N", stateFile: "S", dryRun: true },
  ],
  ["goal list --limit 3 --cursor c --all", "goalList", { limit: 3, cursor: "c", all: true }],
  ["goal show g", "goalShow", { goalId: "g" }],
  ["goal stop g --reason R --dry-run", "goalStop", { goalId: "g", reason: "R", dryRun: true }],
  ["goal resume --goal-id g --reason R", "goalResume", { goalId: "g", reason: "R", dryRun: false }],
  ["goal-lifecycle --goal-id g --operation stop", "goalStop", { goalId: "g", reason: null, dryRun: true }],
  ["goal-lifecycle --goal-id g --operation stop --reason R --execute", "goalStop", { goalId: "g", reason: "R", dryRun: false }],
  [
    "goal-lifecycle --goal-id g --operation resume --reason R --execute true",
    "goalResume",
    { goalId: "g", reason: "R", dryRun: false },
  ],
  ["goal-lifecycle --goal-id g --operation resume --execute=false", "goalResume", { goalId: "g", reason: null, dryRun: true }],
  ["goal-lifecycle --goal-id g --operation resume --dry-run", "goalResume", { goalId: "g", reason: null, dryRun: true }],
  ["goal remove g --dry-run", "goalRemove", { goalId: "g", dryRun: true }],
  ["quota set --root --profile batch", "quotaSet", { ...PLAIN_QUOTA, goalId: null, profile: "batch" }],
  [
    "quota set --goal-id g --compute 0.5 --window-hours 2.5 --slot-minutes 5 --allowed-slots 0 --tokens 7 --wall-minutes 30 --profile interactive --limit-open-todos 1 --limit-running-tasks 2 --limit-runtime-bytes 3 --limit-event-bytes 4 --limit-cache-entries 5 --limit-cache-bytes 0 --dry-run",
    "quotaSet",
    {
      goalId: "g",
      profile: "interactive",
      compute: 0.5,
      windowHours: 2.5,
      slotMinutes: 5,
      allowedSlots: 0,
      tokens: 7,
      wallMinutes: 30,
      limits: {
        max_open_todos: 1,
        max_running_tasks: 2,
        max_runtime_bytes: 3,
        max_event_bytes: 4,
        max_cache_entries: 5,
        max_cache_bytes: 0,
      },
      dryRun: true,
    },
  ],
  ["configure-goal --goal-id g", "configureGoal", PLAIN_CONFIGURE],
  [
    "configure-goal --goal-id g --quota-compute 0 --quota-window-hours 48 --write-scope src/{a,b}/** --write-scope docs/** --waiting-on codex --agent-work-mode a=active --execute",
    "configureGoal",
    {
      goalId: "g",
      quotaCompute: 0,
      quotaWindowHours: 48,
      writeScope: { mode: "add", items: ["src/{a,b}/**", "docs/**"] },
      waitingOn: { kind: "set", value: "codex" },
      agentWorkModes: ["a=active"],
      dryRun: false,
    },
  ],
  [
    "configure-goal --goal-id g --write-scope src/** --replace-write-scope --clear-waiting-on",
    "configureGoal",
    { ...PLAIN_CONFIGURE, writeScope: { mode: "replace", items: ["src/**"] }, waitingOn: { kind: "clear" } },
  ],
  [
    "configure-goal --goal-id g --clear-write-scope",
    "configureGoal",
    { ...PLAIN_CONFIGURE, writeScope: { mode: "replace", items: [] } },
  ],
  [
    "agent add --goal-id g --agent-id a --agent-id b",
    "agentAdd",
    { goalId: "g", agentIds: ["a", "b"], requireNew: false, dryRun: false },
  ],
  [
    "register-agent --goal-id g --agent-id a --require-new",
    "agentAdd",
    { goalId: "g", agentIds: ["a"], requireNew: true, dryRun: true },
  ],
  [
    "register-agent --goal-id g --agent-id a --execute",
    "agentAdd",
    { goalId: "g", agentIds: ["a"], requireNew: false, dryRun: false },
  ],
  ["refresh --goal-id g", "refresh", PLAIN_REFRESH],
  [
    "refresh-state --goal-id g --agent-id a --agent-lane l --classification c --recommended-action r --next-action n --delivery-outcome outcome_progress --delivery-batch-scale test_only --todo-id t --turn-instance-id i --progress-scope agent_lane --state-file s --dry-run --no-global-sync --suppress-external-sinks --project p",
    "refresh",
    {
      goalId: "g",
      agentId: "a",
      agentLane: "l",
      classification: "c",
      recommendedAction: "r",
      nextAction: "n",
      deliveryOutcome: "outcome_progress",
      deliveryBatchScale: "test_only",
      todoId: "t",
      turnInstanceId: "i",
      progressScope: "agent_lane",
      stateFile: "s",
      dryRun: true,
    },
  ],
  ["refresh --all", "refreshAll", { dryRun: false }],
  [
    "status",
    "status",
    { goalId: null, agentId: null, limit: null, cursor: null, all: false, fields: [], cacheTtlSeconds: null, clearCache: false },
  ],
  [
    "status --goal-id g --agent-id a --limit 5 --cursor c --all --fields goal_id,todos --projection-cache-ttl-seconds 0 --clear-cache --scan-path x --scan-root y --use-projection-cache --write-projection-cache",
    "status",
    {
      goalId: "g",
      agentId: "a",
      limit: 5,
      cursor: "c",
      all: true,
      fields: ["goal_id", "todos"],
      cacheTtlSeconds: 0,
      clearCache: true,
    },
  ],
  ["history --goal-id g --limit 2 --cursor c", "history", { goalId: "g", limit: 2, cursor: "c", all: false }],
  ["history --all", "history", { goalId: null, limit: null, cursor: null, all: true }],
  [
    "drift --goal-id g --limit 2 --cursor c --fix --dry-run",
    "drift",
    { goalId: "g", limit: 2, cursor: "c", all: false, fix: true, dryRun: true },
  ],
  ["drift --all", "drift", { goalId: null, limit: null, cursor: null, all: true, fix: false, dryRun: false }],
  [
    "restore g --archive-path p --archive-root r --dry-run",
    "restore",
    { goalId: "g", archivePath: "p", archiveRoot: "r", dryRun: true },
  ],
  ["archives --goal-id g --limit 2", "archives", { goalId: "g", archiveRoot: null, limit: 2, cursor: null }],
  ["registry", "registry", undefined],
  ["rebuild --all", "rebuild", { goalId: null }],
  ["rebuild --goal-id g", "rebuild", { goalId: "g" }],
  ["doctor --fix --dry-run", "doctor", { fix: true, dryRun: true }],
  ["sim", "sim", { seed: 1, agents: 4, hours: 24, todos: 24 }],
  ["sim --seed 7 --agents 2 --hours 0.5 --todos 0", "sim", { seed: 7, agents: 2, hours: 0.5, todos: 0 }],
])("loopx %s asks for %s", async (line, use_case, request) => {
  expect(await called(line)).toEqual({ use_case, request });
});

test.each([
  ["archive", false],
  ["archive --execute", false],
  ["archive --execute=false", true],
  ["archive --execute false", true],
  ["archive --dry-run", true],
  ["archive --dry-run=false", false],
  ["runtime archive", false],
  ["runtime archive --execute false", true],
  ["archive-runtime", true],
  ["archive-runtime --execute", false],
  ["archive-runtime --execute=false", true],
  ["archive-runtime --dry-run", true],
])("seed.S07: loopx %s has dryRun %s", async (line, dryRun) => {
  expect(await called(`${line} --goal-id g --archive-root r --allow-registered`)).toEqual({
    use_case: "archive",
    request: { goalId: "g", archiveRoot: "r", allowRegistered: true, dryRun },
  });
});

test.each([
  "archive --goal-id g --dry-run --execute",
  "agent add --goal-id g --agent-id a --dry-run --execute",
  "quota set --compute 1",
  "quota set --root --goal-id g --compute 1",
  "quota set --goal-id g --compute 5",
  "quota set --goal-id g --compute nan",
  "quota set --goal-id g --allowed-slots 1.5",
  "configure-goal --goal-id g --dry-run --execute",
  "configure-goal --goal-id g --quota-compute -1",
  "goal-lifecycle --goal-id g",
  "goal-lifecycle --goal-id g --operation archive",
  "goal-lifecycle --goal-id g --operation stop --dry-run --execute",
  "configure-goal --goal-id g --replace-write-scope",
  "configure-goal --goal-id g --clear-write-scope --write-scope a",
  "configure-goal --goal-id g --waiting-on codex --clear-waiting-on",
  "refresh",
  "refresh --all --goal-id g",
  "refresh --all --next-action x",
  "refresh --goal-id g --watch",
  "rebuild",
  "rebuild --all --goal-id g",
])("loopx %s is refused with a way on, before anything is opened", async (line) => {
  const { exit, opened, out } = await runFake([...line.split(" "), "--json"]);
  expect([exit, opened]).toEqual([2, 0]);
  expect(JSON.parse(out).fix).toMatch(/^loopx /);
});

test("a world in which a law is broken ends with 1, and shows where and how to get there again", async () => {
  const failure = { step: 3, invariant: "I1", message: "two leases", last_commands: ["2 claim a1/x", "3 claim a2/x"] };
  const counts = {
    commands: 3,
    turns: 0,
    todos_done: 0,
    events: 2,
    failed_commits: 0,
    replays: 0,
    seconds: 1,
    commands_per_second: 3,
  };
  const world = { seed: 7, simulated_hours: 1, answers: {}, refusals: {}, fix: "loopx sim --seed 7", failure };
  const { exit, out } = await runFake(["sim", "--seed", "7"], { answer: () => done({ ok: false, ...counts, ...world }) });
  expect(exit).toBe(1);
  for (const expected of ["the law I1 was broken", "At step 3: two leases", "3 claim a2/x", "Again: `loopx sim --seed 7`"])
    expect(out).toContain(expected);
});

test("refresh --all --watch goes round", async () => {
  const { calls, slept } = await runFake(["refresh", "--all", "--watch", "1", "--json"], { rounds: 2 });
  expect(calls.map((call) => call.use_case)).toEqual(["refreshAll", "refreshAll"]);
  expect(slept).toEqual([1000, 1000]);
});
