import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { makeWorld, registryText, type World, write } from "../../test/fakes/workspace.ts";
import type { Reply } from "../core/result.ts";
import { printedBytes } from "../core/show/print-json.ts";
import { PLAIN_RUN } from "./plain-run.ts";

let world: World;

const STATE = [
  "# Alpha",
  "",
  "## Agent Todo",
  "",
  "- [ ] [P1] Build the ground",
  "  <!-- loopx:todo todo_id=todo_ground status=open action_kind=implement -->",
  "- [ ] [P2] Build the roof",
  "  <!-- loopx:todo todo_id=todo_roof status=open -->",
  "",
].join("\n");

const GOALS = ["alpha", "beta", "gamma"];
const AGENTS = { coordination: { registered_agents: ["a", "b"], write_scope: ["src/**"] } };

beforeEach(async () => {
  world = await makeWorld({ state: STATE, goals: GOALS });
  write(world.registryPath, registryText(GOALS, AGENTS));
});
afterEach(() => world.close());

async function value<T>(reply: Promise<Reply<T>>): Promise<T> {
  const got = await reply;
  if (got.kind !== "done") throw new Error(`${got.code}: ${got.message}`);
  return got.value;
}

const CLAIM = {
  goalId: "alpha",
  agentId: "a",
  todoId: null,
  turnInstanceId: null,
  instance: null,
  ttlSeconds: null,
  capabilities: [],
  writeScopes: [],
  idempotencyKey: null,
  dryRun: false,
} as const;
const NEXT = { goalId: "alpha", agentId: "a", turnInstanceId: null, instance: null, capabilities: [], seen: null } as const;
const ASK = {
  goalId: "alpha",
  agentId: "a",
  turnInstanceId: null,
  capabilities: [],
  runtimeProfile: null,
  detail: false,
} as const;

/** What the registry says of one goal instead. */
function declare(goal: string, more: Record<string, unknown>): void {
  const registry = JSON.parse(registryText(GOALS, AGENTS));
  for (const entry of registry.goals) if (entry.id === goal) Object.assign(entry, more);
  write(world.registryPath, JSON.stringify(registry));
}

describe("quota should-run", () => {
  test("is the answer of next, and writes nothing", async () => {
    await value(world.app.refresh({ ...PLAIN_RUN, goalId: "alpha", agentId: "a" }));
    const before = await world.store.lastPosition();
    const [answer, next] = [await value(world.app.shouldRun(ASK)), await value(world.app.next(NEXT))];
    expect(answer).toMatchObject({
      ok: true,
      decision: "run",
      should_run: true,
      act: next.act,
      why: next.why,
      reason: next.because,
      scheduler_hint: { reset_policy: { reset_token: next.token } },
      selected_todo: { todo_id: "todo_ground", action_kind: "implement", priority: "P1" },
      interaction_contract: { cli_channel: { next_cli_actions: next.then } },
      quota: { compute: 1, window_hours: 24, slot_minutes: 1, allowed_slots: 1440, spent_slots: 0, state: "eligible" },
      goal_boundary: { write_scope: ["src/**"] },
    });
    expect(await world.store.lastPosition()).toBe(before);
  });

  test("Q1 with a turn id it opens the turn of next, and keeps its answer", async () => {
    const first = await value(world.app.shouldRun({ ...ASK, turnInstanceId: "t1" }));
    await value(world.app.claim({ ...CLAIM, agentId: "b" }));
    const again = await value(world.app.shouldRun({ ...ASK, turnInstanceId: "t1" }));
    expect(again.selected_todo?.todo_id).toBe(first.selected_todo?.todo_id);
    expect(again).toMatchObject({ decision: first.decision, action_signature: first.action_signature });
    expect((await value(world.app.next({ ...NEXT, turnInstanceId: "t1" }))).todo?.todo_id).toBe("todo_ground");
    expect((await value(world.app.shouldRun(ASK))).selected_todo?.todo_id).toBe("todo_roof");
  });

  test("with detail tells the rule and its facts; the host's name decides nothing", async () => {
    const plain = await value(world.app.shouldRun(ASK));
    const answer = await value(world.app.shouldRun({ ...ASK, detail: true, runtimeProfile: "codex_cli" }));
    expect(answer).toMatchObject({ runtime_profile: "codex_cli", detail: { rule: "work" } });
    expect(answer.action_signature).toBe(plain.action_signature);
  });

  test("an agent or a goal that is not there is bad input, and no folder is made for it", async () => {
    expect(await world.app.shouldRun({ ...ASK, agentId: "ghost" })).toMatchObject({ kind: "bad_input", code: "unknown_agent" });
    expect(await world.app.shouldRun({ ...ASK, goalId: "nope" })).toMatchObject({ kind: "bad_input", code: "unknown_goal" });
    expect(world.workspace.tree.look(`${world.workspace.roots.runtime_root}/goals/nope`)).toBe("missing");
  });
});

describe("quota status and plan", () => {
  test("of one goal: every unit and limit with what is used of it", async () => {
    declare("alpha", { quota: { allowed_slots: 10, tokens: 100 }, limits: { max_open_todos: 4 } });
    await value(world.app.claim(CLAIM));
    const answer = await value(world.app.quotaStatus({ goalId: "alpha", limit: null, cursor: null }));
    if (!("units" in answer)) throw new Error("not of one goal");
    expect(answer).toMatchObject({ goal_id: "alpha", state: "eligible", allowed_slots: 10, spent_slots: 0 });
    expect(answer.units).toMatchObject([
      { name: "slots", used: 0, reserved: 1, limit: 10, percent: 10 },
      { name: "tokens", used: 0, reserved: 1, limit: 100, percent: 1 },
      { name: "wall_ms", limit: null, percent: null },
    ]);
    expect(answer.limits.find(({ name }) => name === "max_running_tasks")).toMatchObject({ used: 1 });
    expect(printedBytes(answer)).toBeLessThanOrEqual(8192);
  });

  test("U2 settings that cannot be understood are told, and are no limit of none", async () => {
    declare("alpha", { quota: { compute: "abc" } });
    const answer = await value(world.app.quotaStatus({ goalId: "alpha", limit: null, cursor: null }));
    expect(answer).toMatchObject({ state: "blocked_health", compute: null, allowed_slots: null, units: [] });
    expect("problems" in answer && answer.problems.length).toBeGreaterThan(0);
  });

  test("groups are in the order of the reference, and paged", async () => {
    declare("beta", { quota: { compute: 0 } });
    const all = await value(world.app.quotaStatus({ goalId: null, limit: null, cursor: null }));
    if (!("groups" in all)) throw new Error("not of all goals");
    expect(all.groups.map(({ state, goals }) => [state, goals.map(({ goal_id }) => goal_id)])).toEqual([
      ["eligible", ["alpha", "gamma"]],
      ["paused", ["beta"]],
    ]);
    const page = await value(world.app.quotaStatus({ goalId: null, limit: 2, cursor: null }));
    if (!("groups" in page)) throw new Error("not of all goals");
    expect(page.left_out.goals).toBe(1);
    const rest = await value(world.app.quotaStatus({ goalId: null, limit: 2, cursor: page.left_out.cursor }));
    if (!("groups" in rest)) throw new Error("not of all goals");
    expect(rest.groups.flatMap(({ goals }) => goals.map(({ goal_id }) => goal_id))).toEqual(["gamma"]);
    expect(rest.left_out).toEqual({ goals: 0, cursor: null, get: [] });
  });

  test("plan names the goal with the highest share, then the least spent, then the id", async () => {
    declare("alpha", { quota: { compute: 0.5 } });
    const plan = await value(world.app.quotaPlan());
    expect(plan).toMatchObject({
      goal_count: 3,
      goals_asked: 3,
      summary: { eligible: 3 },
      next_automatic_turn: { goal_id: "beta" },
    });
    expect(plan.in_line.map(({ goal_id }) => goal_id)).toEqual(["beta", "gamma", "alpha"]);
  });
});

describe("evidence-log", () => {
  const LOG = { goalId: "alpha", agentId: "a", todoId: null, since: null, limit: null, thin: false } as const;

  test("has what the agent did, newest first, and writes nothing", async () => {
    await value(world.app.claim(CLAIM));
    await value(world.app.claim({ ...CLAIM, agentId: "b" }));
    world.advance(1000);
    await value(world.app.refresh({ ...PLAIN_RUN, goalId: "alpha", agentId: "a", classification: "progress" }));
    const before = await world.store.lastPosition();
    const log = await value(world.app.evidenceLog(LOG));
    expect(log.ledger.map(({ kind }) => kind).slice(0, 2)).toEqual(["run.recorded", "lease.taken"]);
    expect(log.ledger[1]).toMatchObject({ todo_id: "todo_ground" });
    expect(log).toMatchObject({ truncated: false, agent_id: "a" });
    expect(await world.store.lastPosition()).toBe(before);
    expect((await value(world.app.evidenceLog({ ...LOG, todoId: "todo_ground" }))).ledger.map(({ kind }) => kind)).toEqual(
      log.ledger.filter(({ todo_id }) => todo_id === "todo_ground").map(({ kind }) => kind),
    );
    const thin = await value(world.app.evidenceLog({ ...LOG, thin: true, limit: 1 }));
    expect(thin).toMatchObject({ truncated: true, ledger: [{ kind: "run.recorded" }] });
    expect(thin.ledger[0]).not.toHaveProperty("says");
    const since = await value(world.app.evidenceLog({ ...LOG, since: world.now() }));
    expect(since.ledger.map(({ kind }) => kind)).toEqual(["run.recorded"]);
  });

  test("with runs that another program recorded of the agent", async () => {
    const row = { generated_at: "2026-01-01T00:00:00+00:00", goal_id: "alpha", classification: "theirs", agent_id: "a" };
    const others = { ...row, agent_id: "b", generated_at: "2026-01-02T00:00:00+00:00" };
    const path = `${world.workspace.roots.runtime_root}/goals/alpha/runs/index.jsonl`;
    write(path, `${JSON.stringify(row)}\n${JSON.stringify(others)}\n`);
    expect((await value(world.app.evidenceLog(LOG))).ledger).toMatchObject([{ kind: "theirs", seq: null }]);
  });

  test("E1 stays within 8 KiB and says that there is more", async () => {
    for (let run = 0; run < 60; run += 1) {
      const recommendedAction = `${run} ${"long ".repeat(60)}`;
      await value(world.app.refresh({ ...PLAIN_RUN, goalId: "alpha", agentId: "a", recommendedAction }));
      world.advance(1000);
    }
    const log = await value(world.app.evidenceLog({ ...LOG, limit: 60 }));
    expect(printedBytes(log)).toBeLessThanOrEqual(8192);
    expect(log.truncated).toBe(true);
  });

  test.each([
    [{ since: "yesterday" }, "since_invalid"],
    [{ agentId: null }, "agent_required"],
    [{ agentId: "ghost" }, "unknown_agent"],
    [{ todoId: "x" }, "todo_id_invalid"],
  ])("%j is %s", async (more, code) => {
    expect(await world.app.evidenceLog({ ...LOG, ...more })).toMatchObject({ code });
  });
});

test("diagnose is the answer of why as one signal", async () => {
  const question = { goalId: "alpha", agentId: "a", instance: null, capabilities: [] };
  const [answer, why] = [await value(world.app.diagnose(question)), await value(world.app.why(question))];
  expect(answer).toMatchObject({ machine_signal: "normal_run", why: why.why, rule: why.rule, commands: why.then, verdict: null });
});
