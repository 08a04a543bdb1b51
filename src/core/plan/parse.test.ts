import { describe, expect, test } from "vitest";
import { parsePlan } from "./parse.ts";
import type { Plan } from "./plan.ts";

const agent = (...lines: readonly string[]): Plan => parsePlan(["## Agent Todo", "", ...lines, ""].join("\n"));
const nextActions = (...lines: readonly string[]): readonly string[] | undefined =>
  parsePlan(["## Next Action", ...lines].join("\n")).next_action?.map((entry) => entry.text);
const problems = (plan: Plan): readonly string[] =>
  plan.diagnostics.filter(({ line }) => line !== null).map(({ code, line }) => `${code}:${line}`);

describe("lines", () => {
  test.each([
    ["LF", "\n"],
    ["CRLF", "\r\n"],
    ["CR", "\r"],
  ] as const)("%s ends a line and is the file's own", (_, newline) => {
    const plan = parsePlan(["---", "a: b", "---", "## Agent Todo", "- [ ] one", "  more", ""].join(newline));
    expect(plan).toMatchObject({ newline, front_matter: { entries: [{ key: "a", value: "b" }] }, todos: [{ text: "one more" }] });
  });

  test.each(["\u2003", "\u2028", "\u2029", "\u0085", "\v", "\f"])("%j is white space inside a line", (character) => {
    expect(agent(`- [ ] one${character}two`).todos.map((todo) => todo.text)).toEqual(["one two"]);
  });

  test("white space of all kinds is taken off the ends", () => {
    expect(agent("- [ ] a \u2003\u3000\u00a0").todos.map((todo) => todo.text)).toEqual(["a"]);
  });

  test("the line ending of most lines counts, LF when nothing speaks", () => {
    expect(parsePlan("a\r\nb\r\nc\n").newline).toBe("\r\n");
    expect(parsePlan("a").newline).toBe("\n");
  });
});

describe("front matter", () => {
  test.each([
    ["plain", "---\na: b\n---\n", [["a", "b"]]],
    ["after a byte order mark", "\ufeff---\na: b\n---\n", [["a", "b"]]],
    ["closed by a line with white space after it", "---\na: b\n---  \n", [["a", "b"]]],
    [
      "a value with --- in it",
      "---\ntitle: a --- b\nc: d\n---\n",
      [
        ["title", "a --- b"],
        ["c", "d"],
      ],
    ],
    ["quotes off, once", '---\na: ""b""\n---\n', [["a", '"b"']]],
    ["a value with a colon", "---\nat: 10:30\n---\n", [["at", "10:30"]]],
    ["empty", "---\n---\n", []],
  ])("%s", (_, text, entries) => {
    expect(parsePlan(text).front_matter?.entries.map(({ key, value }) => [key, value])).toEqual(entries);
  });

  test.each([
    ["not at the start", "\n---\na: b\n---\n"],
    ["never closed", "---\na: b\n"],
    ["more than three dashes", "----\na: b\n----\n"],
  ])("none: %s", (_, text) => {
    expect(parsePlan(text).front_matter).toBeNull();
  });

  test("F1 F2: nested lines and second keys are reported", () => {
    const plan = parsePlan("---\na: 1\n  b: 2\n- c: 3\n# d: 4\na: 5\n---\n");
    expect(plan.front_matter?.entries.map(({ key, value }) => [key, value])).toEqual([
      ["a", "1"],
      ["a", "5"],
    ]);
    expect(problems(plan)).toEqual([
      "front_matter_not_understood:3",
      "front_matter_not_understood:4",
      "duplicate_front_matter_key:6",
    ]);
  });

  test("headings inside it do not count", () => {
    expect(parsePlan("---\n## Next Action\n---\n").sections).toEqual([]);
  });
});

describe("sections", () => {
  test.each([
    ["## Agent Todo", "agent"],
    ["### codex TODO", "agent"],
    ["## Project agent todo list", "agent"],
    ["## agent 待办", "agent"],
    ["## User Todo / Owner Review Reading Queue", "user"],
    ["## Owner reading queue", "user"],
    ["## 用户", "user"],
    ["## 用户反馈", "other"],
    ["## Owner notes", "other"],
    ["## Agent Todo Archive", "archive"],
    ["## Completed Work Archive", "archive"],
    ["## 待办归档", "archive"],
    ["## Agent Todo (owner review)", "agent"],
    ["## User Todo from agent action", "user"],
    ["###### NEXT   action:", "next_action"],
    ["## Next Action ##", "next_action"],
    ["## The Next Action", "other"],
    ["## Agent Todo in C#", "agent"],
    ["# Next Action", "other"],
    ["## Recent User Feedback", "feedback"],
    ["## Progress Ledger", "progress"],
    ["## Operating Lessons", "lessons"],
    ["## Objective", "objective"],
  ])("R1 R2 R3: %s is %s", (line, role) => {
    expect(parsePlan(`${line}\n`).sections.map((section) => section.role)).toEqual([role]);
  });

  test("S1: a section ends at the next heading of any level", () => {
    const text = "## Next Action\n- a\n# Notes\nprose\n";
    const [section] = parsePlan(text).sections;
    expect(text.slice(section?.body.start, section?.body.end)).toBe("- a\n");
    expect(nextActions("- a", "# Notes", "prose")).toEqual(["a"]);
  });

  test("S2: a deeper heading without a role continues a todo section, one of the same level does not", () => {
    const plan = parsePlan("## Agent Todo\n### Parser\n- [ ] a\n### Next Action\n- n\n### More\n- [ ] b\n## Notes\n- [ ] c\n");
    expect(plan.todos.map(({ text, section, index }) => [text, section, index])).toEqual([
      ["a", "Parser", 1],
      ["b", "More", 2],
    ]);
  });

  test.each([
    ["##Agent Todo", "heading_not_understood:1"],
    ["  ## Next Action", "heading_not_understood:1"],
    ["# Agent Todo", "heading_not_understood:1"],
  ])("what was meant for a heading is reported: %j", (line, problem) => {
    expect(problems(parsePlan(line))).toEqual([problem]);
  });

  test("G3: the first Next Action counts", () => {
    const plan = parsePlan("## Next Action\n- a\n## Next Action\n- b\n");
    expect(plan.next_action?.map((entry) => entry.text)).toEqual(["a"]);
    expect(problems(plan)).toEqual(["duplicate_next_action:3"]);
  });

  test("objective, feedback and progress", () => {
    const plan = parsePlan(
      "## Objective\n\nShip\n  it.\n<!-- no -->\n## Recent User Feedback\n- a\n- b\n## Progress Ledger\n1. c\n",
    );
    expect(plan).toMatchObject({ objective: "Ship it.", feedback: ["a", "b"], progress: ["c"] });
    expect(parsePlan("---\nobjective: Ship\n---\n").objective).toBe("Ship");
  });
});

describe("fences and comments", () => {
  test.each(["```", "~~~", "````js"])("nothing counts inside %s", (fence) => {
    const close = fence.replace("js", "");
    const plan = parsePlan(`## Agent Todo\n${fence}\n## Next Action\n- [ ] a\n${close}\n- [ ] b\n`);
    expect(plan.todos.map((todo) => todo.text)).toEqual(["b"]);
    expect(plan.sections).toHaveLength(1);
  });

  test("nothing counts inside a comment of several lines", () => {
    const plan = parsePlan("## Agent Todo\n<!--\n## Next Action\n- [ ] a\n-->\n- [ ] b\n");
    expect(plan.todos.map((todo) => todo.text)).toEqual(["b"]);
    expect(plan.next_action).toBeNull();
  });

  test.each([
    ["a fence", "```\n", "fence_not_closed:2"],
    ["a fence with a shorter closing line", "````\n```\n", "fence_not_closed:2"],
    ["a comment", "<!-- note\n", "comment_not_closed:2"],
  ])("L1: %s that is never closed hides nothing", (_, lines, problem) => {
    const plan = parsePlan(`## Agent Todo\n${lines}- [ ] a\n  <!-- loopx:todo todo_id=todo_aaa -->\n## Next Action\n- b\n`);
    expect(plan.todos.map((todo) => todo.todo_id)).toEqual(["todo_aaa"]);
    expect(plan.next_action).toHaveLength(1);
    expect(problems(plan)).toContain(problem);
  });

  test("L2: neither a list line nor the next comment closes an open one", () => {
    expect(agent("<!-- open", "- [ ] a -->", "- [ ] b").todos).toHaveLength(2);
    expect(agent("<!-- open", "- [ ] a", "<!-- other -->", "- [ ] b").todos).toHaveLength(2);
  });

  test("L3 G1: hostile texts of a megabyte are read in bounded time", () => {
    const started = performance.now();
    for (const piece of [
      " ",
      "\t[",
      "<!--",
      "-->",
      "`",
      "- [ ] ",
      "#",
      "<!-- a\n",
      "<!-- a\n- b -->\n",
      "```\n~~~~~\n",
      "---\n",
      "- [ ] a\n",
    ]) {
      parsePlan(`## Agent Todo\n- [ ] ${piece.repeat(1_000_000 / piece.length)}`);
    }
    expect(performance.now() - started).toBeLessThan(30_000);
  });
});

describe("next action", () => {
  test.each<[string, readonly string[], readonly string[]]>([
    ["bullets", ["- a", "* b", "1. c", "2) d", "  - e"], ["a", "b", "c", "d", "e"]],
    ["continuation", ["- a", "  b", "\tc", "d"], ["a b c", "d"]],
    ["a blank line ends an entry", ["- a", "", "  b"], ["a", "b"]],
    [
      "text lines are entries of their own",
      ["run it", "across two lines.", "", "Then stop."],
      ["run it", "across two lines.", "Then stop."],
    ],
    ["E3 one bullet and one checkbox off", ["- [ ] a", "- [x] [ ] b", "- - c"], ["a", "[ ] b", "- c"]],
    [
      "E1 comments are skipped",
      ["<!-- hidden -->", "<!--", "- old", "-->", "- a", "  <!-- loopx:todo todo_id=todo_aaa -->", "  b"],
      ["a b"],
    ],
    ["E1 several comments on a line, the last not closed", ["<!-- a --> <!-- b", "<!-- a --> <!-- b -->", "- c"], ["c"]],
    ["E1 rules are skipped", ["- a", "---", "- b"], ["a", "b"]],
    ["E2 a fence is text", ["Run:", "```sh", "npm test", "```", "- a", "  ```", "  b", "  ```"], ["Run:", "npm test", "a b"]],
    ["empty bullets say nothing", ["- ", "-", "- a"], ["a"]],
    ["nothing", [], []],
  ])("%s", (_, lines, entries) => {
    expect(nextActions(...lines)).toEqual(entries);
  });

  test("P2: texts are never cut", () => {
    const long = "x".repeat(100_000);
    expect(nextActions(`- ${long}`)).toEqual([long]);
    expect(agent(`- [ ] ${long}`).todos[0]?.text).toBe(long);
  });

  test("absent and empty differ", () => {
    expect(parsePlan("## Notes\n").next_action).toBeNull();
    expect(parsePlan("## Next Action\n").next_action).toEqual([]);
  });
});

describe("what is missing", () => {
  test.each([
    ["", ["missing_front_matter", "missing_next_action", "missing_todo_sections"]],
    ["---\na: b\n---\n## Next Action\n- a\n## Agent Todo\n- [ ] a\n", ["implicit_todo_ids"]],
    ["---\na: b\n---\n## Next Action\n- a\n## Agent Todo\n- [ ] a\n  <!-- loopx:todo todo_id=todo_aaa -->\n", []],
  ])("%j", (text, codes) => {
    expect(parsePlan(text).diagnostics.map(({ code }) => code)).toEqual(codes);
  });
});
