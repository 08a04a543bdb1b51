// A todo is selected and leased in one step; who loses is told who holds it.
import { rmSync, writeFileSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Json } from "../../test/fakes/asks.ts";
import { G, verbsOn } from "../../test/fakes/todo-verbs.ts";
import { makeWorld, statePath, type World } from "../../test/fakes/workspace.ts";

const SECOND_MS = 1000;
const EMPTY = ["## Objective", "", "Ship it.", "", "## Agent Todo", ""].join("\n");

let of: World;
beforeEach(async () => {
  of = await makeWorld({ state: EMPTY });
});
afterEach(() => of.close());

const { run, add, todo, line, register } = verbsOn(() => of);

async function claim(agent: string, ...more: readonly string[]): Promise<Json> {
  return await run("claim", ...G, "--agent-id", agent, ...more);
}

async function events(): Promise<number> {
  const { head } = await of.store.load({ goal_id: "alpha" as never, todos: "none", base: "none" });
  return head?.seq ?? 0;
}

describe("claim", () => {
  test("selects the first in ready order, leases it, and renders the owner in the state file", async () => {
    await add("[P2] later");
    const id = await add("[P0] first");
    const { exit, answer } = await claim("a1", "--ttl-seconds", "60");
    expect(exit).toBe(0);
    expect(answer).toMatchObject({
      claimed: true,
      todo: { todo_id: id },
      lease: { owner: "a1", epoch: 1, version: 1, ttl_seconds: 60 },
    });
    expect(Date.parse(answer.lease.expires_at) - Date.parse(of.now())).toBe(60 * SECOND_MS);
    expect(line(id)).toContain("claimed_by=a1");
    expect((await claim("a2")).answer.todo.text).toBe("[P2] later");
  });

  test("C1 nothing to claim is an answer: no todo, no lease, nothing recorded", async () => {
    await add("x");
    await claim("a1");
    const before = await events();
    const { exit, answer } = await claim("a2");
    expect([exit, answer.todo, answer.lease]).toEqual([0, null, null]);
    expect(answer.decision).toMatchObject({ act: "wait", why: "peers_own" });
    expect(answer.decision.wait.until > of.now()).toBe(true);
    expect(await events()).toBe(before);
  });

  test.each([
    ["is not UTF-8", (path: string) => writeFileSync(path, Buffer.from([0x23, 0xff, 0x0a]))],
    ["is gone", (path: string) => rmSync(path)],
  ])("nothing is given out while the state file %s: claim and a turn that is opened say what next says", async (_, damage) => {
    const id = await add("x");
    damage(statePath(of.project, "alpha"));
    of.advance(60_000);
    const read = (await run("next", ...G, "--agent-id", "a1")).answer;
    expect(read).toMatchObject({ act: "repair", why: "state_unreadable" });
    const claimed = (await claim("a1")).answer;
    expect(claimed).toMatchObject({ todo: null, lease: null, decision: { act: "repair", why: "state_unreadable" } });
    expect(claimed.decision.because).toBe(read.because);
    const named = await claim("a1", "--todo-id", id);
    expect([named.exit, named.answer.code]).toEqual([1, "state_unreadable"]);
    const opened = (await run("next", ...G, "--agent-id", "a1", "--turn-instance-id", "t1")).answer;
    expect(opened).toMatchObject({ act: "repair", why: "state_unreadable", because: read.because });
  });

  test.each([["next"], ["claim"], ["next", ...G]])("what is no agent id is told, and shown short: %s %s %s", async (...verb) => {
    const { exit, answer } = await run(...verb, "--agent-id", `$(id)${"x".repeat(10_000)}`);
    expect([exit, answer.code]).toEqual([2, "agent_id_invalid"]);
    expect(answer.message).toMatch(/^"\$\(id\)x{74}…" is no agent id: /);
  });

  test("C2 a todo that is asked for by name is leased, or refused with what stands in the way", async () => {
    const [first, second] = [await add("[P0] first"), await add("[P3] second")];
    expect((await claim("a1", "--todo-id", second)).answer.todo.todo_id).toBe(second);
    const lost = await claim("a2", "--todo-id", second);
    expect([lost.exit, lost.answer.code, lost.answer.holder]).toEqual([4, "todo_lease_conflict", "a1"]);
    const waits = await add("third", "--depends-on", first);
    const held = await claim("a2", "--todo-id", waits);
    expect([held.exit, held.answer.code, held.answer.by]).toEqual([1, "todo_waits", first]);
    expect((await claim("a2", "--todo-id", "todo_nowhere")).exit).toBe(3);
  });

  test("C2 an agent that only looks after monitors is given no work, asked for by name or not", async () => {
    register({ coordination: { registered_agents: ["a1", "a2"], agent_work_modes: { a1: "monitor_only" } } });
    const id = await add("x");
    expect((await claim("a1")).answer).toMatchObject({ claimed: false, decision: { act: "wait", why: "monitor_only" } });
    const named = await claim("a1", "--todo-id", id);
    expect([named.exit, named.answer.code]).toEqual([1, "agent_monitor_only"]);
    expect(named.answer.fix).toBe("loopx configure-goal --goal-id alpha --agent-work-mode a1=active --execute");
    const watch = await add("y", "--task-class", "continuous_monitor", "--watch-only");
    expect((await claim("a1", "--todo-id", watch)).answer.claimed).toBe(true);
    expect((await claim("a2", "--todo-id", id)).answer.claimed).toBe(true);
  });

  test("C3 sets a turn aside, and gives out nothing that does not fit", async () => {
    register({ quota: { allowed_slots: 1 } });
    const [, second] = [await add("x"), await add("y")];
    expect((await claim("a1")).answer.claimed).toBe(true);
    const { answer } = await claim("a2");
    expect([answer.claimed, answer.decision.why]).toEqual([false, "throttled"]);
    const named = await claim("a2", "--todo-id", second);
    expect([named.answer.code, typeof named.answer.next_eligible_at]).toEqual(["over_quota", "string"]);
  });

  test("C3 settings that cannot be understood give out nothing", async () => {
    await add("x");
    register({ quota: { compute: "much" } });
    expect((await claim("a1")).answer.todo).toBeNull();
    expect((await claim("a1")).answer.decision.why).toBe("quota_invalid");
  });

  test("C4 one turn or key claims once: again, it gets the lease it got", async () => {
    await add("x");
    await add("y");
    const first = (await claim("a1", "--turn-instance-id", "t1")).answer;
    const again = (await claim("a1", "--turn-instance-id", "t1")).answer;
    expect(again).toMatchObject({ idempotent_replay: true, todo: { todo_id: first.todo.todo_id }, lease: first.lease });
    const other = await claim("a2", "--turn-instance-id", "t1");
    expect([other.exit, other.answer.code]).toEqual([1, "idempotency_key_reuse"]);
  });

  test("C4 a run that was recorded under the same name is another request", async () => {
    await add("x");
    expect((await run("refresh", ...G, "--turn-instance-id", "t1")).exit).toBe(0);
    expect((await claim("a1", "--idempotency-key", "t1")).answer.claimed).toBe(true);
  });

  test("C4 an answer of nothing is given anew each time", async () => {
    expect((await claim("a1", "--turn-instance-id", "t1")).answer.claimed).toBe(false);
    await add("x");
    expect((await claim("a1", "--turn-instance-id", "t1")).answer.claimed).toBe(true);
  });

  test("C5 what an agent holds it gets again, with the number it has", async () => {
    await add("x");
    await add("y");
    const first = (await claim("a1")).answer;
    expect((await claim("a1")).answer).toMatchObject({ todo: { todo_id: first.todo.todo_id }, lease: { epoch: 1 } });
  });

  test("takes over at the very end of a lease, under the next number; the late writer learns who has it", async () => {
    const id = await add("x");
    await claim("a1", "--ttl-seconds", "10");
    of.advance(10 * SECOND_MS - 1);
    expect((await claim("a2")).answer.claimed).toBe(false);
    of.advance(1);
    expect((await claim("a2")).answer).toMatchObject({ claimed: true, lease: { owner: "a2", epoch: 2 } });
    const late = await run(
      "done",
      ...G,
      "--agent-id",
      "a1",
      "--todo-id",
      id,
      "--lease-epoch",
      "1",
      "--no-follow-up",
      "--reason",
      "r",
    );
    expect([late.exit, late.answer.code, late.answer.holder]).toEqual([4, "stale_epoch", "a2"]);
    expect((await todo(id)).status).toBe("open");
  });

  test("a rehearsal tells what would be claimed and records nothing", async () => {
    const id = await add("x");
    const before = [await events(), of.text()];
    expect((await claim("a1", "--dry-run")).answer).toMatchObject({ dry_run: true, todo: { todo_id: id } });
    expect([await events(), of.text()]).toEqual(before);
  });

  test("needs an agent of the goal", async () => {
    register({ coordination: { registered_agents: ["a1", "a2"] } });
    expect((await run("claim", ...G)).answer.code).toBe("agent_required");
    const stranger = await claim("zoe");
    expect([stranger.exit, stranger.answer.code]).toEqual([3, "unknown_agent"]);
  });
});
