// Todos are closed, with what comes next, and claimed.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { eventsOf, type Json } from "../../test/fakes/asks.ts";
import { G, verbsOn } from "../../test/fakes/todo-verbs.ts";
import { makeWorld, type World } from "../../test/fakes/workspace.ts";
import { parsePlan } from "../core/plan/parse.ts";

let of: World;
beforeEach(async () => {
  of = await makeWorld();
});
afterEach(() => of.close());

const { run, add, todo, line, register } = verbsOn(() => of);

describe("todo complete", () => {
  test("with what comes next, in one transaction", async () => {
    const id = await add("x", "--priority", "2");
    const { answer } = await run(
      "todo",
      "complete",
      id,
      "--next",
      "y, then z",
      "--next",
      "[P0] w",
      "--next-action-kind",
      "fix",
      "--note",
      "n",
    );
    expect(answer).toMatchObject({
      changed: true,
      status: "done",
      todo: { metadata: { note: "n", completion_continuation: "successor" } },
    });
    expect(answer.next_todos).toMatchObject([
      { text: "[P2] y, then z", priority: 2, metadata: { action_kind: "fix" } },
      { text: "[P0] w", priority: 0 },
    ]);
    const ids = answer.next_todos.map((each: Json) => each.todo_id);
    expect(answer.todo.metadata.successor_todo_ids).toBe(ids.join(","));
    expect(line(id)).toMatch(/^- \[x\] \[P2\] x\n/);
    expect(parsePlan(of.text()).todos.map(({ todo_id }) => todo_id)).toEqual(expect.arrayContaining(ids));
    const again = await run("todo", "complete", id, "--next", "more");
    expect([again.exit, again.answer.changed, again.answer.next_todos]).toEqual([0, false, []]); // E2
  });

  test("O1 work says what comes next or why nothing does", async () => {
    const id = await add("x");
    const { exit, answer } = await run("todo", "complete", id);
    expect([exit, answer.code]).toEqual([1, "continuation_required"]);
    expect((await run("todo", "complete", id, "--no-follow-up")).answer.code).toBe("reason_required");
    expect((await run("todo", "complete", id, "--no-follow-up", "--next", "y")).answer.code).toBe("option_conflict");
    expect((await run("todo", "complete", id, "--no-follow-up", "--evidence", "see log")).answer.todo.metadata).toMatchObject({
      no_followup: "true",
      reason: "see log",
    });
  });

  test("a person's todo needs no word of what comes next", async () => {
    const { answer } = await run("todo", "add", ...G, "--text", "Call", "--task-class", "user_action");
    expect((await run("todo", "complete", answer.todo_id)).answer.status).toBe("done");
  });

  test("E1 where several work, one of them closes work, and only its own", async () => {
    register({ coordination: { registered_agents: ["ada", "builder"] } });
    const said = ["--no-follow-up", "--reason", "r"];
    expect((await run("todo", "complete", "todo_ground", ...said)).exit).toBe(3);
    expect((await run("todo", "complete", "todo_ground", "--agent-id", "ada", ...said)).answer.code).toBe("todo_claimed");
    expect((await run("todo", "complete", "todo_ground", "--agent-id", "builder", ...said)).exit).toBe(0);
  });

  test("K1 checks are run before it is closed, and only passing ones close it", async () => {
    const id = await add("x", "--validation-command", "test -f made.txt");
    const refused = await run("todo", "complete", id, "--next", "y");
    expect([refused.exit, refused.answer.code, refused.answer.check]).toEqual([1, "checks_failed", "test -f made.txt"]);
    expect((await todo(id)).status).toBe("open");
    writeFileSync(join(of.project, "made.txt"), "");
    expect((await run("todo", "complete", id, "--next", "y", "--dry-run")).answer).toMatchObject({
      dry_run: true,
      changed: true,
    });
    expect((await run("todo", "complete", id, "--next", "y")).answer).toMatchObject({ changed: true, status: "done" });
    const made = (await eventsOf(of)).filter(({ type }) => type === "evidence.recorded" || type === "todo.closed");
    expect(made).toMatchObject([{ data: { todo_id: id, outcome: "passed" } }, { type: "todo.closed" }]);
    expect((await run("todo", "complete", id, "--next", "z")).answer).toMatchObject({ changed: false });
  });

  test.each([["--dry-run"], []])("K2 checks that a person wrote just now are those that are run %s", async (...more) => {
    const id = await add("x");
    of.edit((text) => text.replace(`todo_id=${id}`, `todo_id=${id} validation_command=false`));
    const { answer } = await run("todo", "complete", id, "--next", "y", ...more);
    expect([answer.code, answer.check]).toEqual(["checks_failed", "false"]);
    const unclear = await add("y");
    of.edit((text) => text.replace(`todo_id=${unclear}`, `todo_id=${unclear} validation_checks=%7B`));
    expect((await run("todo", "complete", unclear, "--next", "y", ...more)).answer.code).toBe("checks_invalid");
  });

  test("checks are nothing to what takes the place of a todo", async () => {
    const id = await add("x", "--validation-command", "false");
    expect((await run("todo", "supersede", id, "--next", "y")).answer.status).toBe("done");
  });

  test("two writers close it once, and one successor is added", async () => {
    const id = await add("x");
    const both = await Promise.all(["y", "z"].map((text) => run("todo", "complete", id, "--next", text)));
    expect(both.map(({ answer }) => answer.changed).sort()).toEqual([false, true]);
    expect((await run("todo", "list", ...G)).answer.todos.filter(({ text }: Json) => text === "y" || text === "z")).toHaveLength(
      1,
    );
  });

  test("a successor that asks a person says so", async () => {
    const id = await add("x");
    expect((await run("todo", "complete", id, "--next-user-todo", "Look")).answer.code).toBe("task_class_required");
    const { answer } = await run("todo", "complete", id, "--next-user-todo", "Look", "--next-user-task-class", "user_gate");
    expect(answer.next_todos).toMatchObject([{ role: "user", kind: "gate", metadata: { asked_at: expect.any(String) } }]);
  });

  test("with the fence of the lease, in both spellings", async () => {
    const id = await add("x");
    const { answer } = await run("claim", ...G, "--agent-id", "ada", "--todo-id", id, "--idempotency-key", "k1");
    const said = ["--agent-id", "ada", "--no-follow-up", "--reason", "r"];
    const wrong = ["--task-lease-idempotency-key", "k2", "--task-lease-expected-version", "1"];
    expect((await run("todo", "complete", id, ...said, ...wrong)).answer.code).toBe("lease_cas_mismatch");
    expect((await run("todo", "complete", id, ...said, "--lease-epoch", "99")).answer.code).toBe("stale_epoch");
    expect((await run("todo", "complete", id, ...said, "--lease-epoch", String(answer.lease.epoch))).exit).toBe(0);
    expect((await run("todo", "show", id)).answer.lease).toBeNull();
  });
});

describe("todo supersede", () => {
  test("E4 the replacement stands where the old one stood", async () => {
    const { answer } = await run(
      "todo",
      "supersede",
      "todo_ground",
      "--agent-id",
      "builder",
      "--next",
      "Dig deeper",
      "--reason",
      "too soft",
    );
    expect(answer.todo).toMatchObject({ status: "done", metadata: { outcome: "superseded", reason: "too soft" } });
    expect(answer.next_todos).toMatchObject([{ text: "[P1] Dig deeper", claimed_by: "builder" }]);
    expect(answer.todo.metadata.superseded_by).toBe(answer.next_todos[0].todo_id);
  });

  test("by one that is there", async () => {
    const [old, other] = [await add("old"), await add("other")];
    expect((await run("todo", "supersede", old, "--superseded-by", "todo_nowhere")).exit).toBe(3);
    expect((await run("todo", "supersede", old, "--superseded-by", old)).exit).toBe(2);
    expect((await run("todo", "supersede", old, "--superseded-by", other)).answer.todo.metadata.superseded_by).toBe(other);
    expect((await todo(old)).gap).toBeUndefined();
    expect((await run("todo", "complete", old, "--next", "x")).answer.code).toBe("todo_closed");
  });
});

describe("todo claim", () => {
  test("is claim under the reference's name", async () => {
    const { answer } = await run("todo", "claim", "todo_ground", ...G, "--claimed-by", "builder", "--agent-id", "builder");
    expect(answer).toMatchObject({ claimed: true, lease: { owner: "builder" } });
    const id = await add("elsewhere");
    expect((await run("claim", "--todo-id", id, "--agent-id", "ada")).answer).toMatchObject({
      goal_id: "alpha",
      todo: { todo_id: id },
    });
    expect((await run("claim", "--todo-id", "todo_nowhere", "--agent-id", "ada")).exit).toBe(3);
    expect((await run("todo", "claim", "todo_ground", "--claimed-by", "a", "--agent-id", "b")).answer.code).toBe(
      "option_conflict",
    );
  });
});
