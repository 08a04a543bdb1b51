// One agent, one todo, a scripted host; what holds with real processes is in test/e2e/run-agent.test.ts.
import { readFileSync, writeFileSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { CLAIM, declareQuota } from "../../test/fakes/turns.ts";
import { makeWorld } from "../../test/fakes/workspace.ts";
import { fileTurnRecords } from "../adapters/agents/turn-records.ts";
import { isQuotaGate } from "../core/goal/quota-gate.ts";
import type { TurnResult } from "../core/host/turn-result.ts";
import { type AgentId, parseAgentId } from "../core/id.ts";
import type { GroupRun } from "../ports/process.ts";
import { ALPHA, type HostScript, Killed, Machine, RAN, STATE } from "./agent-machine.sample.ts";

let machine: Machine;
beforeEach(async () => {
  machine = new Machine(await makeWorld({ state: STATE }));
});
afterEach(() => machine.world.close());

const builds: HostScript = () => {
  writeFileSync(machine.out(), "built");
  return RAN;
};

const hands: HostScript = async (turn, submit) => {
  submit({ kind: "validated_completion", summary: "Built it" });
  return await builds(turn, submit);
};

function said(result: TurnResult): HostScript {
  return (_turn, submit) => {
    submit(result);
    return RAN;
  };
}

const USED = { input_tokens: 40, output_tokens: 2 };

/** One world for each call of a port. */
const SWEEP = { timeout: 60_000 };

const ends = (): readonly unknown[] =>
  machine.facts.flatMap((fact) =>
    fact.event === "turn_settled" ? [fact.outcome] : fact.event === "turn_failed" ? [fact.failure.kind] : [],
  );

async function leases(): Promise<number> {
  const { head } = await machine.world.store.load({ goal_id: ALPHA, todos: "none", base: "none" });
  return Object.keys(head?.leases ?? {}).length;
}

test("T3: a turn is claimed, hosted, checked, closed and spent; nothing of it is left behind", async () => {
  machine.script = builds;
  const end = await machine.run();
  expect(end).toMatchObject({ reason: "turns_done" });
  expect(machine.facts.map(({ event }) => event)).toEqual(["deciding", "claimed", "turn_started", "turn_settled"]);
  const types = (await machine.events())
    .map(({ type }) => type)
    .filter((type) => /^(lease|evidence|turn|todo\.closed)/.test(type));
  expect(types).toEqual(["lease.taken", "evidence.recorded", "turn.written", "lease.freed", "todo.closed", "turn.spent"]);
  expect((await machine.events("turn.spent"))[0]?.data).toMatchObject({ units: { slots: 1, wall_ms: 7 } });
  expect(fileTurnRecords(machine.world.workspace.roots).list(ALPHA)).toEqual({ records: [], problems: [] });
});

describe("T2, R1 to R3: a kill before and behind every call of a port leaves a todo that is finished once", () => {
  test.each([
    ["before", "says nothing", builds],
    ["behind", "says nothing", builds],
    ["behind", "hands its result over", hands],
  ] as const)("killed %s the call, by a host that %s", SWEEP, async (when, _says, script) => {
    for (let call = 1; ; call += 1) {
      const world = await makeWorld({ state: STATE });
      machine = new Machine(world);
      machine.script = script;
      machine.killAt = { call, when };
      const survived = await machine.run().then(
        () => true,
        (thrown: unknown) => {
          if (!(thrown instanceof Killed)) throw thrown;
          return false;
        },
      );
      machine.killAt = null;
      const hosted = machine.hosted.length;
      if (!survived) await machine.with({}, { most_turns: 5 }).run();
      const closed = await machine.events("todo.closed");
      const spent = await machine.events("turn.spent");
      expect({ call, closed: closed.length, spent: spent.length, leases: await leases() }).toEqual({
        call,
        closed: 1,
        spent: 1,
        leases: 0,
      });
      expect(new Set(machine.hosted).size).toBe(machine.hosted.length);
      if (script === hands && hosted > 0) expect(machine.hosted).toHaveLength(1);
      expect(fileTurnRecords(world.workspace.roots).list(ALPHA).records).toEqual([]);
      if (survived) return;
      await world.close();
    }
  });

  test("with --retry-host the host runs again in the same turn, while the lease stands", async () => {
    machine.script = () => Promise.reject(new Killed());
    await machine.run().catch(() => undefined);
    machine.script = builds;
    await machine.with({}, { retry_host: true }).run();
    expect(machine.hosted).toHaveLength(2);
    expect(new Set(machine.hosted).size).toBe(1);
    expect(ends()).toEqual(["completed"]);
  });
});

describe("what a host says leads to", () => {
  test.each<[TurnResult, readonly unknown[], number]>([
    [{ kind: "validated_progress", summary: "Half" }, ["progress"], 1],
    [{ kind: "repair_required", summary: "Broken" }, ["repair"], 0],
    [{ kind: "replan_required", summary: "Wrong way" }, ["replan"], 0],
    [{ kind: "wait", summary: "CI runs", until: null }, ["wait"], 0],
    [{ kind: "user_action_required", summary: "Which one?" }, ["ask"], 0],
    [{ kind: "validated_completion", summary: "Done, it says" }, ["checks_failed"], 0],
  ])("%j", async (result, ended, slots) => {
    machine.script = said(result);
    await machine.run();
    expect(ends()).toEqual(ended);
    const spent = await machine.events("turn.spent");
    expect(spent.reduce((sum, event) => sum + (event.type === "turn.spent" ? event.data.units.slots : 0), 0)).toBe(slots);
    expect({ closed: (await machine.events("todo.closed")).length, leases: await leases() }).toEqual({ closed: 0, leases: 0 });
  });

  test("W3: a turn that brought nothing is charged its tokens and no slot", async () => {
    machine.script = said({ kind: "repair_required", summary: "Broken", usage: { input_tokens: 40, output_tokens: 2 } });
    await machine.run();
    expect((await machine.events("turn.spent")).map(({ data }) => data)).toMatchObject([
      { units: { slots: 0, tokens: 42, wall_ms: 0 } },
    ]);
  });

  test("W3: a turn whose todo another one has by now is counted beside what that one has set aside", async () => {
    declareQuota(machine.world, { tokens: 42 });
    machine.script = async (turn, submit) => {
      machine.world.advance(120_000);
      const taken = await machine.world.app.claim({ ...CLAIM, agentId: "b2" });
      expect(taken).toMatchObject({ value: { claimed: true } });
      return await said({ kind: "repair_required", summary: "Broken", usage: USED })(turn, submit);
    };
    await machine.run();
    const { head } = await machine.world.store.load({ goal_id: ALPHA, todos: "none", base: "none" });
    const [spent] = (await machine.events("turn.spent")).map(
      ({ data }) => data as { readonly units: { readonly tokens: number } },
    );
    const reserved = Object.values(head?.leases ?? {}).map((lease) => lease.reserved.tokens);
    expect({ spent: spent?.units.tokens, reserved }).toEqual({ spent: 41, reserved: [1] });
  });

  test.each<[string, TurnResult, number, number]>([
    ["progress takes the last slot", { kind: "validated_progress", summary: "Half" }, 1, 1],
    ["a question of the turn takes the last tokens", { kind: "user_action_required", summary: "Which one?", usage: USED }, 5, 2],
    ["a failure takes the last tokens", { kind: "repair_required", summary: "Broken", usage: USED }, 5, 1],
    ["there is room left", { kind: "validated_progress", summary: "Half" }, 5, 0],
  ])("W4 G3: at a cap the goal asks: %s", async (_name, result, allowed_slots, questions) => {
    declareQuota(machine.world, { allowed_slots, tokens: 42 });
    machine.script = said(result);
    await machine.run();
    const { todos } = await machine.world.store.load({ goal_id: ALPHA, todos: "all", base: "none" });
    const asked = [...todos.values()].filter(({ role }) => role === "user");
    expect(asked).toHaveLength(questions);
    expect(asked.filter(isQuotaGate)).toHaveLength(Math.min(questions, 1));
    expect(new Set(asked.map(({ index }) => index)).size).toBe(questions);
    for (const { todo_id } of asked) expect(machine.world.text()).toContain(todo_id);
  });

  test("wait until: nobody takes the todo up before", async () => {
    const until = machine.world.now().replace(/^\d{4}/, "2199") as never;
    machine.script = said({ kind: "wait", summary: "CI", until });
    await machine.run();
    expect(await machine.run()).toMatchObject({ reason: "idle", code: "waiting_on" });
    expect(machine.hosted).toHaveLength(1);
  });

  test("E4: what follows is what it said, and a chain goes on with what waits for it", async () => {
    machine.world.edit((text) => `${text}- [ ] Then this\n  <!-- loopx:todo todo_id=todo_two depends_on=todo_one -->\n`);
    machine.script = builds;
    await machine.run();
    const [closed] = await machine.events("todo.closed");
    expect(closed?.data).toMatchObject({ next: { kind: "successors", todo_ids: ["todo_two"] } });
  });

  test("E4: the last of a chain says so in the words of the turn", async () => {
    machine.script = hands;
    await machine.run();
    const [closed] = await machine.events("todo.closed");
    expect(closed?.data).toMatchObject({ next: { kind: "none", reason: "Nothing in the plan waits for it: Built it" } });
  });
});

describe("K1: each failure of a host", () => {
  const failing =
    (line: object): HostScript =>
    () => {
      throw new Error(`replaced below: ${JSON.stringify(line)}`);
    };
  void failing;
  test.each<[string, GroupRun["end"], string, string]>([
    ["exit status", { kind: "exited", code: 3 }, "crashed", "turns_done"],
    ["a signal", { kind: "signalled", signal: "SIGSEGV" }, "crashed", "turns_done"],
    ["silence", { kind: "idle_limit" }, "timeout_idle", "turns_done"],
    ["length", { kind: "hard_limit" }, "timeout_hard", "turns_done"],
  ])("by %s frees the lease at once and counts", async (_name, end, kind, reason) => {
    machine.script = () => ({ ...RAN, end });
    expect(await machine.run()).toMatchObject({ reason });
    expect(ends()).toEqual([kind]);
    expect(await leases()).toBe(0);
    const { todos } = await machine.world.store.load({ goal_id: ALPHA, todos: "all", base: "none" });
    expect([...todos.values()].find(({ todo_id }) => todo_id === "todo_one")?.stall).toMatchObject({ failures: 1 });
  });

  test("a program that goes away after the look ends the run: only a person can bring it back", async () => {
    machine.script = () => ({ kind: "not_started", why: "program_missing" });
    expect(await machine.run()).toMatchObject({ reason: "fatal", code: "host_missing" });
    expect(ends()).toEqual(["host_missing"]);
    expect(await leases()).toBe(0);
  });

  test("two failures in the same way want another plan; the todo is passed over", async () => {
    machine.script = () => ({ ...RAN, end: { kind: "exited", code: 3 } });
    await machine.with({}, { most_turns: 2 }).run();
    expect(await machine.run()).toMatchObject({ reason: "idle", code: "stalled" });
    expect(machine.hosted).toHaveLength(2);
  });
});

describe("P1, P2: what is refused before the host starts, and before anything is claimed", () => {
  test.each<[string, (text: string) => string, string]>([
    ["no check", (text) => text.replace(/ validation_command=\S+/, ""), "no_validation"],
    [
      "checks that cannot be understood",
      (text) => text.replace(/validation_command=\S+/, "validation_checks=%7B"),
      "checks_invalid",
    ],
    ["no command", (text) => text.replace(/ run=\S+/, ""), "run_missing"],
    ["a command as a shell would read it", (text) => text.replace(/run=\S+/, "run=npm%20test"), "run_invalid"],
  ])("%s", async (_name, change, code) => {
    machine.world.edit(change);
    const before = await machine.events();
    expect(await machine.run()).toMatchObject({ reason: "idle", code });
    expect(machine.hosted).toEqual([]);
    expect(await machine.events()).toEqual(before);
  });
});

test("P2: a command that cannot be understood is told with the one who names it", async () => {
  machine.world.edit((text) => text.replace(/run=\S+/, "run=npm%20test"));
  expect(await machine.run()).toMatchObject({
    message: expect.stringMatching(/^The command of todo_one cannot be understood: run is no JSON list/),
    fix: "loopx todo show --goal-id alpha --todo-id todo_one",
  });
  machine.world.edit((text) => text.replace(/ run=\S+/, ""));
  const { registryPath } = machine.world;
  const registry = JSON.parse(readFileSync(registryPath, "utf8"));
  registry.goals[0].run = { program: "npm" };
  writeFileSync(registryPath, JSON.stringify(registry));
  expect(await machine.run()).toMatchObject({
    reason: "idle",
    code: "run_invalid",
    message: expect.stringMatching(
      /^The command in the entry of goal alpha cannot be understood: run must be a list of arguments/,
    ),
    fix: expect.stringContaining(`Write "run" of goal alpha in ${registryPath} as a list`),
  });
  expect(machine.hosted).toEqual([]);
});

test("U2: killed in a check, what is left of it is ended before it is checked again", async () => {
  machine.script = builds;
  machine.beside = () => {
    throw new Killed();
  };
  await machine.run().catch(() => undefined);
  const turn = { LOOPX_TURN_ID: machine.hosted[0], LOOPX_SESSION_MARKER: "run-101" };
  expect(machine.checked).toMatchObject([turn]);
  machine.beside = () => {
    expect(machine.swept).toEqual([turn]);
  };
  await machine.run();
  expect(machine.checked).toMatchObject([turn, turn]);
  expect(ends()).toEqual(["completed"]);
});

describe("T4: another agent takes over from a run that was killed", () => {
  const other = { agent: parseAgentId("a2") as AgentId };

  test("what that one left is ended before the host runs, and its turn has lost its lease", async () => {
    machine.script = () => Promise.reject(new Killed());
    await machine.run().catch(() => undefined);
    const left = { LOOPX_TURN_ID: machine.hosted[0], LOOPX_SESSION_MARKER: "run-101" };
    machine.world.advance(60_000);
    machine.script = async (turn, submit) => {
      expect(machine.swept).toEqual([left]);
      return await builds(turn, submit);
    };
    await machine.with({}, other).run();
    expect(ends()).toEqual(["completed"]);
    await machine.with({}, {}).run();
    expect(ends()).toEqual(["completed", "lease_lost"]);
  });

  test("a run that lives is left alone", async () => {
    machine.script = () => Promise.reject(new Killed());
    await machine.run().catch(() => undefined);
    machine.alive.add(101);
    machine.world.advance(60_000);
    machine.script = builds;
    await machine.with({}, other).run();
    expect([ends(), machine.swept]).toEqual([["completed"], []]);
  });
});

test("U1: a turn of a process that lives is left alone", async () => {
  machine.script = () => Promise.reject(new Killed());
  await machine.run().catch(() => undefined);
  machine.alive.add(101);
  machine.script = builds;
  expect(await machine.run()).toMatchObject({ reason: "idle", code: "peers_own" });
  expect(fileTurnRecords(machine.world.workspace.roots).list(ALPHA).records).toHaveLength(1);
  machine.alive.clear();
  await machine.run();
  expect(ends()).toEqual(["crashed", "completed"]);
});
