import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { eventsOf } from "../../test/fakes/asks.ts";
import { CLAIM, NEXT } from "../../test/fakes/turns.ts";
import { makeWorld, STATE, type World } from "../../test/fakes/workspace.ts";
import type { VerifyRequest } from "./app.ts";
import { codeFrom, valueFrom } from "./workspace.sample.ts";

/** Passes when the file `good` is there. */
const CHECK = JSON.stringify([
  { argv: [process.execPath, "-e", "process.exit(require('fs').existsSync('good') ? 0 : 7)"], label: "good" },
  { argv: [process.execPath, "-e", "console.log('looked')"], label: "looks" },
]);

let world: World;
beforeEach(async () => {
  const checked = `own_key=kept validation_checks=${encodeURIComponent(CHECK)}`;
  world = await makeWorld({ state: STATE.replace("own_key=kept", checked) });
});
afterEach(() => world.close());

const VERIFY: VerifyRequest = {
  goalId: "alpha",
  agentId: "builder",
  todoId: "todo_ground",
  turnInstanceId: null,
  leaseEpoch: null,
  noCache: false,
  dryRun: false,
};

const verify = (asked: Partial<VerifyRequest> = {}): ReturnType<World["app"]["verify"]> =>
  world.app.verify({ ...VERIFY, ...asked });
const good = (): void => writeFileSync(join(world.project, "good"), "");

test("V1 what failed is recorded, and answered as a no", async () => {
  const answer = await valueFrom(verify());
  expect(answer).toMatchObject({
    ok: false,
    code: "checks_failed",
    verified: false,
    turn_written: false,
    checks: [
      { label: "good", outcome: "failed", exit_code: 7, fresh: false, seq: expect.any(Number) },
      { label: "looks", outcome: "passed", exit_code: 0, fresh: true },
    ],
  });
  const recorded = (await eventsOf(world)).filter(({ type }) => type === "evidence.recorded");
  expect(recorded.map(({ seq }) => seq)).toEqual(answer.checks.map(({ seq }) => seq));
  expect(recorded[0]).toMatchObject({
    agent_id: "builder",
    data: { todo_id: "todo_ground", outcome: "failed", exit_code: 7, tree_hash: answer.tree_hash },
  });
});

test("what passes is fresh on the tree that stands, and the todo stays open", async () => {
  good();
  expect(await valueFrom(verify({ agentId: null }))).toMatchObject({ ok: true, code: null, verified: true });
  const { todos } = await world.store.load({ goal_id: "alpha" as never, todos: "all", base: "none" });
  expect(todos.get("todo_ground" as never)?.status).toBe("open");
});

test("a rehearsal runs the checks and records nothing", async () => {
  expect(await valueFrom(verify({ dryRun: true }))).toMatchObject({
    ok: false,
    dry_run: true,
    checks: [{ seq: null }, { seq: null }],
  });
  expect(await eventsOf(world)).toEqual([]);
});

test("a todo without checks is verified by nothing", async () => {
  await valueFrom(verify());
  const { todos } = await world.store.load({ goal_id: "alpha" as never, todos: "all", base: "none" });
  const plain = [...todos.values()].find(({ text }) => text === "Write it down");
  expect(await valueFrom(verify({ todoId: plain?.todo_id ?? "" }))).toMatchObject({ ok: true, verified: false, checks: [] });
});

test("V2 the same failure in two turns of an agent stalls the todo", async () => {
  expect(await valueFrom(verify({ turnInstanceId: "turn-1" }))).toMatchObject({ turn_written: true });
  expect(await valueFrom(world.app.next(NEXT))).toMatchObject({ act: "run" });
  await valueFrom(verify({ turnInstanceId: "turn-2" }));
  expect(await valueFrom(world.app.next(NEXT))).toMatchObject({ act: "replan", why: "stalled" });
  const turns = (await eventsOf(world)).filter(({ type }) => type === "turn.written");
  expect(turns).toMatchObject([
    { turn_id: "turn-1", data: { outcome: "failed", todo_id: "todo_ground" } },
    { turn_id: "turn-2" },
  ]);
});

test("V2 what passes in a turn writes no turn: it goes on", async () => {
  good();
  expect(await valueFrom(verify({ turnInstanceId: "turn-1" }))).toMatchObject({ ok: true, turn_written: false });
});

test("V3 a number that is over is refused, and nothing recorded; without one anybody may verify", async () => {
  const { lease } = await valueFrom(world.app.claim({ ...CLAIM, todoId: "todo_ground" }));
  const before = (await eventsOf(world)).length;
  expect(await verify({ leaseEpoch: (lease?.epoch ?? 0) + 1 })).toMatchObject({
    code: "stale_epoch",
    details: { holder: "builder" },
  });
  expect(await codeFrom(verify({ agentId: "other", turnInstanceId: "turn-1" }))).toBe("todo_lease_conflict");
  expect((await eventsOf(world)).length).toBe(before);
  expect(await codeFrom(verify({ agentId: "other" }))).toBe("done");
  expect(await codeFrom(verify({ leaseEpoch: lease?.epoch ?? 0 }))).toBe("done");
});

test("without a goal it is the only one there is; without a todo the one in hand", async () => {
  await valueFrom(world.app.claim({ ...CLAIM, todoId: "todo_ground" }));
  expect(await valueFrom(verify({ goalId: null, todoId: null }))).toMatchObject({ goal_id: "alpha", todo_id: "todo_ground" });
});

test.each([
  [{ todoId: "todo_none" }, "unknown_todo"],
  [{ todoId: "no todo" }, "todo_id_invalid"],
  [{ turnInstanceId: "no turn!" }, "turn_id_invalid"],
  [{ goalId: "beta" }, "unknown_goal"],
])("%j is %s", async (asked, code) => {
  expect(await codeFrom(verify(asked))).toBe(code);
  expect(existsSync(join(world.project, ".loopx/runtime/goals/alpha/evidence"))).toBe(false);
});
