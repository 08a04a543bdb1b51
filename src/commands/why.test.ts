import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { makeWorld, registryText, type World, write } from "../../test/fakes/workspace.ts";
import { NAMED_RULES } from "../core/next/rules.ts";
import type { Reply } from "../core/result.ts";
import { printedBytes } from "../core/show/print-json.ts";
import type { WhyPayload } from "../core/show/why.ts";
import { PLAIN_RUN } from "./plain-run.ts";

let world: World;

const todo = (text: string, id: string, more = ""): string =>
  `- [ ] ${text}\n  <!-- loopx:todo todo_id=${id} status=open ${more}-->`;

const STATE = [
  "# Alpha",
  "",
  "## User Todo",
  "",
  todo("May it write there?", "todo_gate", "task_class=user_gate unblocks_todo_id=todo_gated "),
  "",
  "## Agent Todo",
  "",
  todo("[P1] Build the ground", "todo_ground"),
  todo("[P2] Build the roof", "todo_roof", "depends_on=todo_ground "),
  todo("[P2] Paint it", "todo_gated"),
  todo("[P2] Not for a", "todo_fence", "excluded_agents=a "),
  todo("[P2] Deploy", "todo_deploy", "required_capabilities=production_access "),
  todo("[P3] Sweep", "todo_sweep"),
  "",
].join("\n");

const declare = (more: Record<string, unknown> = {}): void =>
  write(world.registryPath, registryText(["alpha"], { coordination: { registered_agents: ["a", "b"] }, ...more }));

beforeEach(async () => {
  world = await makeWorld({ state: STATE });
  declare();
});
afterEach(() => world.close());

const ASK = { goalId: "alpha", agentId: "a", instance: null, capabilities: [] } as const;
const CLAIM = {
  ...ASK,
  todoId: null,
  turnInstanceId: null,
  ttlSeconds: null,
  writeScopes: [],
  idempotencyKey: null,
  dryRun: false,
} as const;

async function value<T>(reply: Promise<Reply<T>>): Promise<T> {
  const got = await reply;
  if (got.kind !== "done") throw new Error(`${got.code}: ${got.message}`);
  return got.value;
}

const factAbout = (answer: WhyPayload, about: string) => answer.facts.find((fact) => fact.about === about);
const begin = (): Promise<unknown> => value(world.app.refresh({ ...PLAIN_RUN, goalId: "alpha", agentId: "a" }));

describe("why", () => {
  test("gives the answer of next, with the rule, the rules before it and the facts in their events", async () => {
    await begin();
    const [why, next] = [
      await value(world.app.why(ASK)),
      await value(world.app.next({ ...ASK, turnInstanceId: null, seen: null })),
    ];
    expect(why).toMatchObject({ act: next.act, why: next.why, because: next.because, token: next.token, rule: "work" });
    expect(why.todo_id).toBe("todo_ground");
    expect(why.passed).toEqual(NAMED_RULES.map(([name]) => name).slice(0, why.passed.length));
    expect(why.passed.at(-1)).toBe("outside-scope");
    const seq = factAbout(why, "todo")?.seq ?? 0;
    const goal_id = (await world.store.heads({ after: null, limit: 1 }))[0]?.goal_id;
    if (goal_id === undefined) throw new Error("no journal");
    const [event] = await world.store.events({ goal_id, order: "oldest_first", beyond_seq: seq - 1, limit: 1 });
    expect(event).toMatchObject({ type: "todo.added", data: { todo: { todo_id: "todo_ground" } } });
    expect(factAbout(why, "quota")?.file).toBe(world.registryPath);
    expect(why.at.time).toBe(world.now());
  });

  test("a read: asked again it says the same, and nothing was written", async () => {
    await begin();
    const before = await world.store.lastPosition();
    expect(await value(world.app.why(ASK))).toEqual(await value(world.app.why(ASK)));
    expect(await world.store.lastPosition()).toBe(before);
  });

  test("of a lease names its event", async () => {
    await value(world.app.claim(CLAIM));
    const why = await value(world.app.why(ASK));
    expect(why).toMatchObject({ rule: "continue-lease", why: "continue" });
    expect(factAbout(why, "lease")).toMatchObject({
      seq: expect.any(Number),
      says: expect.stringContaining("a holds todo_ground"),
    });
  });

  test.each([
    [{ activation: { state: "stopped", reason: "budget" } }, "at-rest", "activation", "stopped: budget"],
    [{ quota: { compute: 0 } }, "paused", "quota", "0 slots are allowed"],
    [{ quota: { compute: "abc" } }, "quota-invalid", "quota", ""],
    [{ coordination: { registered_agents: ["a", "b"], agent_work_modes: { a: "monitor_only" } } }, "monitor-only", "agents", "a"],
  ])("of %j names the rule %s and the registry", async (more, rule, about, says) => {
    await begin();
    declare(more);
    const why = await value(world.app.why(ASK));
    expect(why.rule).toBe(rule);
    expect(factAbout(why, about)).toMatchObject({ file: world.registryPath, says: expect.stringContaining(says) });
  });

  test("Y1 is at most 4 KiB, however long the texts are", async () => {
    world.save(STATE.replaceAll("Build the ground", "Ground \u4e2d".repeat(4000)).replaceAll("May it", "May ".repeat(4000)));
    await begin();
    const why = await value(world.app.why(ASK));
    expect(printedBytes(why)).toBeLessThanOrEqual(4096);
    expect(why.rule).toBe("work");
    const not = await value(world.app.whyNot({ ...ASK, todoId: "todo_ground" }));
    expect(printedBytes(not)).toBeLessThanOrEqual(4096);
  });

  test("names of rules are of their own", () => {
    expect(new Set(NAMED_RULES.map(([name]) => name)).size).toBe(NAMED_RULES.length);
  });
});

describe("why-not", () => {
  test.each([
    ["todo_ground", true, null, null],
    ["todo_sweep", true, "not_first", "todo_ground"],
    ["todo_roof", false, "waits_for", "todo_ground"],
    ["todo_gated", false, "gate", "todo_gate"],
    ["todo_fence", false, "agent_excluded", null],
    ["todo_deploy", false, "owner_capability", "production_access"],
    ["todo_gate", false, "for_person", null],
  ])("%s: may be done %s (%s)", async (todoId, may_be_done, code, by) => {
    await begin();
    const answer = await value(world.app.whyNot({ ...ASK, todoId }));
    expect(answer).toMatchObject({ todo: { todo_id: todoId }, may_be_done, code, by });
    expect(answer.change === null).toBe(code === null);
  });

  test("says who holds it, and what holds up the whole goal first", async () => {
    await value(world.app.claim({ ...CLAIM, agentId: "b" }));
    expect(await value(world.app.whyNot({ ...ASK, todoId: "todo_ground" }))).toMatchObject({ code: "leased", by: "b" });
    declare({ activation: { state: "stopped", reason: "budget" } });
    expect(await value(world.app.whyNot({ ...ASK, todoId: "todo_ground" }))).toMatchObject({
      code: "stopped",
      message: "budget",
    });
  });

  test("agrees with claim", async () => {
    await begin();
    for (const todoId of ["todo_sweep", "todo_roof", "todo_gated", "todo_fence", "todo_deploy", "todo_gate"]) {
      const { may_be_done } = await value(world.app.whyNot({ ...ASK, todoId }));
      const claimed = await world.app.claim({ ...CLAIM, todoId, dryRun: true });
      expect([todoId, claimed.kind === "done"]).toEqual([todoId, may_be_done]);
    }
  });

  test("of what is not there is bad input", async () => {
    expect(await world.app.whyNot({ ...ASK, todoId: "todo_nowhere" })).toMatchObject({ code: "unknown_todo" });
    expect(await world.app.whyNot({ ...ASK, todoId: "nowhere" })).toMatchObject({ code: "todo_id_invalid" });
    expect(await world.app.why({ ...ASK, agentId: null })).toMatchObject({ code: "agent_required" });
  });
});
