// How the reference answers questions to a person: `todo complete --decision-outcome`.
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { eventsOf } from "../../test/fakes/asks.ts";
import { G, verbsOn } from "../../test/fakes/todo-verbs.ts";
import { makeWorld, type World } from "../../test/fakes/workspace.ts";

let of: World;
beforeEach(async () => {
  of = await makeWorld({ goals: ["alpha", "beta"] });
});
afterEach(() => of.close());

const { run, add, todo, line } = verbsOn(() => of);

async function ask(text: string, ...more: readonly string[]): Promise<string> {
  return (await run("gate", "add", ...G, "--text", text, ...more)).answer.todo_id;
}

describe("todo complete --decision-outcome", () => {
  test("C1 answers once", async () => {
    const gate = await ask("Ship it?");
    expect((await run("todo", "complete", gate)).answer.code).toBe("gate_needs_decision");
    const { answer } = await run("todo", "complete", gate, "--decision-outcome", "approve", "--next", "Ship");
    expect(answer).toMatchObject({ changed: true, status: "done", next_todos: [{ text: "Ship" }] });
    expect((await run("todo", "complete", gate, "--decision-outcome", "approve")).answer).toMatchObject({ changed: false });
    expect((await run("todo", "complete", gate, "--decision-outcome", "reject")).answer.code).toBe("gate_decided");
    expect((await run("todo", "complete", "todo_ground", ...G, "--decision-outcome", "cancel")).answer.code).toBe("not_a_gate");
  });

  test("C2 cancel withdraws the question", async () => {
    const work = await add("work");
    const gate = await ask("Ship it?", "--unblocks-todo-id", work);
    const { answer } = await run("todo", "complete", gate, "--decision-outcome", "cancel");
    expect(answer.todo.metadata).toMatchObject({ decision_outcome: "cancel", outcome: "superseded" });
    expect((await todo(work)).waits_for).toBeUndefined();
  });

  test.each(["approve", "cancel"])("keeps no reason of a deferral: %s", async (outcome) => {
    const gate = await ask("Ship it?");
    await run("gate", "defer", gate, "--reason", "later");
    const { answer } = await run("todo", "complete", gate, "--decision-outcome", outcome);
    expect(answer.todo.metadata["decision_outcome"]).toBe(outcome);
    expect(answer.todo.metadata["reason"]).not.toBe("later");
    expect(line(gate)).not.toContain("later");
  });

  test.each(["approve", "reject", "cancel"])("C3 an agent does not answer a person's question: %s", async (outcome) => {
    const gate = await ask("Ship it?");
    const events = (await eventsOf(of)).length;
    const said = await run("todo", "complete", gate, "--agent-id", "a1", "--decision-outcome", outcome);
    expect([said.exit, said.answer.code]).toEqual([1, "gate_for_person"]);
    expect(said.answer).toMatchObject({
      message: `${gate} is a question to a person: a1 cannot answer, withdraw or move it.`,
      fix: `loopx gate approve ${gate} --goal-id alpha`,
    });
    expect((await eventsOf(of)).length).toBe(events);
    expect(await todo(gate)).toMatchObject({ status: "open" });
    const answered = await run("todo", "complete", gate, "--decision-outcome", outcome);
    expect(answered.answer.todo.metadata).toMatchObject({ decision_outcome: outcome, decided_by: "person" });
  });

  test.each<[string, readonly string[]]>([
    ["todo supersede", ["todo", "supersede", "--reason", "old"]],
    ["whom it holds up", ["todo", "update", "--unblocks-todo-id", "todo_ground"]],
    ["what becomes of it", ["todo", "update", "--on-reject", "reopen"]],
    ["what it is", ["todo", "update", "--task-class", "user_action"]],
  ])("N1 W3 an agent does not end or move a person's question: %s", async (_, [noun = "", verb = "", ...more]) => {
    const gate = await ask("Ship it?");
    const before = (await eventsOf(of)).length;
    const said = await run(noun, verb, gate, "--agent-id", "a1", ...more);
    expect([said.exit, said.answer.code]).toEqual([1, "gate_for_person"]);
    expect((await eventsOf(of)).length).toBe(before);
    expect((await run(noun, verb, gate, ...more)).answer).toMatchObject({ ok: true, changed: true });
  });

  test("N1 an agent may say more about a question", async () => {
    const gate = await ask("Ship it?");
    const { answer } = await run("todo", "update", gate, "--agent-id", "a1", "--note", "The build is green.");
    expect(answer).toMatchObject({ ok: true, changed: true });
  });
});
