// Waiting, orders and passing over; one turn as such is in run-turn.test.ts. Time is moved by hand.
import { writeFileSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { makeWorld } from "../../test/fakes/workspace.ts";
import { addMilliseconds } from "../core/instant.ts";
import { ALPHA, type HostScript, Machine, RAN, STATE } from "./agent-machine.sample.ts";
import type { RunEnd } from "./run-end.ts";

let machine: Machine;
beforeEach(async () => {
  machine = new Machine(await makeWorld({ state: STATE }));
});
afterEach(() => machine.world.close());

const builds: HostScript = () => {
  writeFileSync(machine.out(), "built");
  return RAN;
};

const told = (): readonly string[] => machine.facts.map((fact) => fact.event);

/** Until it waits for time or has ended: files and modules are read in between. */
async function settle(): Promise<void> {
  for (let quiet = 0; quiet < 50; ) {
    await new Promise((resolve) => setImmediate(resolve));
    const waits = machine.scheduler.pending() > 0 && /waiting|idle/.test(told().at(-1) ?? "");
    quiet = waits || machine.ended ? quiet + 1 : 0;
  }
}

async function pass(milliseconds: number): Promise<void> {
  machine.world.advance(milliseconds);
  await machine.scheduler.advance(milliseconds);
  await settle();
}

function worker(): Promise<RunEnd> {
  return machine.with({}, { most_turns: null, idle_exit_ms: null }).run();
}

describe("L4: a worker that waits", () => {
  test("writes nothing, asks nothing, and wakes at what a person edits", async () => {
    machine.script = builds;
    const running = worker();
    await settle();
    expect(told()).toEqual(["deciding", "claimed", "turn_started", "turn_settled", "deciding", "idle"]);
    const before = await machine.events();
    await pass(120_000);
    expect(await machine.events()).toEqual(before);
    machine.world.edit(
      (text) =>
        `${text}- [ ] More\n  <!-- loopx:todo todo_id=todo_two run=%5B%22build%22%5D validation_command=test%20-f%20out.txt -->\n`,
    );
    await pass(1250);
    expect(told().filter((event) => event === "turn_settled")).toHaveLength(2);
    machine.orders.give({ do: "drain" });
    expect(await running).toMatchObject({ reason: "drained" });
  });

  test("wakes at a time that it knows", async () => {
    const at = addMilliseconds(machine.world.now(), 90_000);
    machine.world.edit((text) => text.replace("todo_id=todo_one", `todo_id=todo_one resume_when=at:${at}`));
    machine.script = builds;
    const running = worker();
    await settle();
    expect(told()).toEqual(["deciding", "waiting"]);
    await pass(89_000);
    expect(machine.hosted).toEqual([]);
    await pass(2000);
    expect(machine.hosted).toHaveLength(1);
    machine.orders.give({ do: "stop" });
    expect(await running).toMatchObject({ reason: "stopped" });
  });

  test("gives up after its time without work, counted from when there was none", async () => {
    machine.script = builds;
    const running = machine.with({}, { most_turns: null, idle_exit_ms: 10_000 }).run();
    await settle();
    await pass(9000);
    expect(told().at(-1)).toBe("idle");
    await pass(1500);
    expect(await running).toMatchObject({ reason: "idle", code: "complete" });
  });
});

describe("orders", () => {
  test("hold: no turn begins before its time, and wake ends it", async () => {
    machine.script = builds;
    machine.orders.give({ do: "hold", until: addMilliseconds(machine.world.now(), 60_000) });
    const running = worker();
    await settle();
    expect(machine.facts).toMatchObject([{ event: "waiting", why: "held" }]);
    await pass(30_000);
    expect(machine.hosted).toEqual([]);
    machine.orders.give({ do: "wake" });
    await settle();
    expect(machine.hosted).toHaveLength(1);
    machine.orders.give({ do: "drain" });
    await running;
  });

  test("O1: drain is not taken back, and stop counts before it", () => {
    machine.orders.give({ do: "stop" });
    machine.orders.give({ do: "drain" });
    machine.orders.give({ do: "wake" });
    expect(machine.orders.end).toBe("stop");
    expect(machine.orders.stopped.aborted).toBe(true);
  });

  test("a run that was told to stop before it began begins nothing", async () => {
    machine.orders.give({ do: "stop" });
    expect(await worker()).toMatchObject({ reason: "stopped" });
    expect(machine.facts).toEqual([]);
  });
});

describe("L3: what is missing for every todo ends the run, and nothing is claimed", () => {
  test.each([
    ["the folder of the run", { workspace: "/gone" }, "workspace_missing"],
    ["the program of the run", { run: '["gone"]' }, "host_missing"],
    ["a program seen from the folder of the run", { run: '["./gone"]', workspace: "/there" }, "host_missing"],
  ])("%s", async (_name, settings, code) => {
    machine.found = {
      workspaceFlaw: (workspace) => (workspace === "/gone" ? "missing" : null),
      findProgram: () => "missing",
    };
    const before = await machine.events();
    const end = await machine.with(settings, { most_turns: null, idle_exit_ms: null }).run();
    expect(end).toMatchObject({ reason: "fatal", code });
    expect(await machine.events()).toEqual(before);
  });

  test("a program seen from the folder of each goal may be there in another goal", async () => {
    machine.found = { findProgram: () => "missing" };
    const end = await machine.with({ run: '["./gone"]' }).run();
    expect(end).toMatchObject({ reason: "idle", code: "host_missing", leaves_refused: true });
  });
});

describe("L2: what cannot be run is passed over", () => {
  test("other work goes on, and what was passed over is why nothing more is done", async () => {
    machine.world.edit((text) =>
      text.replace("- [ ] [P1]", "- [ ] [P0] Talk\n  <!-- loopx:todo todo_id=todo_talk -->\n- [ ] [P1]"),
    );
    machine.script = builds;
    const end = await machine.with({}, { most_turns: null }).run();
    expect(end).toMatchObject({ reason: "idle", code: "no_validation", leaves_refused: true });
    expect(machine.facts.filter(({ event }) => event === "turn_settled")).toMatchObject([{ todo_id: "todo_one" }]);
  });

  test("a program that one todo names holds up that todo alone", async () => {
    machine.found = { findProgram: () => "missing" };
    expect(await machine.run()).toMatchObject({ reason: "idle", code: "host_missing", leaves_refused: true });
  });

  test("one that waits says so, with what is missing", async () => {
    machine.world.edit((text) => text.replace(/ validation_command=\S+/, ""));
    const running = worker();
    await settle();
    expect(machine.facts.at(-1)).toMatchObject({
      event: "waiting",
      why: "no_validation",
      message: "todo_one has no check: nobody could tell whether it is done.",
    });
    machine.orders.give({ do: "drain" });
    await running;
  });

  test("and is looked at again when something changed", async () => {
    machine.world.edit((text) => text.replace(/ run=\S+/, ""));
    machine.script = builds;
    const running = worker();
    await settle();
    expect(machine.hosted).toEqual([]);
    machine.world.edit((text) => text.replace("todo_id=todo_one", "todo_id=todo_one run=%5B%22build%22%5D"));
    await pass(1250);
    expect(machine.hosted).toHaveLength(1);
    machine.orders.give({ do: "drain" });
    await running;
  });
});

test("L3: after a failure that time puts right the next turn waits for its back-off", async () => {
  let tries = 0;
  machine.script = (turn, submit) => {
    tries += 1;
    return tries === 1 ? { ...RAN, end: { kind: "exited", code: 1 } } : builds(turn, submit);
  };
  machine.random = () => 0.5;
  const running = machine.with({}, { most_turns: 2 }).run();
  await settle();
  expect(machine.facts.at(-1)).toMatchObject({ event: "waiting", why: "back_off" });
  expect(tries).toBe(1);
  await pass(400);
  expect(tries).toBe(1);
  await pass(400);
  expect(await running).toMatchObject({ reason: "turns_done" });
  expect(tries).toBe(2);
});

test("L3: a session that is missing is tried again at once, and the second time in a row after a back-off", async () => {
  let tries = 0;
  machine.script = () => {
    tries += 1;
    return { ...RAN, end: { kind: "exited", code: 1 } };
  };
  machine.prints = ['{"loopx_event":"session_missing"}'];
  machine.random = () => 0.5;
  const running = machine.with({}, { most_turns: 3 }).run();
  await settle();
  expect(machine.facts.at(-1)).toMatchObject({ event: "waiting", why: "back_off" });
  expect(tries).toBe(2);
  await pass(900);
  expect(tries).toBe(2);
  await pass(400);
  expect(await running).toMatchObject({ reason: "turns_done" });
  const failures = machine.facts.flatMap((fact) => (fact.event === "turn_failed" ? [fact.failure.kind] : []));
  expect(failures).toEqual(["session_missing", "session_missing", "session_missing"]);
});

test("L5: the end of a turn is told again until it was acknowledged", async () => {
  machine.script = builds;
  machine.acknowledges = false;
  await machine.run();
  machine.acknowledges = true;
  await machine.run();
  await machine.run();
  const settled = machine.facts.filter(({ event }) => event === "turn_settled");
  expect(settled).toHaveLength(2);
  expect(settled[0]).toEqual(settled[1]);
  const closed = await machine.world.store.events({ goal_id: ALPHA, type: "todo.closed", order: "oldest_first", limit: 9 });
  expect(closed).toHaveLength(1);
});
