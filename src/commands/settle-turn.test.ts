import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { makeWorld } from "../../test/fakes/workspace.ts";
import { ALPHA, type HostScript, Machine, RAN, STATE } from "./agent-machine.sample.ts";

let machine: Machine;
beforeEach(async () => {
  machine = new Machine(await makeWorld({ state: STATE }));
});
afterEach(() => machine.world.close());

const builds: HostScript = () => {
  writeFileSync(machine.out(), "built");
  return RAN;
};

const ends = (): readonly unknown[] =>
  machine.facts.flatMap((fact) =>
    fact.event === "turn_settled" ? [fact.outcome] : fact.event === "turn_failed" ? [fact.failure.kind] : [],
  );

describe("S3: checks that others disturb", () => {
  const disturbs = (times: number): void => {
    machine.beside = () => {
      if (machine.checked.length <= times) writeFileSync(join(machine.world.project, "beside"), String(machine.checked.length));
    };
  };

  test("run again, and the host does not", async () => {
    machine.script = builds;
    disturbs(7);
    await machine.run();
    expect(ends()).toEqual(["completed"]);
    expect([machine.hosted.length, machine.checked.length]).toEqual([1, 8]);
  });

  test("run again after a wait", async () => {
    machine.script = builds;
    machine.random = () => 0.99;
    disturbs(1);
    const running = machine.run();
    await expect.poll(() => machine.scheduler.pending()).toBe(1);
    expect(machine.checked).toHaveLength(1);
    await machine.scheduler.advance(100);
    await running;
    expect(ends()).toEqual(["completed"]);
  });

  test("in the end count against nobody", async () => {
    machine.script = builds;
    disturbs(99);
    await machine.run();
    expect(ends()).toEqual(["tree_changed"]);
    const { head } = await machine.world.store.load({ goal_id: ALPHA, todos: "none", base: "none" });
    expect(head?.leases).toEqual({});
  });
});
