// Todos are changed, put aside and opened again.
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Json, takeIn } from "../../test/fakes/asks.ts";
import { G, verbsOn } from "../../test/fakes/todo-verbs.ts";
import { makeWorld, type World } from "../../test/fakes/workspace.ts";

let of: World;
beforeEach(async () => {
  of = await makeWorld();
});
afterEach(() => of.close());

const { run, add, todo, line, register } = verbsOn(() => of);

describe("todo update", () => {
  test("changes what is said, keeps the rest, unknown keys too", async () => {
    const { answer } = await run("todo", "update", "todo_ground", "--agent-id", "builder", "--priority", "0", "--note", "n");
    expect(answer).toMatchObject({ changed: true, todo: { text: "[P0] Build the ground", priority: 0 } });
    expect(line("todo_ground")).toBe(
      "- [ ] [P0] Build the ground\n  <!-- loopx:todo todo_id=todo_ground status=open claimed_by=builder own_key=kept note=n -->",
    );
    expect((await run("todo", "update", "todo_ground", "--agent-id", "builder", "--note", "n")).answer.changed).toBe(false);
  });

  test("its owner alone changes it, and a person may", async () => {
    register({ coordination: { registered_agents: ["ada", "builder"] } });
    const { exit, answer } = await run("todo", "update", "todo_ground", "--agent-id", "ada", "--note", "n");
    expect([exit, answer.code, answer.holder]).toEqual([4, "todo_claimed", "builder"]);
    expect((await run("todo", "update", "todo_ground", "--clear-claim")).answer.claimed_by).toBeNull();
    expect(line("todo_ground")).not.toContain("claimed_by");
  });

  test("U1 done is said by complete", async () => {
    const { exit, answer } = await run("todo", "update", "todo_ground", "--status", "done");
    expect([exit, answer.code]).toEqual([1, "use_complete"]);
    expect(answer.fix).toBe("loopx todo complete --todo-id todo_ground --next '…'");
  });

  test("U4 closed work gets its word of what comes next", async () => {
    await takeIn(of);
    of.edit((text) => text.replace("- [ ] Write it down", "- [x] Write it down"));
    const { answer } = await run("todo", "list", ...G, "--status", "done");
    const closed = answer.todos.find((each: Json) => each.text === "Write it down").todo_id;
    await takeIn(of);
    expect(await todo(closed)).toMatchObject({ gap: true });
    expect((await run("todo", "update", closed, "--no-follow-up")).answer.code).toBe("reason_required");
    expect((await run("todo", "update", closed, "--no-follow-up", "--reason", "all said")).exit).toBe(0);
    expect((await todo(closed)).gap).toBeUndefined();
    expect((await run("todo", "update", "todo_ground", "--next", "more")).answer.code).toBe("todo_not_done");
  });

  test("U3 the owner of a lease is changed by the lease", async () => {
    const id = await add("leased");
    await run("claim", ...G, "--agent-id", "ada", "--todo-id", id);
    const { exit, answer } = await run("todo", "update", id, "--agent-id", "ada", "--claimed-by", "bob");
    expect([exit, answer.code, answer.holder]).toEqual([4, "todo_lease_conflict", "ada"]);
  });

  test("a writer with an old number is told who has it now", async () => {
    const id = await add("leased");
    const { answer: first } = await run("claim", ...G, "--agent-id", "ada", "--todo-id", id, "--ttl-seconds", "1");
    of.advance(2000);
    await run("claim", ...G, "--agent-id", "bob", "--todo-id", id);
    const { exit, answer } = await run(
      "todo",
      "update",
      id,
      "--agent-id",
      "ada",
      "--lease-epoch",
      String(first.lease.epoch),
      "--note",
      "late",
    );
    expect([exit, answer.code, answer.holder]).toEqual([4, "stale_epoch", "bob"]);
  });
});

describe("block, defer, reopen", () => {
  test("a todo goes aside and comes back", async () => {
    const id = await add("x");
    await run("todo", "block", id, "--reason", "API down");
    expect(line(id)).toContain("- [ ] x\n  <!-- loopx:todo");
    expect(line(id)).toContain("status=blocked reason=API%20down");
    await run("todo", "reopen", id);
    expect(await todo(id)).toMatchObject({ status: "open", metadata: {} });
    await run("todo", "defer", id, "--until", "2030-01-01");
    expect(line(id)).toMatch(/^- \[-\] x\n.*status=deferred resume_when=at:2030-01-01T00:00:00%2B00:00/);
    await run("todo", "reopen", id);
    expect(await todo(id)).toMatchObject({ status: "open", metadata: {} }); // U2
    expect((await run("todo", "reopen", id)).answer.changed).toBe(false);
  });

  test("U1 what is done is not put off, and is opened afresh", async () => {
    const id = await add("x");
    await run("todo", "complete", id, "--next", "y", "--evidence", "e");
    expect((await run("todo", "defer", id)).answer.code).toBe("todo_closed");
    expect((await run("todo", "reopen", id)).exit).toBe(0);
    expect((await todo(id)).metadata).toEqual({ evidence: "e" });
  });

  test("whoever held it holds it no more", async () => {
    const id = await add("x");
    await run("claim", ...G, "--agent-id", "ada", "--todo-id", id);
    await run("todo", "block", id, "--agent-id", "ada", "--reason", "r");
    expect((await run("todo", "show", id)).answer).toMatchObject({ lease: null, todo: { status: "blocked", claimed_by: null } });
  });

  test("a question is not put off as a todo", async () => {
    const { answer } = await run("gate", "add", ...G, "--text", "Ship?");
    expect((await run("todo", "defer", answer.todo_id)).answer.code).toBe("gate_needs_decision");
    expect((await run("todo", "block", answer.todo_id)).answer.code).toBe("gate_needs_decision");
  });
});
