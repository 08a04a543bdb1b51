// Questions to a person: asked, listed over all goals, answered once, and by default when their time is up.
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { eventsOf, type Json } from "../../test/fakes/asks.ts";
import { loopxPage } from "../../test/fakes/cli.ts";
import { G, verbsOn } from "../../test/fakes/todo-verbs.ts";
import { makeWorld, REFRESH, STATE, statePath, type World, write } from "../../test/fakes/workspace.ts";
import { toRunTime } from "../core/instant.ts";

let of: World;
beforeEach(async () => {
  of = await makeWorld({ goals: ["alpha", "beta"] });
});
afterEach(() => of.close());

const { run, add, todo, line } = verbsOn(() => of);

async function ask(text: string, ...more: readonly string[]): Promise<string> {
  return (await run("gate", "add", ...G, "--text", text, ...more)).answer.todo_id;
}

function inMinutes(minutes: number): string {
  return toRunTime(new Date(Date.parse(of.now()) + minutes * 60_000).toISOString() as never);
}

describe("an answer", () => {
  test("approve frees what waits for it, and is found by the id alone", async () => {
    const work = await add("work");
    const gate = await ask("Ship it?", "--unblocks-todo-id", work);
    expect((await todo(work)).waits_for).toEqual([gate]);
    const { exit, answer } = await run("gate", "approve", gate, "--reason", "seen");
    expect(exit).toBe(0);
    expect(answer).toMatchObject({
      goal_id: "alpha",
      changed: true,
      decision: { outcome: "approve", reason: "seen", by: "person" },
      affected: [{ todo_id: work, status: "open", waits: false }],
    });
    expect(line(gate)).toMatch(/^- \[x\] Ship it\?\n.*decision_outcome=approve decided_by=person/);
    expect((await todo(work)).waits_for).toBeUndefined();
  });

  test("A1 a second one is refused and shows the first", async () => {
    const gate = await ask("Ship it?");
    await run("gate", "reject", gate, "--reason", "no");
    const text = of.text();
    for (const verb of ["approve", "reject", "defer"]) {
      const { exit, answer } = await run("gate", verb, gate);
      expect([exit, answer.code, answer.decision]).toEqual([
        1,
        "gate_decided",
        { outcome: "reject", at: expect.any(String), reason: "no" },
      ]);
    }
    expect(of.text()).toBe(text);
  });

  test("A4 a no to the whole goal blocks its work, says so, and the work is opened again one by one", async () => {
    of.edit((text) => text.replace("- [ ] Review the plan", "- [x] Review the plan"));
    const work = await add("work");
    const gate = await ask("Go on?", "--global-gate");
    const { gates } = (await run("gate", "list", ...G)).answer;
    expect(gates.find(({ todo_id }: Json) => todo_id === gate)).toMatchObject({
      holds_up: { scope: "goal" },
      on_reject: "block",
    });
    expect(await loopxPage(of, "gate", "reject", gate, "--dry-run")).toContain("opened again: `loopx todo reopen ID`");
    const { answer } = await run("gate", "reject", gate);
    const reason = `gate ${gate} was rejected`;
    expect(answer.affected).toContainEqual({ todo_id: work, status: "blocked", waits: false, reason });
    expect(answer.affected_count).toBe(answer.affected.length);
    const decision = (await run("next", ...G, "--agent-id", "a1")).answer;
    expect(decision).toMatchObject({ act: "wait", why: "waiting_on", because: expect.stringContaining(reason) });
    expect((await run("why-not", work, ...G, "--agent-id", "a1")).answer).toMatchObject({
      code: "not_open",
      message: `it is blocked: ${reason}`,
      change: `loopx todo reopen ${work}`,
    });
    await run("todo", "reopen", work);
    expect((await run("next", ...G, "--agent-id", "a1")).answer).toMatchObject({ act: "run", todo: { todo_id: work } });
  });

  test("two persons answer at one moment: one answer stands", async () => {
    const gate = await ask("Ship it?");
    const both = await Promise.all([run("gate", "approve", gate), run("gate", "reject", gate)]);
    expect(both.map(({ exit }) => exit).sort()).toEqual([0, 1]);
    expect((await eventsOf(of)).filter(({ type }) => type === "gate.decided")).toHaveLength(1);
  });

  test("A2 reject closes what it covers, and blocks what waits for that", async () => {
    const work = await add("work");
    const after = await add("after", "--depends-on", work);
    const gate = await ask("Ship it?", "--unblocks-todo-id", work);
    const { answer } = await run("gate", "reject", gate, "--reason", "too early");
    expect(answer.affected).toEqual(
      expect.arrayContaining([
        { todo_id: work, status: "done", waits: false, reason: `gate ${gate} was rejected` },
        { todo_id: after, status: "blocked", waits: false, reason: `it needs ${work}, which was rejected` },
      ]),
    );
    expect(line(work)).toContain("outcome=rejected");
  });

  test("A2 reject reaches a decision scope, and reopens where the gate says so", async () => {
    const scope = ["--required-decision-scope", "direction:action:importer"];
    const work = await add("work", ...scope);
    const gate = await ask("Go?", "--decision-scope", "direction:goal:importer");
    expect((await run("gate", "reject", gate)).answer.affected).toMatchObject([{ todo_id: work, status: "done" }]);
    const other = await add("other");
    const mild = await ask("Really?", "--unblocks-todo-id", other, "--on-reject", "reopen");
    await run("gate", "reject", mild);
    expect(await todo(other)).toMatchObject({ status: "open" });
    expect((await todo(other)).waits_for).toBeUndefined();
  });

  test("A3 defer asks again, at a time", async () => {
    const gate = await ask("Ship it?");
    const { answer } = await run("gate", "defer", gate, "--until", "2030-01-01", "--reason", "later");
    expect(answer).toMatchObject({ decision: { outcome: "defer" }, todo: { status: "open" } });
    expect((await run("gate", "show", gate)).answer.gates).toMatchObject([{ remind_at: "2030-01-01T00:00:00.000Z" }]);
    await run("gate", "defer", gate);
    const said = Date.parse((await run("gate", "show", gate)).answer.gates[0].remind_at);
    expect(said - Date.parse(of.now())).toBe(4 * 3_600_000);
    expect((await run("next", ...G, "--agent-id", "a1")).answer.tell?.todo_ids ?? []).not.toContain(gate);
    expect((await run("gate", "defer", gate, "--until", "soon")).answer.code).toBe("until_invalid");
    expect((await run("gate", "approve", gate)).exit).toBe(0);
  });

  test("what is no question, or not there", async () => {
    expect((await run("gate", "approve", "todo_ground")).answer.code).toBe("todo_ambiguous"); // Both goals have it.
    expect((await run("gate", "approve", "todo_ground", ...G)).answer).toMatchObject({ code: "not_a_gate" });
    expect((await run("gate", "approve", "todo_nowhere")).exit).toBe(3);
    expect((await run("gate", "approve", "nonsense")).exit).toBe(2);
  });

  test("a rehearsal stores nothing", async () => {
    const gate = await ask("Ship it?");
    const events = (await eventsOf(of)).length;
    expect((await run("gate", "approve", gate, "--dry-run")).answer).toMatchObject({ changed: false, dry_run: true });
    expect((await eventsOf(of)).length).toBe(events);
  });

  test("E5 what is held up by name is not closed before the answer", async () => {
    const work = await add("work");
    const gate = await ask("Ship it?", "--unblocks-todo-id", work);
    expect((await run("todo", "complete", work, "--next", "x")).answer).toMatchObject({ code: "gate_open", by: gate });
    await run("gate", "approve", gate);
    expect((await run("todo", "complete", work, "--next", "x")).exit).toBe(0);
  });
});

describe("the reference's ways", () => {
  test("operator-gate answers the only one, or says which there are", async () => {
    const said = ["operator-gate", ...G, "--decision"];
    expect((await run(...said, "approve")).answer.code).toBe("no_open_gate");
    const first = await ask("One?");
    const second = await ask("Two?");
    const { exit, answer } = await run(...said, "approve");
    expect([exit, answer.code, answer.gates.map((each: Json) => each.todo_id)]).toEqual([1, "gate_ambiguous", [first, second]]);
    expect((await run(...said, "reject", "--gate", first, "--reason-summary", "no")).answer).toMatchObject({
      todo_id: first,
      classification: "operator_gate_rejected",
      operator_gate_resume_contract: { rewind_repository: false },
      decision: { reason: "no" },
    });
    expect((await run(...said, "approve")).answer).toMatchObject({ todo_id: second, classification: "operator_gate_approved" });
  });
});

describe("the list", () => {
  test("is one over all goals: questions first, then what is to be done", async () => {
    const gate = await ask("[P1] Ship it?", "--global-gate");
    await run("gate", "add", "--goal-id", "beta", "--text", "[P0] Buy it?");
    const { answer } = await run("gate", "list");
    expect(answer.gates.map(({ goal_id, kind, text }: Json) => [goal_id, kind, text])).toEqual([
      ["beta", "gate", "[P0] Buy it?"],
      ["alpha", "gate", "[P1] Ship it?"],
      ["alpha", "action", "Review the plan"],
      ["beta", "action", "Review the plan"],
    ]);
    expect(answer.gates[1]).toMatchObject({
      todo_id: gate,
      since: of.now(),
      options: ["approve", "reject", "defer"],
      holds_up: { scope: "goal" },
      commands: [
        `loopx gate approve ${gate} --goal-id alpha`,
        `loopx gate reject ${gate} --goal-id alpha --reason '…'`,
        `loopx gate defer ${gate} --goal-id alpha --until '…'`,
      ],
    });
    expect([answer.gate_count, answer.goals_looked_at]).toEqual([4, 2]);
    expect((await run("gate", "list", ...G)).answer.gate_count).toBe(2);
    expect((await run("gate", "list", "--goal-id", "nope")).exit).toBe(3);
  });

  test("says what each holds up", async () => {
    const work = await add("work", "--required-decision-scope", "direction:action:x");
    await ask("a", "--unblocks-todo-id", work);
    of.advance(60_000);
    await ask("b", "--blocks-agent", "ada");
    of.advance(60_000);
    await ask("c", "--decision-scope", "direction:goal:x");
    const { answer } = await run("gate", "list", ...G);
    expect(answer.gates.slice(0, 3).map(({ holds_up }: Json) => holds_up)).toEqual([
      { scope: "todos", todo_ids: [work] },
      { scope: "agents", agents: ["ada"] },
      { scope: "decision", decision_scope: "direction:goal:x", todo_ids: [work] },
    ]);
  });

  test("L1 a question written by hand is there at once", async () => {
    await run("gate", "list");
    write(
      statePath(of.project, "beta"),
      `${STATE}\n## User Todo\n\n- [ ] By hand?\n  <!-- loopx:todo task_class=user_gate -->\n`,
    );
    const { answer } = await run("gate", "list");
    expect(answer.gates[0]).toMatchObject({ goal_id: "beta", kind: "gate", text: "By hand?", since: null });
    const id = answer.gates[0].todo_id;
    expect((await run("gate", "approve", id)).answer).toMatchObject({ goal_id: "beta", decision: { outcome: "approve" } });
  });

  test("G1 has at most 32 KiB and goes on", async () => {
    for (let at = 0; at < 60; at += 1) await ask(`${at} ${"why ".repeat(300)}`);
    const { answer } = await run("gate", "list");
    expect(JSON.stringify(answer, null, 2).length).toBeLessThanOrEqual(32_768);
    expect(answer.left_out.gates).toBe(answer.gate_count - answer.gates.length);
    const rest = (await run("gate", "list", "--limit", "100", "--cursor", answer.left_out.cursor)).answer;
    expect(answer.gates.length + rest.gates.length).toBe(62);
  });

  test("pages for people", async () => {
    const gate = await ask("Ship | it?");
    const shown = await loopxPage(of, "gate", "list", ...G);
    expect(shown).toContain("# 2 things wait for you");
    expect(shown).toContain(`- \`loopx gate approve ${gate} --goal-id alpha\``);
    expect(await loopxPage(of, "gate", "approve", gate)).toMatch(/^# Approved: Ship \\\| it\?/);
    expect(await loopxPage(of, "gate", "show", gate)).toContain("decision_outcome: approve");
  });
});

describe("X1 a question whose time is up", () => {
  async function due(): Promise<{ readonly gate: string; readonly work: string }> {
    const work = await add("work");
    const said = ["--expires-at", inMinutes(30), "--default-outcome", "reject"];
    const gate = await ask("Ship it?", "--unblocks-todo-id", work, ...said);
    of.advance(31 * 60_000);
    return { gate, work };
  }

  test("G2 is shown as expired by a read, which records nothing", async () => {
    const { gate } = await due();
    const events = (await eventsOf(of)).length;
    expect((await run("gate", "list", ...G)).answer.gates[0]).toMatchObject({
      todo_id: gate,
      expired: true,
      default_outcome: "reject",
    });
    expect((await eventsOf(of)).length).toBe(events);
  });

  test("A1 a refresh of all goals that finds nothing due writes nothing, and rehearsed says what it would", async () => {
    await run("refresh", "--all");
    const { gate } = await due();
    const refreshed = [{ goal_id: "alpha", events: 2 }];
    expect((await run("refresh", "--all", "--dry-run")).answer).toMatchObject({ refreshed });
    expect(await todo(gate)).toMatchObject({ status: "open" });
    expect((await run("refresh", "--all")).answer).toMatchObject({ refreshed });
    expect(line(gate)).toContain("decision_outcome=reject");
    expect((await run("refresh", "--all")).answer).toMatchObject({ refreshed: [] });
  });

  test.each<[string, readonly string[]]>([
    ["poll", ["poll", ...G]],
    ["poll of all goals", ["poll"]],
    ["a refresh of all goals", ["refresh", "--all"]],
    ["an answer to another question", ["operator-gate", ...G, "--decision", "defer"]],
  ])("is answered by default by %s", async (_, argv) => {
    const { gate, work } = await due();
    if (argv[0] === "operator-gate") await ask("Another?");
    await run(...argv, ...(argv[0] === "operator-gate" ? ["--gate", await ask("Third?")] : []));
    expect(await todo(gate)).toMatchObject({ status: "done", metadata: { decision_outcome: "reject", decided_by: "default" } });
    expect(await todo(work)).toMatchObject({ status: "done", metadata: { outcome: "rejected" } });
  });

  test("is answered by default by refresh", async () => {
    const { gate } = await due();
    expect((await of.app.refresh({ ...REFRESH, dryRun: true })).kind).toBe("done");
    expect((await todo(gate)).status).toBe("open");
    expect((await of.app.refresh(REFRESH)).kind).toBe("done");
    expect(await todo(gate)).toMatchObject({ metadata: { decided_by: "default" } });
  });

  test("D2 the person who comes late is told the answer it has", async () => {
    const { gate } = await due();
    const { exit, answer } = await run("gate", "approve", gate);
    expect([exit, answer.code, answer.decision.outcome]).toEqual([1, "gate_decided", "reject"]);
  });

  test("without an answer by default it waits on", async () => {
    const gate = await ask("Ship it?");
    of.edit((text) => text.replace(`todo_id=${gate}`, `todo_id=${gate} expires_at=2000-01-01`));
    await run("poll", ...G);
    expect((await todo(gate)).status).toBe("open");
    expect((await run("gate", "add", ...G, "--text", "x", "--expires-at", inMinutes(1))).answer.code).toBe(
      "default_outcome_required",
    );
  });
});
