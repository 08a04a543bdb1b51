import { expect, test } from "vitest";
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
  ["goal resume --goal-id g", "goalResume", { goalId: "g", dryRun: false }],
  ["goal remove g --dry-run", "goalRemove", { goalId: "g", dryRun: true }],
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

test("refresh --all --watch goes round", async () => {
  const { calls, slept } = await runFake(["refresh", "--all", "--watch", "1", "--json"], { rounds: 2 });
  expect(calls.map((call) => call.use_case)).toEqual(["refreshAll", "refreshAll"]);
  expect(slept).toEqual([1000, 1000]);
});
