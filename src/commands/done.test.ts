// A todo is finished: verified, closed, followed up, its lease freed and its cost settled, all or nothing.
import { existsSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Json } from "../../test/fakes/asks.ts";
import { G, verbsOn } from "../../test/fakes/todo-verbs.ts";
import { makeWorld, type World } from "../../test/fakes/workspace.ts";

const EMPTY = ["## Objective", "", "Ship it.", "", "## Agent Todo", ""].join("\n");
const NOTHING = ["--no-follow-up", "--reason", "that was all"];
/** Passes where the file is there. */
const IS_THERE = JSON.stringify([process.execPath, "-e", "require('node:fs').accessSync('made.txt')"]);

let of: World;
beforeEach(async () => {
  of = await makeWorld({ state: EMPTY });
});
afterEach(() => of.close());

const { run, add, todo, line } = verbsOn(() => of);

async function claimed(...more: readonly string[]): Promise<string> {
  const { answer } = await run("claim", ...G, "--agent-id", "a1", ...more);
  expect(answer.claimed).toBe(true);
  return answer.todo.todo_id;
}

async function done(...more: readonly string[]): Promise<Json> {
  return await run("done", ...G, "--agent-id", "a1", ...more);
}

async function head(): Promise<Json> {
  return (await of.store.load({ goal_id: "alpha" as never, todos: "none", base: "none" })).head;
}

function make(): string {
  const path = join(of.project, "made.txt");
  writeFileSync(path, "made\n");
  return path;
}

describe("done", () => {
  test("closes, follows up, frees and spends in one transaction", async () => {
    await add("[P1] x");
    const id = await claimed();
    const before = (await head()).seq;
    const { exit, answer } = await done("--summary", "x works", "--next", "y");
    expect([exit, answer.changed, answer.status, answer.spent]).toEqual([0, true, "done", { slots: 1, tokens: 0, wall_ms: 0 }]);
    const [next] = answer.next_todos;
    expect(await todo(next)).toMatchObject({ text: "[P1] y", status: "open" });
    expect(line(id)).toMatch(/^- \[x\] \[P1\] x\n/);
    const after = await head();
    expect([after.leases, after.spent.slots, after.unspent]).toEqual([{}, 1, {}]);
    const types = await of.store.events({ goal_id: "alpha" as never, order: "oldest_first", beyond_seq: before, limit: 20 });
    expect(new Set(types.map(({ at }) => at)).size).toBe(1);
    expect(types.map(({ type }) => type)).toEqual(
      expect.arrayContaining(["turn.written", "run.recorded", "todo.added", "todo.closed", "lease.freed", "turn.spent"]),
    );
  });

  test("O1 says what comes next or why nothing does, and a no changes nothing", async () => {
    await add("x");
    const id = await claimed();
    const before = [(await head()).seq, of.text()];
    const { exit, answer } = await done("--summary", "s");
    expect([exit, answer.code]).toEqual([1, "continuation_required"]);
    expect((await done("--no-follow-up")).answer.code).toBe("option_missing");
    expect((await done(...NOTHING, "--next", "y")).answer.code).toBe("option_conflict");
    expect([(await head()).seq, of.text()]).toEqual(before);
    expect((await todo(id)).status).toBe("open");
  });

  test("F1 D1 nothing is done without evidence that passes now: the words alone do not count", async () => {
    await add("x", "--validation-command-argv", IS_THERE);
    const id = await claimed();
    const path = make();
    expect((await run("verify", id, ...G, "--agent-id", "a1")).exit).toBe(0);
    rmSync(path);
    const { exit, answer } = await done("--summary", "made it, really", ...NOTHING);
    expect([exit, answer.code, answer.outcome]).toEqual([1, "checks_failed", "failed"]);
    expect(answer.message).toMatch(/ ended with exit code 1\.$/);
    expect((await todo(id)).status).toBe("open");
    expect(Object.keys((await head()).leases)).toEqual([id]);
    make();
    const passed = await done("--summary", "made it", ...NOTHING);
    expect([passed.exit, passed.answer.evidence[0].outcome, (await todo(id)).status]).toEqual([0, "passed", "done"]);
    expect(existsSync(path)).toBe(true);
  });

  test("D1 checks that cannot be understood verify nothing", async () => {
    const id = await add("x", "--validation-command-argv", IS_THERE);
    of.edit((text) => text.replace(/validation_command_argv=\S+/, "validation_command_argv=%5B%5D"));
    of.advance(60_000);
    await claimed();
    expect((await done(...NOTHING)).answer.code).toBe("checks_invalid");
    expect((await todo(id)).status).toBe("open");
  });

  test("D2 T2 one turn finishes once: again, it gets the same answer, although its lease is gone", async () => {
    await add("x");
    const id = await claimed("--turn-instance-id", "t1");
    const first = (await done("--turn-instance-id", "t1", "--next", "y")).answer;
    const { seq } = await head();
    const again = (await done("--turn-instance-id", "t1", "--next", "y")).answer;
    expect(again).toMatchObject({ todo_id: id, changed: false, idempotent_replay: true, next_todos: first.next_todos });
    expect((await head()).seq).toBe(seq);
    const other = await done("--turn-instance-id", "t1", "--next", "z");
    expect([other.exit, other.answer.code]).toEqual([1, "idempotency_key_reuse"]);
  });

  test("D2 L1 a turn that names neither goal nor todo finishes once, whatever its agent took in hand since", async () => {
    await of.close();
    of = await makeWorld({ state: EMPTY, goals: ["alpha", "beta"] });
    await add("x");
    const id = await claimed("--turn-instance-id", "t1");
    const asked = ["done", "--agent-id", "a1", "--turn-instance-id", "t1", "--next", "y"];
    const first = await run(...asked);
    const again = await run(...asked);
    const same = { ...first.answer, changed: false, idempotent_replay: true };
    expect([first.exit, again.exit]).toEqual([0, 0]);
    for (const field of ["goal_id", "todo_id", "status", "next_todos", "changed", "idempotent_replay"])
      expect([field, again.answer[field]]).toEqual([field, same[field]]);
    await run("todo", "add", "--goal-id", "beta", "--role", "agent", "--text", "other");
    const other = await run("claim", "--goal-id", "beta", "--agent-id", "a1", "--turn-instance-id", "t2");
    expect(other.answer.claimed).toBe(true);
    expect((await run(...asked)).answer).toMatchObject({ goal_id: "alpha", todo_id: id, idempotent_replay: true });
    const strange = await run("done", "--agent-id", "a2", "--turn-instance-id", "t3", ...NOTHING);
    expect([strange.exit, strange.answer.code]).toEqual([1, "nothing_leased"]);
    const next = await run("done", "--agent-id", "a1", "--turn-instance-id", "t2", ...NOTHING);
    expect(next.answer).toMatchObject({ goal_id: "beta", todo_id: other.answer.todo.todo_id, changed: true });
  });

  test("D3 what is closed already is an answer", async () => {
    await add("x");
    const id = await claimed();
    await done("--todo-id", id, ...NOTHING);
    const { exit, answer } = await done("--todo-id", id, ...NOTHING);
    expect([exit, answer.changed, (await head()).spent.slots]).toEqual([0, false, 1]);
  });

  test("D1 D3 D5 a late writer is told who holds the todo, whatever its checks say, and none of them is run", async () => {
    const ran = JSON.stringify([process.execPath, "-e", "require('node:fs').writeFileSync('ran.txt', ''); process.exit(1)"]);
    const id = await add("x", "--validation-command-argv", ran);
    await claimed("--ttl-seconds", "60");
    of.advance(61_000);
    await run("claim", ...G, "--agent-id", "a2");
    const late = ["--todo-id", id, "--lease-epoch", "1", "--agent-id", "a1", ...G];
    const before = (await head()).seq;
    for (const verb of [["done"], ["done", "--turn-instance-id", "t1"], ["todo", "complete"]]) {
      const { exit, answer } = await run(...verb, ...late, ...NOTHING);
      expect([verb, exit, answer.code, answer.holder]).toEqual([verb, 4, "stale_epoch", "a2"]);
    }
    expect((await run("verify", ...late)).answer).toMatchObject({ code: "stale_epoch", holder: "a2" });
    expect((await run("todo", "complete", id, ...G, "--agent-id", "a1", ...NOTHING)).answer.code).toBe("todo_lease_conflict");
    expect([(await head()).seq, existsSync(join(of.project, "ran.txt"))]).toEqual([before, false]);
    expect((await run("done", ...G, "--agent-id", "a2", ...NOTHING)).answer.code).toBe("tree_changed");
    await run("todo", "update", id, ...G, "--agent-id", "a2", "--validation-command-argv", '["true"]');
    expect((await run("done", ...G, "--agent-id", "a2", ...NOTHING)).exit).toBe(0);
    const closed = await run("done", ...late, ...NOTHING);
    expect([closed.exit, closed.answer.code, closed.answer.holder]).toEqual([4, "stale_epoch", "a2"]);
  });

  test("D5 whoever seemed late and is not has the checks run", async () => {
    const id = await add("x", "--validation-command-argv", IS_THERE);
    await claimed("--turn-instance-id", "t1");
    make();
    const first = await done("--turn-instance-id", "t1", "--lease-epoch", "1", ...NOTHING);
    await run("todo", "reopen", id, ...G, "--agent-id", "a1");
    const again = await done("--turn-instance-id", "t1", "--lease-epoch", "1", ...NOTHING);
    expect([first.exit, again.exit, again.answer.idempotent_replay]).toEqual([0, 0, true]);
  });

  test("T1 an agent with two todos in hand names one, unless it names the turn", async () => {
    await add("x");
    const other = await add("y");
    const first = await claimed("--turn-instance-id", "t1");
    await claimed("--todo-id", other);
    expect((await done(...NOTHING)).answer.code).toBe("todo_ambiguous");
    expect((await done("--turn-instance-id", "t1", ...NOTHING)).answer.todo_id).toBe(first);
  });

  test("K2 a lease that was taken in a turn answers to its number or to that turn", async () => {
    await add("x");
    await claimed("--turn-instance-id", "t1");
    expect((await done(...NOTHING)).answer.code).toBe("lease_fence_required");
    expect((await done("--lease-epoch", "1", ...NOTHING)).exit).toBe(0);
  });

  test("K2 the key that claim shows is a proof, together with the version", async () => {
    await add("x");
    const { answer } = await run("claim", ...G, "--agent-id", "a1");
    const proof = ["--task-lease-idempotency-key", answer.lease.key, "--task-lease-expected-version"];
    expect((await done(...proof, "2", ...NOTHING)).answer.code).toBe("version_mismatch");
    expect((await done(...proof, "1", ...NOTHING)).exit).toBe(0);
  });

  test("a rehearsal tells and records nothing", async () => {
    await add("x");
    const id = await claimed();
    const before = [(await head()).seq, of.text()];
    expect((await done("--dry-run", ...NOTHING)).answer).toMatchObject({ dry_run: true, changed: false });
    expect([(await head()).seq, of.text(), (await todo(id)).status]).toEqual([...before, "open"]);
  });
});
