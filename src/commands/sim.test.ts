import { afterEach, describe, expect, it, vi } from "vitest";
import type { SimPayload } from "../core/sim/report.ts";
import { SIM_DEFAULTS, type SimSettings } from "../core/sim/settings.ts";

/** Everything is loaded anew, so that a test can put a broken part in its place. */
async function simulated(settings: Partial<SimSettings> = {}): Promise<SimPayload> {
  const { sim } = await import("./sim.ts");
  const { simGround } = await import("../compose-sim.ts");
  const reply = await sim(simGround({ report: () => undefined }), { seed: 1, ...SIM_DEFAULTS, hours: 4, ...settings });
  if (reply.kind !== "done") throw new Error(reply.code);
  return reply.value;
}

/** The first world from `seed` on in which something is found: that one, as long as nobody lives otherwise in it. */
async function firstFailure(seed: number): Promise<SimPayload> {
  for (let next = seed; next < seed + 20; next += 1) {
    const answer = await simulated({ seed: next, hours: 8 });
    if (answer.failure !== null) return answer;
  }
  throw new Error("nothing was found");
}

function withoutTime({ seconds: _seconds, commands_per_second: _rate, ...rest }: SimPayload): object {
  return rest;
}

describe("a simulated world", () => {
  it.each([1, 2, 3, 4])("keeps every law, seed %i", async (seed) => {
    const answer = await simulated({ seed, hours: 2 });
    expect(answer.failure).toBeNull();
    expect(answer.ok).toBe(true);
    expect(answer.commands).toBeGreaterThan(50);
  });

  it("S1 is the same again, and another with another seed", async () => {
    const first = withoutTime(await simulated({ seed: 11, hours: 1 }));
    expect(withoutTime(await simulated({ seed: 11, hours: 1 }))).toEqual(first);
    expect(withoutTime(await simulated({ seed: 12, hours: 1 }))).not.toEqual(first);
  });

  it("reaches what the laws are about", async () => {
    const worlds = [
      await simulated({ seed: 3, hours: 10 }),
      await simulated({ seed: 8, hours: 10 }),
      await simulated({ seed: 9, hours: 12 }),
    ];
    const told = new Set(worlds.flatMap(({ answers, refusals }) => [...Object.keys(answers), ...Object.keys(refusals)]));
    for (const expected of REACHED) expect([...told]).toContain(expected);
    const sum = (of: (world: SimPayload) => number): number => worlds.reduce((total, world) => total + of(world), 0);
    expect(sum(({ todos_done }) => todos_done)).toBeGreaterThan(50);
    expect(sum(({ failed_commits }) => failed_commits)).toBeGreaterThan(10);
    expect(sum(({ replays }) => replays)).toBeGreaterThan(10);
  });
});

const REACHED = [
  "work",
  "continue",
  "monitor_due",
  "peers_own",
  "rate_limited",
  "stalled",
  "throttled",
  "gate",
  "checks_failed",
  "stale_epoch",
];

describe("a broken part is found", () => {
  afterEach(() => {
    vi.doUnmock("../core/goal/fence.ts");
    vi.doUnmock("../core/goal/evolve-todo.ts");
    vi.doUnmock("../core/next/quota-state.ts");
    vi.doUnmock("../core/next/claim.ts");
    vi.doUnmock("../adapters/memory/store.ts");
    vi.resetModules();
  });

  it("I1 S2 a fence that lets late writers pass, with the step, the law, the last commands and the line that gets there again", async () => {
    vi.resetModules();
    vi.doMock("../core/goal/fence.ts", async (original) => ({ ...(await original<object>()), fenceFlaw: () => null }));
    const answer = await firstFailure(27);
    const { seed, failure } = answer;
    expect(answer).toMatchObject({
      ok: false,
      code: "simulation_failed",
      fix: `loopx sim --seed ${seed} --agents 4 --hours 8 --todos 24`,
      failure: { invariant: "I1" },
    });
    expect(failure?.last_commands.at(-1)).toContain(`${failure?.step} 20`);
    expect((await simulated({ seed, hours: 8 })).failure).toEqual(failure);
  });

  it("I2 a quota that forgets what is set aside", async () => {
    vi.resetModules();
    vi.doMock("../core/next/quota-state.ts", async (original) => {
      const real = await original<typeof import("../core/next/quota-state.ts")>();
      const quotaState: typeof real.quotaState = (settings, room) => real.quotaState(settings, { ...room, leases: [] });
      return { ...real, quotaState };
    });
    expect((await firstFailure(28)).failure?.invariant).toBe("I2");
  });

  it("E1 a fold that forgets what a todo waits for", async () => {
    vi.resetModules();
    vi.doMock("../core/goal/evolve-todo.ts", async (original) => {
      const real = await original<typeof import("../core/goal/evolve-todo.ts")>();
      const putTodo: typeof real.putTodo = (state, head, todo) => {
        real.putTodo(state, head, todo);
        const { waits_for: _forgotten, ...rest } = state.todos.get(todo.todo_id) ?? todo;
        real.setTodo(state, rest);
      };
      return { ...real, putTodo };
    });
    expect(["order", "starvation", "E1"]).toContain((await firstFailure(1)).failure?.invariant);
  });

  it("starvation: a claim that never meets the leases of others", async () => {
    vi.resetModules();
    vi.doMock("../core/next/claim.ts", async (original) => {
      const real = await original<typeof import("../core/next/claim.ts")>();
      const judgeClaim: typeof real.judgeClaim = (...asked) => {
        const judged = real.judgeClaim(...asked);
        return judged.kind === "judged" && judged.todo === null ? { ...judged, commands: [] } : judged;
      };
      return { ...real, judgeClaim };
    });
    expect((await firstFailure(43)).failure?.invariant).toBe("lease_ends");
  });

  it("I8 a store that keeps what it refused to commit", async () => {
    vi.resetModules();
    vi.doMock("../adapters/memory/store.ts", async (original) => {
      const real = await original<typeof import("../adapters/memory/store.ts")>();
      const memoryStore: typeof real.memoryStore = (...options) => {
        const store = real.memoryStore(...options);
        let fault: Error | null = null;
        return {
          ...store,
          failNext: (next) => {
            fault = next;
          },
          transact: async (...asked) => {
            const committed = await store.transact(...asked);
            const thrown = fault;
            fault = null;
            if (thrown !== null) throw thrown;
            return committed;
          },
        };
      };
      return { ...real, memoryStore };
    });
    expect((await firstFailure(21)).failure?.invariant).toBe("I8");
  });
});
