/**
 * Whatever a kill interrupts: everything that was acknowledged is there, nothing is there twice, nothing blocks, and the same
 * command again finishes what was begun.
 */
import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { facts, nothingStrangeIn, prepared, rowsOf, runsIn, seen, withoutTime } from "./look.ts";
import { answer, type Json, loopx, type Project, STATE } from "./program.ts";
import { type Hit, type Sweep, sweep } from "./sweep.ts";

const QUICK_MS = 20_000;

/** Status works at once, on whatever stands there. */
async function statusAfter({ of }: Hit): Promise<Json> {
  const status = await loopx(of, "status");
  expect([status.exit, status.stderr]).toEqual([0, ""]);
  expect(status.milliseconds).toBeLessThan(QUICK_MS);
  return JSON.parse(status.stdout);
}

async function again(of: Project, args: readonly string[]): Promise<Json> {
  const run = await loopx(of, ...args);
  expect([run.exit, run.stderr]).toEqual([0, ""]);
  expect(run.milliseconds).toBeLessThan(QUICK_MS);
  return JSON.parse(run.stdout);
}

async function sweeps(plan: Omit<Sweep, "blow">): Promise<void> {
  const { points, vanished, failures } = await sweep({ ...plan, blow: "kill" });
  expect(failures.slice(0, 20)).toEqual([]);
  expect(points).toBeGreaterThan(20);
  expect(vanished).toBeLessThan(points / 20);
}

const REFRESH = ["refresh", "--goal-id", "alpha", "--classification", "progress", "--turn-instance-id", "turn-1"];

/** A run with a turn id: the second time finishes the first. */
async function checkRun(
  after: Hit,
  { args, before }: { readonly args: readonly string[]; readonly before: number },
): Promise<void> {
  const { of, run } = after;
  const status = await statusAfter(after);
  const events = await facts(of);
  expect(runsIn(events) - before).toBeGreaterThanOrEqual(run.stdout === "" ? 0 : 1);
  expect(runsIn(events) - before).toBeLessThanOrEqual(1);
  expect(status.goals).toMatchObject([{ goal_id: "alpha", run_count: runsIn(events) }]);
  await again(of, args);
  expect(runsIn(await facts(of))).toBe(before + 1);
  const history = await answer(of, "history", "--goal-id", "alpha");
  expect(history.runs).toHaveLength(before + 1);
  expect(new Set(rowsOf(of)).size).toBe(rowsOf(of).length);
  nothingStrangeIn(of);
}

describe("killed at every call", () => {
  test("a first refresh, which makes the store", () =>
    sweeps({ setUp: prepared, args: REFRESH, check: (after) => checkRun(after, { args: REFRESH, before: 0 }) }));

  test("a refresh", () =>
    sweeps({ setUp: seen, args: REFRESH, check: (after) => checkRun(after, { args: REFRESH, before: 1 }) }));

  test("a refresh that writes Next Action: the file is whole, old or new, and says it once in the end", () => {
    const args = [...REFRESH, "--next-action", "Go on."];
    return sweeps({
      setUp: seen,
      args,
      check: async (after) => {
        const said = withoutTime(readFileSync(after.of.stateFile(), "utf8"));
        expect([withoutTime(STATE), withoutTime(STATE.replace("Begin.", "Go on."))]).toContain(said);
        await checkRun(after, { args, before: 1 });
        // The turn may have been recorded before: what is due is shown by any command that writes.
        await again(after.of, ["refresh", "--all"]);
        expect(withoutTime(readFileSync(after.of.stateFile(), "utf8"))).toBe(withoutTime(STATE.replace("Begin.", "Go on.")));
        expect((await facts(after.of)).filter((event) => event.type === "plan.next_action_set")).toHaveLength(2);
        nothingStrangeIn(after.of);
      },
    });
  });

  test("taking in what a person changed", () =>
    sweeps({
      setUp: async (of) => {
        await seen(of);
        writeFileSync(of.stateFile(), STATE.replace("- [ ] Write", "- [x] Write").replace("Begin.", "Theirs."));
        appendFileSync(of.stateFile(), "- [ ] One more thing\n");
      },
      args: ["refresh", "--all"],
      check: async (after) => {
        const { of } = after;
        const text = readFileSync(of.stateFile(), "utf8");
        expect(await statusAfter(after)).toMatchObject({ goals: [{ next_action: "Theirs.", todos: { open: 2, done: 1 } }] });
        await again(of, ["refresh", "--all"]);
        const types = (await facts(of)).map((event) => event.type);
        expect(types.slice(5)).toEqual(["todo.changed", "todo.added", "plan.next_action_set"]);
        expect(readFileSync(of.stateFile(), "utf8")).toBe(text);
        nothingStrangeIn(of);
      },
    }));

  test("init: all or nothing, and the second time finishes it", () => {
    const args = ["init", "--goal-id", "alpha", "--objective", "Ship it"];
    return sweeps({
      setUp: async (of) => {
        writeFileSync(join(of.folder, ".gitignore"), "dist\n");
      },
      args,
      check: async ({ of }) => {
        const status = await loopx(of, "status");
        expect([0, 3]).toContain(status.exit);
        await again(of, args);
        expect(await answer(of, "status")).toMatchObject({ goal_count: 1, goals: [{ goal_id: "alpha", activation: "active" }] });
        expect(await answer(of, "registry")).toMatchObject({ ok: true });
        expect((await facts(of)).filter((event) => event.type === "goal.opened")).toHaveLength(1);
        const ignored = readFileSync(join(of.folder, ".gitignore"), "utf8").split("\n");
        expect(ignored).toEqual(["dist", "/.loopx/runtime/", ""]);
        nothingStrangeIn(of);
      },
    });
  });

  test("goal add", () => {
    const args = ["goal", "add", "--goal-id", "beta", "--objective", "Ship it too"];
    return sweeps({
      setUp: seen,
      args,
      check: async (after) => {
        const { of, run } = after;
        const status = await statusAfter(after);
        expect(status.goals[0]).toMatchObject({ goal_id: "alpha", run_count: 1, problems: [] });
        if (run.stdout !== "") expect(status.goal_count).toBe(2);
        await again(of, args);
        expect(await answer(of, "status")).toMatchObject({
          goal_count: 2,
          goals: [{ goal_id: "alpha" }, { goal_id: "beta", problems: [] }],
        });
        await answer(of, "refresh", "--all");
        expect((await facts(of)).filter((event) => event.type === "goal.opened")).toHaveLength(2);
        nothingStrangeIn(of);
      },
    });
  });

  test("goal stop", () => {
    const args = ["goal", "stop", "--goal-id", "alpha", "--reason", "rest"];
    return sweeps({
      setUp: seen,
      args,
      check: async (after) => {
        const { of, run } = after;
        const status = await statusAfter(after);
        expect(status.goals).toMatchObject([{ goal_id: "alpha", run_count: 1, problems: [] }]);
        if (run.stdout !== "") expect(status.goals[0].activation).toBe("stopped");
        await again(of, args);
        expect(await answer(of, "status")).toMatchObject({ goals: [{ activation: "stopped", activation_reason: "rest" }] });
        expect((await facts(of)).filter((event) => event.type === "goal.stopped")).toHaveLength(1);
        nothingStrangeIn(of);
      },
    });
  });
});
