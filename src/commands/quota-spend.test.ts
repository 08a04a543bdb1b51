import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { eventsOf } from "../../test/fakes/asks.ts";
import { CLAIM, declareQuota, deliver as deliverIn, HOUR_MS, SPEND } from "../../test/fakes/turns.ts";
import { makeWorld, REFRESH, type World } from "../../test/fakes/workspace.ts";
import { openStore } from "../adapters/sqlite/store.ts";
import { addMilliseconds } from "../core/instant.ts";
import { done } from "../core/result.ts";
import type { App, SpendSlotRequest } from "./app.ts";
import { openApp } from "./open-app.ts";
import { codeFrom, valueFrom } from "./workspace.sample.ts";

let world: World;
beforeEach(async () => {
  world = await makeWorld({ store: "sqlite" });
});
afterEach(() => world.close());

const declare = (quota: Readonly<Record<string, unknown>>): void => declareQuota(world, quota);
const deliver = (turn: string | null = null, agent = "builder"): Promise<void> => deliverIn(world, { turn, agent });
const spend = (asked: Partial<SpendSlotRequest> = {}, app: App = world.app): ReturnType<App["quotaSpendSlot"]> =>
  app.quotaSpendSlot({ ...SPEND, ...asked });

describe("quota spend-slot", () => {
  test("spends a written turn once and says what it was before and after", async () => {
    declare({ allowed_slots: 10 });
    await deliver("turn-1");
    const preview = await valueFrom(spend({ turnInstanceId: "turn-1", slots: 2, dryRun: true }));
    expect(preview).toMatchObject({ appended: false, dry_run: true, before: { spent_slots: 0 }, after: { spent_slots: 2 } });
    expect(await eventsOf(world)).not.toContainEqual(expect.objectContaining({ type: "turn.spent" }));
    const answer = await valueFrom(spend({ turnInstanceId: "turn-1", slots: 2 }));
    expect(answer).toMatchObject({
      appended: true,
      idempotent_replay: false,
      before: { spent_slots: 0, allowed_slots: 10, slots: { used: 0, percent: 0 } },
      after: { spent_slots: 2, state: "eligible", slots: { used: 2, reserved: 0, allowed: 10, percent: 20 } },
      settlement_result: { ok: true, failure: null },
    });
    const spent = (await eventsOf(world)).find(({ type }) => type === "turn.spent");
    expect(spent).toMatchObject({
      seq: answer.spent_seq,
      agent_id: "builder",
      data: { units: { slots: 2 }, source: "heartbeat" },
    });
  });

  test("S1 the same turn again adds nothing, and another amount under its id is refused", async () => {
    declare({ allowed_slots: 10 });
    await deliver("turn-1");
    const first = await valueFrom(spend({ turnInstanceId: "turn-1" }));
    const again = await valueFrom(spend({ turnInstanceId: "turn-1" }));
    expect(again).toMatchObject({
      appended: false,
      idempotent_replay: true,
      spent_seq: first.spent_seq,
      after: { spent_slots: 1 },
    });
    expect(await codeFrom(spend({ turnInstanceId: "turn-1", slots: 3 }))).toBe("idempotency_key_reuse");
  });

  test("without an accountable written turn nothing is spent", async () => {
    declare({ allowed_slots: 10 });
    expect(await codeFrom(spend())).toBe("spend_without_turn");
    await world.app.refresh({ ...REFRESH, agentId: "builder", deliveryOutcome: "surface_only" });
    expect(await codeFrom(spend())).toBe("spend_without_turn");
    await deliver("turn-1");
    expect(await codeFrom(spend({ agentId: "other" }))).toBe("spend_without_turn");
    expect(await codeFrom(spend({ turnInstanceId: "turn-2" }))).toBe("spend_without_turn");
    expect(await codeFrom(spend())).toBe("done");
    expect(await codeFrom(spend())).toBe("spend_without_turn");
  });

  test("a turn that was written about one todo is not spent about another", async () => {
    declare({ allowed_slots: 10 });
    await world.app.refresh({ ...REFRESH, agentId: "builder", todoId: "todo_ground", deliveryOutcome: "outcome_progress" });
    expect(await codeFrom(spend({ todoId: "todo_other" }))).toBe("spend_identity_conflict");
    expect(await valueFrom(spend())).toMatchObject({ appended: true, todo_id: "todo_ground" });
  });

  test("W1 what does not fit is refused with the moment from which it does", async () => {
    declare({ allowed_slots: 2 });
    await deliver();
    await valueFrom(spend({ slots: 1 }));
    const opens = addMilliseconds(world.now(), 24 * HOUR_MS);
    world.advance(HOUR_MS);
    await deliver();
    expect(await spend({ slots: 2 })).toMatchObject({
      kind: "refusal",
      code: "over_quota",
      details: { unit: "slots", allowed: 2, spent: 1, reserved: 0, wanted: 2, next_eligible_at: opens },
    });
    expect(await spend({ slots: 3 })).toMatchObject({ code: "over_quota", details: { next_eligible_at: null } });
    world.advance(23 * HOUR_MS - 1);
    expect(await codeFrom(spend({ slots: 2 }))).toBe("over_quota");
    world.advance(1);
    expect(await codeFrom(spend({ slots: 2 }))).toBe("done");
  });

  test("W2 what the lease set aside counts once", async () => {
    declare({ allowed_slots: 1 });
    expect(await valueFrom(world.app.claim({ ...CLAIM, todoId: "todo_ground" }))).toMatchObject({ claimed: true });
    await world.app.refresh({ ...REFRESH, agentId: "builder", todoId: "todo_ground", deliveryOutcome: "outcome_progress" });
    expect(await valueFrom(spend())).toMatchObject({
      before: { slots: { used: 0, reserved: 1 } },
      after: { slots: { used: 1, reserved: 0 }, state: "throttled" },
    });
    const { head } = await world.store.load({ goal_id: "alpha" as never, todos: "none", base: "none" });
    expect(head?.leases["todo_ground"]?.reserved.slots).toBe(0);
  });

  test("settings that cannot be understood spend nothing", async () => {
    await deliver();
    declare({ allowed_slots: "many" });
    expect(await codeFrom(spend())).toBe("quota_invalid");
  });

  test("two processes, one slot: exactly one spends", async () => {
    declare({ allowed_slots: 1 });
    const { workspace } = world;
    for (let round = 0; round < 10; round += 1) {
      await deliver(null, "a1");
      await deliver(null, "a2");
      const store = await openStore({ runtime_root: workspace.roots.runtime_root });
      const other = { ...workspace, store, writing: async () => other, moving: async () => other } as typeof workspace;
      const app = openApp({
        workspace: async () => done(other),
        ground: () => Promise.reject(new Error("none")),
        submitting: () => Promise.reject(new Error("none")),
        team: () => Promise.reject(new Error("none")),
        simulation: () => Promise.reject(new Error("none")),
      });
      const codes = await Promise.all([codeFrom(spend({ agentId: "a1" })), codeFrom(spend({ agentId: "a2" }, app))]);
      expect(codes.sort()).toEqual(["done", "over_quota"]);
      await store.close();
      world.advance(25 * HOUR_MS);
    }
  });
});

describe("quota void-slot", () => {
  const VOID = { goalId: "alpha", voidSeq: null, voidGeneratedAt: null, reason: "twice", dryRun: false };

  test("V1 takes a spend back once, by its number or its time", async () => {
    declare({ allowed_slots: 1 });
    await deliver();
    const { spent_seq } = await valueFrom(spend());
    const at = `${world.now().slice(0, 19)}+00:00`;
    expect(await valueFrom(world.app.quotaVoidSlot({ ...VOID, voidSeq: spent_seq, dryRun: true }))).toMatchObject({
      appended: false,
    });
    expect(await valueFrom(world.app.quotaVoidSlot({ ...VOID, voidGeneratedAt: at }))).toMatchObject({
      appended: true,
      voided_seq: spent_seq,
      before: { spent_slots: 1 },
      after: { spent_slots: 0, state: "eligible" },
    });
    const again = await valueFrom(world.app.quotaVoidSlot({ ...VOID, voidSeq: spent_seq, reason: "other words" }));
    expect(again).toMatchObject({ appended: false, after: { spent_slots: 0 } });
    expect((await eventsOf(world)).filter(({ type }) => type === "turn.voided")).toHaveLength(1);
  });

  test("names one spend that is there", async () => {
    await deliver();
    expect(await codeFrom(world.app.quotaVoidSlot({ ...VOID, voidSeq: 1 }))).toBe("unknown_spend");
    expect(await codeFrom(world.app.quotaVoidSlot({ ...VOID, voidGeneratedAt: "2020-01-01" }))).toBe("unknown_spend");
    expect(await codeFrom(world.app.quotaVoidSlot({ ...VOID, voidGeneratedAt: "soon" }))).toBe("time_invalid");
    expect(await codeFrom(world.app.quotaVoidSlot(VOID))).toBe("option_conflict");
    expect(await codeFrom(world.app.quotaVoidSlot({ ...VOID, voidSeq: 1, reason: " " }))).toBe("reason_empty");
  });

  test("two spends of one second are told apart by their numbers", async () => {
    declare({ allowed_slots: 5 });
    await deliver();
    await valueFrom(spend());
    await deliver();
    await valueFrom(spend());
    expect(await world.app.quotaVoidSlot({ ...VOID, voidGeneratedAt: world.now() })).toMatchObject({
      code: "spend_ambiguous",
      near: [expect.any(String), expect.any(String)],
    });
  });
});
