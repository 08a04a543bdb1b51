import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { eventsOf, type Json } from "../../test/fakes/asks.ts";
import { CLAIM, DONE, declareQuota, deliver as deliverIn, HOUR_MS, NEXT, SPEND } from "../../test/fakes/turns.ts";
import { makeWorld, type World } from "../../test/fakes/workspace.ts";
import { addMilliseconds } from "../core/instant.ts";
import type { App, SpendSlotRequest } from "./app.ts";
import { valueFrom } from "./workspace.sample.ts";

let world: World;
beforeEach(async () => {
  world = await makeWorld({ store: "sqlite" });
});
afterEach(() => world.close());

const declare = (quota: Readonly<Record<string, unknown>>): void => declareQuota(world, quota);
const deliver = (turn: string | null = null, agent = "builder"): Promise<void> => deliverIn(world, { turn, agent });
const spend = (asked: Partial<SpendSlotRequest> = {}, app: App = world.app): ReturnType<App["quotaSpendSlot"]> =>
  app.quotaSpendSlot({ ...SPEND, ...asked });

async function gates(): Promise<readonly Json[]> {
  const { goal } = (await valueFrom(world.app.goalShow({ goalId: "alpha" }))) as Json;
  return goal.todos.next_for_person.filter((todo: Json) => todo.task_class === "user_gate");
}

describe("at a cap the goal pauses and asks", () => {
  test("W3 the spend that uses the window up leaves one question, which runs out when the window opens", async () => {
    declare({ allowed_slots: 2 });
    await deliver();
    expect(await valueFrom(spend())).toMatchObject({ quota_gate: null });
    await deliver();
    const opens = addMilliseconds(world.now(), 24 * HOUR_MS);
    const { quota_gate } = await valueFrom(spend());
    const { todos } = await world.store.load({ goal_id: "alpha" as never, todos: "all", base: "none" });
    const gate = todos.get(quota_gate as never);
    expect(gate).toMatchObject({
      role: "user",
      task_class: "user_gate",
      status: "open",
      metadata: {
        action_kind: "quota_reached",
        decision_scope: "resource:goal:quota",
        default_outcome: "approve",
        expires_at: opens,
      },
    });
    expect(gate?.text).toContain("2 of 2 slots in 24 hours");
    expect(gate?.text).toContain(opens);
    expect(world.text()).toContain(`todo_id=${quota_gate}`);
  });

  test("next waits, tells it, and goes on by itself", async () => {
    declare({ allowed_slots: 1 });
    await deliver();
    const { quota_gate } = await valueFrom(spend());
    const opens = addMilliseconds(world.now(), 24 * HOUR_MS);
    expect(await valueFrom(world.app.next(NEXT))).toMatchObject({
      act: "wait",
      why: "throttled",
      quota: { next_eligible_at: opens },
      tell: { todo_ids: [quota_gate, expect.any(String)] },
    });
    world.advance(24 * HOUR_MS);
    expect(await valueFrom(world.app.next(NEXT))).toMatchObject({
      act: "run",
      todo: { todo_id: "todo_ground" },
      tell: { todo_ids: [expect.not.stringContaining(quota_gate ?? "")] },
    });
  });

  test("a raised cap goes on at once: the question holds up nothing", async () => {
    declare({ allowed_slots: 1 });
    await deliver();
    await valueFrom(spend());
    declare({ allowed_slots: 5 });
    expect(await valueFrom(world.app.next(NEXT))).toMatchObject({ act: "run", todo: { todo_id: "todo_ground" } });
  });

  test("the next window asks anew, and the question before it counts as answered", async () => {
    declare({ allowed_slots: 1 });
    await deliver();
    const first = (await valueFrom(spend())).quota_gate;
    world.advance(25 * HOUR_MS);
    await deliver();
    const second = (await valueFrom(spend())).quota_gate;
    expect(second).not.toBe(first);
    expect((await gates()).map(({ todo_id }) => todo_id)).toEqual([second]);
    const decided = (await eventsOf(world)).filter(({ type }) => type === "gate.decided");
    expect(decided).toMatchObject([{ data: { todo_id: first, outcome: "approve", by: "default" } }]);
  });

  test("D4 done asks too, and tells what was used beyond the room", async () => {
    declare({ allowed_slots: 3 });
    await valueFrom(world.app.claim({ ...CLAIM, todoId: "todo_ground" }));
    const answer = await valueFrom(world.app.done({ ...DONE, slots: 5 }));
    expect(answer).toMatchObject({ changed: true, spent: { slots: 3 }, over: { slots: 2, tokens: 0, wall_ms: 0 } });
    expect((await gates()).map(({ todo_id }) => todo_id)).toEqual([answer.quota_gate]);
    const spent = (await eventsOf(world)).find(({ type }) => type === "turn.spent");
    expect(spent).toMatchObject({ data: { units: { slots: 3 }, over: { slots: 2 } } });
  });
});

test("goal show says what was used, what is set aside, and how near the limits are", async () => {
  declareQuota(world, { allowed_slots: 4, tokens: 100, limits: { max_open_todos: 4, max_running_tasks: 0 } });
  await deliver();
  await valueFrom(spend({ tokens: 50 }));
  await valueFrom(world.app.claim({ ...CLAIM, todoId: "todo_ground" }));
  const { goal } = await valueFrom(world.app.goalShow({ goalId: "alpha" }));
  expect(goal.quota).toMatchObject({
    state: "eligible",
    slots: { used: 1, reserved: 1, allowed: 4, percent: 50 },
    tokens: { used: 50, reserved: 1, allowed: 100, percent: 51 },
    wall_ms: { used: 0, reserved: 0, allowed: null, percent: null },
    next_eligible_at: null,
  });
  expect(goal.limits).toMatchObject({
    open_todos: { used: 3, limit: 4, percent: 75 },
    running_tasks: { used: 1, limit: 0, percent: null },
  });
  declareQuota(world, { allowed_slots: "x" });
  expect((await valueFrom(world.app.goalShow({ goalId: "alpha" }))).goal).toMatchObject({ quota: null, limits: null });
});
