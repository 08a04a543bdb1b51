import { describe, expect, it } from "vitest";
import { goalId } from "../core/show/view.sample.ts";
import { Fault } from "../errors.ts";
import type { FedEvent } from "../ports/store.ts";
import { inTurn } from "./in-turn.ts";
import { sampleWorld } from "./live.sample.ts";
import { startLive } from "./live.ts";
import { sweepOf } from "./live-sweep.ts";
import { handScheduler } from "./scheduler.sample.ts";

const away = new Fault({ code: "store_busy", message: "the store is busy" });

async function started(ids?: readonly string[]) {
  const scheduler = handScheduler();
  const world = sampleWorld(scheduler, ids);
  const live = await startLive(world.sources);
  return { scheduler, world, live };
}

function titleIn(picture: { readonly status: unknown }): string {
  return JSON.stringify(picture.status);
}

describe("live", () => {
  it("reconciles every goal once at the start, telling how far it is, and then only what changed", async () => {
    const scheduler = handScheduler();
    const ids = Array.from({ length: 20 }, (_, at) => `g${at}`);
    const world = sampleWorld(scheduler, ids);
    const told: (readonly [number, number | null])[] = [];
    const progress = { report: (done: number, total: number | null) => void told.push([done, total]) };
    await startLive({ ...world.sources, progress });
    expect(world.reconciled).toEqual(ids);
    expect(told.at(-1)).toEqual([20, 20]);

    world.prints.set("/g7.md", "changed");
    await scheduler.advance(4999);
    expect(world.reconciled).toHaveLength(20);
    await scheduler.advance(1);
    expect(world.reconciled.slice(20)).toEqual(["g7"]);
    await scheduler.advance(20_000);
    expect(world.reconciled).toHaveLength(21);
  });

  it("L1: shows a commit of another process at once, without waiting for a poll", async () => {
    const { world, live } = await started();
    const before = await live.current();
    world.commit("alpha");
    world.title = "second";
    const after = await live.current();
    expect(titleIn(after)).toContain("second");
    expect(after.version).toBeGreaterThan(before.version);
  });

  it("L1: an answer that was begun before a commit is not given to who asked after it", async () => {
    const { world, live } = await started();
    await live.current();
    let release = (): void => undefined;
    const plain = world.status;
    world.status = async () => {
      const reply = await plain();
      await new Promise<void>((resolve) => {
        release = resolve;
      });
      return reply;
    };
    world.commit("alpha");
    const first = live.current();
    await Promise.resolve().then(() => new Promise((resolve) => setImmediate(resolve)));
    world.status = plain;
    world.title = "second";
    world.commit("alpha");
    const second = live.current();
    await new Promise((resolve) => setImmediate(resolve));
    release();
    expect(titleIn(await first)).toContain("first");
    expect(titleIn(await second)).toContain("second");
  });

  it("L1, L4: builds nothing again while nothing changed", async () => {
    const { world, live } = await started();
    const first = await live.current();
    const { status } = world.counts;
    expect(await live.current()).toBe(first);
    expect(world.counts.status).toBe(status);
  });

  it("L1: throws while the store does not answer, and is well again afterwards", async () => {
    const { world, live, scheduler } = await started();
    await live.current();
    world.trouble = away;
    await expect(live.current()).rejects.toBe(away);
    expect(live.health()).toMatchObject({ ok: false, error: { code: "store_busy" } });
    world.trouble = null;
    await scheduler.advance(250);
    expect(live.health()).toMatchObject({ ok: true, error: null });
  });

  it("is not healthy when the last look hangs", async () => {
    const { world, live, scheduler } = await started();
    const { store } = world.sources;
    Object.assign(store, { changeCounter: () => new Promise(() => undefined) });
    await scheduler.advance(12_000);
    expect(live.health()).toMatchObject({ ok: false, error: null });
    expect(live.health().last_look_ms_ago).toBeGreaterThan(10_000);
  });

  it("L3: tells every event once and in order, within a poll", async () => {
    const { world, live, scheduler } = await started();
    world.commit("alpha");
    await scheduler.advance(250);
    const heard: FedEvent[] = [];
    const release = live.onEvents((events) => heard.push(...events));
    const sent = Array.from({ length: 1200 }, () => world.commit("beta"));
    await scheduler.advance(15);
    expect(heard.map(({ pos }) => pos)).toEqual(sent.map(({ pos }) => pos));
    await scheduler.advance(1000);
    expect(heard).toHaveLength(1200);
    expect(live.position()).toBe("1201");
    release();
    world.commit("beta");
    await scheduler.advance(1000);
    expect(heard).toHaveLength(1200);
  });

  it("L6: shows and tells at once what this process committed", async () => {
    const { world, live } = await started();
    const heard: FedEvent[] = [];
    live.onEvents((events) => heard.push(...events));
    const before = await live.current();
    world.title = "second";
    world.commitOwn("alpha");
    await live.wrote("alpha");
    expect(heard.map(({ event }) => event.goal_id)).toEqual(["alpha"]);
    const after = await live.current();
    expect(titleIn(after)).toContain("second");
    expect(after.version).toBeGreaterThan(before.version);
  });

  it("L6: shows a commit of its own that falls into a look that had begun before", async () => {
    const { world, live } = await started();
    const heard: FedEvent[] = [];
    live.onEvents((events) => heard.push(...events));
    const { store } = world.sources;
    const { feed } = store;
    let release = (): void => undefined;
    const hold = new Promise<void>((resolve) => {
      release = resolve;
    });
    Object.assign(store, {
      feed: async (after: string | null, limit: number) => {
        const events = await feed(after, limit);
        await hold;
        return events;
      },
    });
    world.commit("beta");
    const looking = live.look();
    await new Promise((resolve) => setImmediate(resolve));
    world.commitOwn("alpha");
    const wrote = live.wrote("alpha");
    release();
    await Promise.all([looking, wrote]);
    expect(heard.map(({ event }) => event.goal_id)).toEqual(["beta", "alpha"]);
  });

  it("L6: shows a goal that this process added, and survives a store that does not answer", async () => {
    const { world, live } = await started();
    world.declare(["alpha", "beta", "gamma"]);
    await live.wrote("gamma");
    expect(titleIn(await live.current())).toContain("gamma");
    world.commitOwn("gamma");
    world.title = "second";
    world.trouble = away;
    await live.wrote("gamma");
    world.trouble = null;
    expect(titleIn(await live.current())).toContain("second");
  });

  it("tells what its own reconciliation committed", async () => {
    const { world, live, scheduler } = await started();
    const heard: FedEvent[] = [];
    live.onEvents((events) => heard.push(...events));
    world.reconcile = async (goalIds) => {
      for (const id of goalIds) world.commitOwn(id);
    };
    world.prints.set("/beta.md", "changed");
    await scheduler.advance(5000);
    expect(heard.map(({ event }) => event.goal_id)).toEqual(["beta"]);
  });

  it("L5: sees an edit of a goal on the page when the page is asked for again", async () => {
    const { world, live, scheduler } = await started();
    await live.current();
    world.prints.set("/alpha.md", "edited");
    await scheduler.advance(250);
    await live.current();
    expect(world.reconciled.slice(2)).toEqual(["alpha"]);
  });

  it("L5: sees a goal that was added to the registry", async () => {
    const { world, live, scheduler } = await started();
    await live.current();
    world.declare(["alpha", "beta", "gamma"]);
    await scheduler.advance(250);
    expect(titleIn(await live.current())).toContain("gamma");
    expect(world.reconciled.slice(2)).toEqual(["gamma"]);
  });

  it("sees an edit of the one goal that is asked for at once", async () => {
    const { world, live } = await started();
    const before = await live.version("alpha");
    expect(await live.version("alpha")).toBe(before);
    world.prints.set("/alpha.md", "edited");
    expect(await live.version("alpha")).toBeGreaterThan(before);
    expect(world.reconciled.slice(2)).toEqual(["alpha"]);
    expect(await live.version("nobody")).toBe(await live.version(null));
  });

  it("keeps goals whose picture moves with the clock", async () => {
    const { world, scheduler } = await started();
    world.due.push(goalId("beta"));
    await scheduler.advance(5000);
    expect(world.reconciled.slice(2)).toEqual(["beta"]);
  });

  it("W3: tries a goal again whose reconciliation failed, and says so until then", async () => {
    const { world, live, scheduler } = await started();
    const plain = world.reconcile;
    world.reconcile = async () => {
      throw away;
    };
    world.prints.set("/beta.md", "changed");
    await scheduler.advance(5000);
    expect(live.health()).toMatchObject({ ok: false, error: { code: "store_busy" } });
    world.reconcile = plain;
    await scheduler.advance(5000);
    expect(world.reconciled.slice(2)).toEqual(["beta"]);
    expect(live.health().ok).toBe(true);
  });

  it("L7: does nothing after it was stopped", async () => {
    const { world, live, scheduler } = await started();
    live.onEvents(() => expect.unreachable());
    await live.stop();
    expect(scheduler.pending()).toBe(0);
    const { look } = world.counts;
    world.commit("alpha");
    await scheduler.advance(60_000);
    expect(world.counts.look).toBe(look);
  });
});

describe("the sweep", () => {
  it("W1: gives way every few milliseconds at ten thousand goals", async () => {
    let now = 0;
    let breaths = 0;
    let longest = 0;
    let since = 0;
    const scheduler = handScheduler();
    const world = sampleWorld(scheduler);
    const sweep = sweepOf({
      ...world.sources,
      files: {
        isSettled: () => true,
        fingerprint: () => {
          now += 0.01;
          longest = Math.max(longest, now - since);
          return "same";
        },
      },
      scheduler: {
        ...scheduler,
        elapsed: () => now,
        breathe: async () => {
          breaths += 1;
          since = now;
        },
      },
    });
    const goals = Array.from({ length: 10_000 }, (_, at) => ({
      goal_id: goalId(`g${at}`),
      declaration: "",
      paths: ["/a", "/b"],
    }));
    expect(await sweep.changed(goals)).toHaveLength(10_000);
    since = now;
    expect(await sweep.changed(goals)).toEqual([]);
    expect(breaths).toBeGreaterThan(50);
    expect(longest).toBeLessThan(5);
  });

  it("W2: a file that was changed a moment ago counts as changed until it is settled", async () => {
    const world = sampleWorld(handScheduler(), ["alpha"]);
    const sweep = sweepOf(world.sources);
    const goals = await world.sources.watched.goals();
    world.prints.set("/alpha.md", "new");
    world.unsettled = true;
    expect([await sweep.changed(goals), await sweep.changed(goals)]).toEqual([["alpha"], ["alpha"]]);
    world.unsettled = false;
    expect([await sweep.changed(goals), await sweep.changed(goals)]).toEqual([["alpha"], []]);
  });
});

describe("inTurn", () => {
  it("runs one at a time, and shares the next run among all who ask meanwhile", async () => {
    const ends: (() => void)[] = [];
    const run = inTurn(() => new Promise<void>((resolve) => ends.push(resolve)));
    const first = run();
    const second = run();
    expect(run()).toBe(second);
    expect(ends).toHaveLength(1);
    ends[0]?.();
    await first;
    await Promise.resolve().then(() => new Promise((resolve) => setImmediate(resolve)));
    expect(ends).toHaveLength(2);
    ends[1]?.();
    await second;
  });
});
