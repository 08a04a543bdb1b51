import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { HOUR_MS, NEXT } from "../../test/fakes/turns.ts";
import { makeWorld, type World } from "../../test/fakes/workspace.ts";
import { addMilliseconds } from "../core/instant.ts";
import { codeFrom, valueFrom } from "./workspace.sample.ts";

let world: World;
beforeEach(async () => {
  world = await makeWorld({ store: "sqlite" });
});
afterEach(() => world.close());

describe("quota hold and resume", () => {
  const HOLD = { goalId: "alpha", agentId: "builder", until: null, minutes: null, reason: "429", dryRun: false };
  const RESUME = { goalId: "alpha", agentId: "builder", reason: null, dryRun: false };

  test("next waits until then, unless a person ends it; other agents go on", async () => {
    const until = addMilliseconds(world.now(), 2 * HOUR_MS);
    expect(await valueFrom(world.app.quotaHold({ ...HOLD, until }))).toMatchObject({ appended: true, until });
    expect(await valueFrom(world.app.next(NEXT))).toMatchObject({ act: "wait", why: "rate_limited", because: "429" });
    expect(await valueFrom(world.app.next({ ...NEXT, agentId: "other" }))).not.toMatchObject({ why: "rate_limited" });
    expect(await valueFrom(world.app.quotaResume(RESUME))).toMatchObject({ appended: true, until: null });
    expect(await valueFrom(world.app.next(NEXT))).toMatchObject({ act: "run" });
    expect(await valueFrom(world.app.quotaResume(RESUME))).toMatchObject({ appended: false });
  });

  test("it ends at its time", async () => {
    await valueFrom(world.app.quotaHold({ ...HOLD, minutes: 30 }));
    world.advance(30 * 60_000 - 1);
    expect(await valueFrom(world.app.next(NEXT))).toMatchObject({ why: "rate_limited" });
    world.advance(1);
    expect(await valueFrom(world.app.next(NEXT))).toMatchObject({ act: "run" });
  });

  test.each([
    [{}, "option_conflict"],
    [{ minutes: 1, until: "2026-01-01" }, "option_conflict"],
    [{ until: "later" }, "time_invalid"],
    [{ until: "2020-01-01" }, "time_out_of_range"],
    [{ until: "2999-01-01" }, "time_out_of_range"],
  ])("%j is %s", async (asked, code) => {
    expect(await codeFrom(world.app.quotaHold({ ...HOLD, ...asked }))).toBe(code);
  });
});
