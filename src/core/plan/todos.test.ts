import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { parsePlan } from "./parse.ts";
import type { Plan } from "./plan.ts";

const agent = (...lines: readonly string[]): Plan => parsePlan(["## Agent Todo", "", ...lines, ""].join("\n"));
const problems = (plan: Plan): readonly string[] =>
  plan.diagnostics.filter(({ line }) => line !== null).map(({ code, line }) => `${code}:${line}`);

describe("todos", () => {
  test.each([
    ["- [ ] a", "open"],
    ["* [x] a", "done"],
    ["  - [X]   a", "done"],
    ["- [-] a", "deferred"],
  ])("%j is %s", (line, status) => {
    expect(agent(line).todos).toMatchObject([{ text: "a", status, checkbox: status }]);
  });

  test.each(["- [~] a", "- [/] a", "+ [ ] a", "1. [ ] a", "- [ ]a", "-[ ] a", "- [] a", "- [ ]"])(
    "P3: %j is no todo and is reported",
    (line) => {
      const plan = agent(line, "- [ ] b");
      expect(plan.todos.map((todo) => todo.text)).toEqual(["b"]);
      expect(problems(plan)).toEqual(["checkbox_not_understood:3"]);
    },
  );

  test.each(["- [P1] a", "- [link](x)", "- [x](y)", "- text"])("%j is a plain item, not reported", (line) => {
    const plan = agent(line);
    expect(plan.todos).toEqual([]);
    expect(problems(plan)).toEqual([]);
  });

  test("T1: indented lines belong to the todo, over blank lines and with a fence", () => {
    const plan = agent("- [ ] [P2] a", "  b", "", "  c", "  ```", "d", "  ```", "", "prose", "  no");
    expect(plan.todos).toMatchObject([{ text: "[P2] a b c d", priority: 2 }]);
    expect(plan.todos[0]?.continuation).toHaveLength(5);
  });

  test("T2: metadata in one or several comments, indented or directly below", () => {
    const plan = agent(
      "- [ ] a",
      "<!-- loopx:todo todo_id=todo_aaa note=a%20b -->",
      "  <!-- loopx: x=1",
      "y=2 --> ",
      "- [ ] b",
      "",
      "<!-- loopx:todo todo_id=todo_bbb -->",
    );
    expect(plan.todos[0]).toMatchObject({
      todo_id: "todo_aaa",
      id_source: "metadata",
      metadata: { note: "a b", x: "1", y: "2" },
    });
    expect(plan.todos[0]?.comments).toHaveLength(2);
    expect(plan.todos[1]).toMatchObject({ id_source: "generated", comment: null });
    expect(problems(plan)).toEqual(["metadata_not_indented:4", "metadata_without_todo:9"]);
  });

  test("T2: metadata that is not closed is reported and hides nothing", () => {
    const plan = agent("- [ ] a", "  <!-- loopx:todo x=1", "- [ ] b");
    expect(plan.todos).toMatchObject([{ text: "a", metadata: {} }, { text: "b" }]);
    expect(problems(plan)).toContain("metadata_not_understood:4");
  });

  test("T3: the status in the metadata wins when it is one", () => {
    const plan = agent("- [x] a", "  <!-- loopx:todo status=blocked -->", "- [x] b", "  <!-- loopx:todo status=maybe -->");
    expect(plan.todos.map(({ status, checkbox }) => [status, checkbox])).toEqual([
      ["blocked", "done"],
      ["done", "done"],
    ]);
    expect(problems(plan)).toEqual(["status_disagrees:3", "metadata_not_understood:5"]);
  });

  test("T4: the archive holds closed work, with the role of its class", () => {
    const plan = parsePlan("## Work archive\n- [ ] a\n  <!-- loopx:todo task_class=user_gate -->\n- [-] b\n- [x] c\n");
    expect(plan.todos.map(({ role, archived, status }) => [role, archived, status])).toEqual([
      ["user", true, "done"],
      ["agent", true, "deferred"],
      ["agent", true, "done"],
    ]);
  });

  test("M1 M2 M3: what is not understood is kept and reported", () => {
    const plan = agent("- [ ] a", "  <!-- loopx:todo todo_id=TODO k=1 Bad=2 junk k=3 note=50% task_class=boss __proto__=p -->");
    expect(Object.entries(plan.todos[0]?.metadata ?? {})).toEqual([
      ["k", "3"],
      ["note", "50%"],
      ["task_class", "boss"],
      ["__proto__", "p"],
    ]);
    expect(plan.todos[0]).toMatchObject({ id_source: "generated", task_class: null });
    expect(new Set(problems(plan))).toEqual(new Set(["metadata_not_understood:3", "duplicate_metadata_key:3"]));
  });

  test("a comment on the todo line is text", () => {
    const plan = agent("- [ ] a <!-- loopx:todo todo_id=todo_aaa -->");
    expect(plan.todos[0]).toMatchObject({ text: "a <!-- loopx:todo todo_id=todo_aaa -->", id_source: "generated" });
    expect(problems(plan)).toEqual(["metadata_not_understood:3"]);
  });

  test("checklists elsewhere are left alone, todos meant for LoopX are reported", () => {
    const plan = parsePlan("## Owner notes\n- [ ] mine\n- [ ] a\n  <!-- loopx:todo todo_id=todo_aaa -->\n");
    expect(plan.todos).toEqual([]);
    expect(problems(plan)).toEqual(["todo_outside_section:3"]);
  });
});

describe("ids", () => {
  test("generated from role, first heading of the role, position in the role and text", () => {
    // Each is `todo_` and the first 12 digits of `printf 'agent|Agent Todo|1|Write it' | sha1sum`, and so on.
    const plan = parsePlan("## Agent Todo\n- [ ] Write it\n## Agent Backlog\n- [ ] Test it\n## User Todo\n- [ ] Read it\n");
    expect(plan.todos.map((todo) => [todo.todo_id, todo.index])).toEqual([
      ["todo_e561db72bfe0", 1],
      ["todo_a8d66bb169cc", 2],
      ["todo_752369ef12d9", 1],
    ]);
  });

  test("G2: the first of two equal written ids has it, the other is reported and keeps it as declared", () => {
    const plan = agent(
      "- [ ] a",
      "  <!-- loopx:todo todo_id=todo_same -->",
      "- [ ] b",
      "  <!-- loopx:todo todo_id=todo_same -->",
    );
    expect(plan.todos[0]).toMatchObject({ text: "a", todo_id: "todo_same", id_source: "metadata", declared_id: "todo_same" });
    expect(plan.todos[1]).toMatchObject({ text: "b", id_source: "generated", declared_id: "todo_same" });
    expect(plan.diagnostics.find(({ severity }) => severity === "error")).toMatchObject({ code: "duplicate_todo_ids", line: 5 });
  });

  test("the digest takes the 500 code points that the reference reads", () => {
    const long = `${"🚀".repeat(498)} and more`;
    const cut = createHash("sha1")
      .update(`agent|Agent Todo|1|${"🚀".repeat(498)}…`)
      .digest("hex")
      .slice(0, 12);
    expect(agent(`- [ ] ${long}`).todos[0]).toMatchObject({ todo_id: `todo_${cut}`, text: long });
    const short = createHash("sha1")
      .update(`agent|Agent Todo|1|${"🚀".repeat(500)}`)
      .digest("hex")
      .slice(0, 12);
    expect(agent(`- [ ] ${"🚀".repeat(500)}`).todos[0]?.todo_id).toBe(`todo_${short}`);
  });

  test("G2: generated ids make room for written ones and for each other", () => {
    const [first] = agent("- [ ] a").todos;
    const plan = agent("- [ ] a", "- [ ] b", `  <!-- loopx:todo todo_id=${first?.todo_id} -->`);
    expect(plan.todos.map((todo) => todo.todo_id)).toEqual([`${first?.todo_id}-2`, first?.todo_id]);
  });
});
