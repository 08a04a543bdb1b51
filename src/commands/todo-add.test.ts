// Todos are added through the command line on real files: what is answered, stored and written.
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { eventsOf, takeIn } from "../../test/fakes/asks.ts";
import { G, verbsOn } from "../../test/fakes/todo-verbs.ts";
import { makeWorld, type World } from "../../test/fakes/workspace.ts";
import { parsePlan } from "../core/plan/parse.ts";
import { codeFrom, valueFrom } from "./workspace.sample.ts";

let of: World;
beforeEach(async () => {
  of = await makeWorld();
});
afterEach(() => of.close());

const { run, add, todo, line, register } = verbsOn(() => of);

describe("todo add", () => {
  test("stands in the state file, everything else as it was, and is one event", async () => {
    await takeIn(of);
    const before = of.text();
    const events = (await eventsOf(of)).length;
    const id = await add("Write  the\nparser", "--priority", "1", "--note", "50 % <done>, or so", "--depends-on", "todo_ground");
    expect(line(id)).toBe(
      `- [ ] [P1] Write the parser\n  <!-- loopx:todo todo_id=${id} status=open depends_on=todo_ground note=50%20%25%20%3Cdone%3E%2C%20or%20so -->`,
    );
    const added = of
      .text()
      .split("\n")
      .filter((each) => !before.includes(each));
    expect(added).toEqual([expect.stringContaining("updated_at"), ...line(id).split("\n")]);
    expect((await eventsOf(of)).slice(events).map(({ type }) => type)).toEqual(["todo.added"]);
    expect(await todo(id)).toMatchObject({ priority: 1, waits_for: ["todo_ground"], metadata: { note: "50 % <done>, or so" } });
  });

  test("A2 one key adds one todo, also when it was closed since, and takes no other request", async () => {
    const words = { task_class: null } as never;
    const asked = { goalId: "alpha", agentId: null, turnInstanceId: null, dryRun: false } as const;
    const under = (idempotencyKey: string | null, text: string) =>
      of.app.todoAdd({ ...asked, idempotencyKey, text, role: null, priority: null, status: null, words });
    const first = await valueFrom(under("k1", "Once"));
    expect(first).toMatchObject({ added: true, idempotent_replay: false });
    await run("todo", "complete", first.todo_id, "--no-follow-up", "--reason", "that was all");
    const events = (await eventsOf(of)).length;
    const again = { todo_id: first.todo_id, added: false, changed: false, idempotent_replay: true, status: "done" };
    expect(await valueFrom(under("k1", "Once"))).toMatchObject(again);
    expect(await codeFrom(under("k1", "Twice"))).toBe("idempotency_key_reuse");
    expect((await eventsOf(of)).length).toBe(events);
    const [one, two] = await Promise.all([valueFrom(under("k2", "Both")), valueFrom(under("k2", "Both"))]);
    expect([one.todo_id, [one.added, two.added].toSorted()]).toEqual([two.todo_id, [false, true]]);
    expect((await valueFrom(under(null, "Once"))).todo_id).not.toBe(first.todo_id);
  });

  test("A1 the same words are one todo, which is brought up to date", async () => {
    const id = await add("Once");
    expect((await run("todo", "add", ...G, "--text", " Once ", "--note", "x")).answer).toMatchObject({
      todo_id: id,
      added: false,
      already_exists: true,
      changed: true,
      todo: { metadata: { note: "x" } },
    });
    expect((await run("todo", "add", ...G, "--text", "Once")).answer).toMatchObject({ already_exists: true, changed: false });
    await run("todo", "complete", id, "--no-follow-up", "--reason", "enough");
    expect(await add("Once")).not.toBe(id);
  });

  test("A1 two writers at one moment add one todo", async () => {
    await takeIn(of);
    const both = await Promise.all([run("todo", "add", ...G, "--text", "Same"), run("todo", "add", ...G, "--text", "Same")]);
    expect(new Set(both.map(({ answer }) => answer.todo_id)).size).toBe(1);
    expect(both.map(({ answer }) => answer.added).sort()).toEqual([false, true]);
  });

  test.each([
    ["newlines and comments", "a\r\n\r\n## b --> <!-- c <!-- loopx:todo status=done -->"],
    ["a todo in a todo", "- [x] done"],
    ["control characters", "bell\u0007 escape\u001b[31m rtl\u202e"],
    ["other scripts", "日本語 🙂 e\u0301"],
    ["100 kB", "word ".repeat(20_000)],
  ])("hostile text: %s is kept whole", async (_, text) => {
    const { answer } = await run("todo", "add", ...G, "--text", text);
    const shown = (await todo(answer.todo_id)).text;
    expect(shown).toBe(text.replace(/[ \r\n]+/g, " ").trim());
    const plan = parsePlan(of.text());
    expect(plan.todos.find(({ todo_id }) => todo_id === answer.todo_id)).toMatchObject({ text: shown, status: "open" });
    expect(JSON.stringify(answer).length).toBeLessThan(8192);
    const events = (await eventsOf(of)).length;
    of.advance(10_000);
    await takeIn(of);
    expect((await eventsOf(of)).length).toBe(events);
  });

  test.each<[string, readonly string[], string, number]>([
    ["no text", ["--text", " x "], "ok", 0],
    ["U+0000", ["--text", "a\0b"], "todo_text_invalid", 2],
    ["only a priority", ["--text", "[P1]"], "todo_text_empty", 2],
    ["a user todo without class", ["--text", "x", "--role", "user"], "task_class_required", 2],
    ["an agent's gate", ["--text", "x", "--role", "agent", "--task-class", "user_gate"], "task_class_role", 2],
    ["a monitor without end", ["--text", "x", "--task-class", "continuous_monitor"], "monitor_unbounded", 2],
    ["a need that is not there", ["--text", "x", "--depends-on", "todo_nowhere"], "unknown_todo", 3],
    ["a condition that is none", ["--text", "x", "--resume-when", "someday"], "resume_when_invalid", 2],
    ["done", ["--text", "x", "--status", "done"], "todo_status_invalid", 2],
    ["a check with a pipe", ["--text", "x", "--validation-command", "a | b"], "check_invalid", 2],
    [
      "an agent that both has it and must not",
      ["--text", "x", "--claimed-by", "ada", "--excluded-agent", "ada"],
      "agent_excluded",
      2,
    ],
  ])("%s", async (_, argv, code, status) => {
    const before = of.text();
    const { exit, answer } = await run("todo", "add", ...G, ...argv);
    expect([exit, answer.code ?? "ok"]).toEqual([status, code]);
    if (code !== "ok") expect(of.text()).toBe(before);
  });

  test("what one registered agent may, a stranger may not", async () => {
    register({ coordination: { registered_agents: ["ada", "bob"] } });
    const { exit, answer } = await run("todo", "add", ...G, "--text", "x", "--claimed-by", "carl");
    expect([exit, answer.code, answer.near]).toEqual([3, "unknown_agent", ["ada", "bob"]]);
    expect((await run("gate", "add", ...G, "--text", "x")).answer.code).toBe("gate_scope_required");
    expect((await run("gate", "add", ...G, "--text", "x", "--blocks-agent", "ada,bob")).exit).toBe(0);
  });

  test("the limit of open todos names its number, and lets a todo close", async () => {
    register({ quota: { limits: { max_open_todos: 5 } } });
    await add("fourth");
    await add("fifth");
    const { exit, answer } = await run("todo", "add", ...G, "--text", "sixth");
    expect([exit, answer.code, answer.number, answer.limit]).toEqual([1, "limit_open_todos", 6, 5]);
    expect((await run("todo", "complete", "todo_ground", "--agent-id", "builder", "--next", "sixth")).exit).toBe(0);
  });

  test("a rehearsal changes nothing", async () => {
    await takeIn(of);
    const [text, events] = [of.text(), (await eventsOf(of)).length];
    const { answer } = await run("todo", "add", ...G, "--text", "x", "--dry-run");
    expect(answer).toMatchObject({ dry_run: true, added: true, todo: { text: "x" } });
    expect([of.text(), (await eventsOf(of)).length]).toEqual([text, events]);
    expect((await run("todo", "add", ...G, "--text", "x", "--execute=false")).answer.dry_run).toBe(true);
    expect((await run("todo", "add", ...G, "--text", "x", "--dry-run", "--execute")).answer.code).toBe("option_conflict");
  });
});

describe("dependencies", () => {
  test("a circle is refused with its path, however long", async () => {
    let last = await add("first");
    const first = last;
    for (const text of ["second", "third", "fourth", "fifth"]) last = await add(text, "--depends-on", last);
    const { exit, answer } = await run("todo", "update", first, "--depends-on", last);
    expect([exit, answer.code]).toEqual([1, "dependency_cycle"]);
    expect(answer.path).toHaveLength(6);
    expect([answer.path[0], answer.path[1], answer.path[5]]).toEqual([first, last, first]);
    expect((await run("todo", "update", first, "--resume-when", `todo_done:${last}`)).answer.code).toBe("dependency_cycle");
    expect((await run("todo", "update", first, "--depends-on", first)).answer.code).toBe("dependency_cycle");
  });

  test("two writers cannot close a circle between them", async () => {
    const [a, b] = [await add("a"), await add("b")];
    const both = await Promise.all([run("todo", "update", a, "--depends-on", b), run("todo", "update", b, "--depends-on", a)]);
    expect(both.map(({ answer }) => answer.code ?? "ok").sort()).toEqual(["dependency_cycle", "ok"]);
  });

  test("what waits is free when the other is done", async () => {
    const first = await add("first");
    const second = await add("second", "--depends-on", first);
    expect((await todo(second)).waits_for).toEqual([first]);
    await run("todo", "complete", first, "--no-follow-up", "--reason", "done");
    expect((await todo(second)).waits_for).toBeUndefined();
  });
});

describe("every option", () => {
  test.each<[readonly string[], Record<string, string>]>([
    [["--action-kind", "fix"], { action_kind: "fix" }],
    [["--claimed-by", "ada"], { claimed_by: "ada" }],
    [["--excluded-agent", "ada,bob"], { excluded_agents: "ada,bob" }],
    [["--resume-when", "capacity_available:gpu"], { resume_when: "capacity_available:gpu" }],
    [
      [
        "--task-class",
        "continuous_monitor",
        "--target-key",
        "k",
        "--cadence",
        "2h",
        "--next-due-at",
        "2030-01-01",
        "--watch-only",
      ],
      { target_key: "k", cadence: "2h", next_due_at: "2030-01-01T00:00:00+00:00", watch_only: "true" },
    ],
    [
      ["--required-capability", "gpu", "--target-capability", "net"],
      { required_capabilities: "gpu", target_capabilities: "net" },
    ],
    [["--required-write-scope", "src/**"], { required_write_scopes: "src/**" }],
    [
      ["--validation-command-argv", '["npm","test"]', "--validation-label", "Tests", "--validation-timeout-seconds", "9"],
      { validation_command_argv: '["npm","test"]', validation_label: "Tests", validation_timeout_seconds: "9" },
    ],
    [["--run", '["true"]'], { run: '["true"]' }],
    [["--task-class", "user_action", "--bound-agent", "ada", "--goal-bound"], { bound_agent: "ada", goal_bound: "true" }],
    [
      ["--task-class", "user_gate", "--blocks-agent", "ada,bob", "--global-gate", "--on-reject", "reopen"],
      { blocks_agent: "ada,bob", global_gate: "true", on_reject: "reopen" },
    ],
    [["--task-class", "user_gate", "--unblocks-todo-id", "todo_ground"], { unblocks_todo_id: "todo_ground" }],
    [
      [
        "--task-class",
        "user_gate",
        "--decision-scope",
        "other:goal:x",
        "--expires-at",
        "2030-01-01",
        "--default-outcome",
        "approve",
      ],
      { decision_scope: "other:goal:x", expires_at: "2030-01-01T00:00:00+00:00", default_outcome: "approve" },
    ],
    [["--required-decision-scope", "other:goal:x"], { required_decision_scopes: "other:goal:x" }],
    [["--continuation-policy", "independent_handoff"], { continuation_policy: "independent_handoff" }],
    [["--note", "n", "--evidence", "e", "--reason", "r"], { note: "n", evidence: "e", reason: "r" }],
  ])("%j is kept, in the file as well, and nothing comes of reading it again", async (argv, metadata) => {
    const id = await add("x", ...argv);
    expect((await todo(id)).metadata).toMatchObject(metadata);
    expect(parsePlan(of.text()).todos.find(({ todo_id }) => todo_id === id)).toMatchObject({ metadata });
    expect(parsePlan(of.text()).diagnostics.map(({ code }) => code)).not.toContain("metadata_not_understood");
    const events = (await eventsOf(of)).length;
    of.advance(10_000);
    await takeIn(of);
    expect((await eventsOf(of)).length).toBe(events);
  });
});
