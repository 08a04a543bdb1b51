import { describe, expect, test } from "vitest";
import type { TodoId } from "../id.ts";
import { applyEdits } from "./edit.ts";
import { parsePlan } from "./parse.ts";
import type { PlanTodo } from "./plan.ts";
import { type PlanTarget, renderPlan } from "./render.ts";
import type { NewTodo, TodoChange } from "./splice.ts";

/** The text after rendering, or the code of the no. */
function rendered(text: string, target: (todos: readonly PlanTodo[]) => PlanTarget): string {
  const plan = parsePlan(text);
  const reply = renderPlan({ text, plan }, target(plan.todos));
  return reply.kind === "done" ? reply.value.text : reply.code;
}

function first(todos: readonly PlanTodo[]): PlanTodo {
  const [todo] = todos;
  if (todo === undefined) throw new Error("no todo");
  return todo;
}

const changing = (text: string, change: TodoChange): string =>
  rendered(text, (todos) => ({ todos: [{ kind: "keep", todo: first(todos), change }] }));

const newTodo = (fields: Partial<NewTodo> = {}): NewTodo => ({
  todo_id: "todo_new" as TodoId,
  role: "agent",
  text: "new",
  status: "open",
  metadata: {},
  ...fields,
});
const NEW = "- [ ] new\n  <!-- loopx:todo todo_id=todo_new status=open -->\n";

describe("applyEdits", () => {
  const at = (start: number, end: number, text: string) => ({ span: { start, end }, text });

  test.each([
    ["none", [], "abc"],
    ["in any order", [at(2, 3, "C"), at(0, 1, "A")], "AbC"],
    [
      "X1 insertions before a replacement at the same place, in list order",
      [at(1, 2, "B"), at(1, 1, "x"), at(1, 1, "y")],
      "axyBc",
    ],
    ["at the end", [at(3, 3, "d")], "abcd"],
  ])("%s", (_, edits, text) => {
    expect(applyEdits("abc", edits)).toBe(text);
  });

  test.each([
    ["overlapping", [at(0, 2, ""), at(1, 3, "")]],
    ["past the end", [at(2, 4, "")]],
    ["backwards", [at(2, 1, "")]],
  ])("%s edits throw", (_, edits) => {
    expect(() => applyEdits("abc", edits)).toThrow(RangeError);
  });
});

describe("next action", () => {
  const set = (text: string, ...next_action: readonly string[]): string => rendered(text, () => ({ next_action }));

  test.each([
    [
      "one bullet takes the place of all entries",
      "## Next Action\n\n- a\n  b\n\nprose\n\n## X\n",
      ["n"],
      "## Next Action\n\n- n\n\n\n## X\n",
    ],
    [
      "comments stay",
      "## next action\n<!-- k -->\n* a\n  <!-- l -->\n  b\n",
      ["n"],
      "## next action\n<!-- k -->\n- n\n  <!-- l -->\n",
    ],
    ["equal entries stay as they are written", "## Next Action\n1. a\n2. b\n", ["a", "n"], "## Next Action\n1. a\n- n\n"],
    ["more entries go below", "## Next Action\n* a\n", ["a", "n", "m"], "## Next Action\n* a\n- n\n- m\n"],
    ["none takes all out", "## Next Action\n\n- a\n\n## X\n", [], "## Next Action\n\n\n## X\n"],
    ["an empty section is filled", "## Next Action\n\n\n## X\n", ["n"], "## Next Action\n\n- n\n\n## X\n"],
    ["a section of a heading alone", "## Next Action\n## X\n", ["n"], "## Next Action\n\n- n\n\n## X\n"],
    ["no final newline stays none", "## Next Action\n- a\n- b", ["n"], "## Next Action\n- n"],
    ["none before the end either", "## Next Action", ["n"], "## Next Action\n\n- n"],
    ["CRLF", "## Next Action\r\n- a\r\n", ["n", "m"], "## Next Action\r\n- n\r\n- m\r\n"],
    ["W2 line breaks are one space", "## Next Action\n- a\n", ["n\r\n\r\n## m"], "## Next Action\n- n ## m\n"],
    [
      "W2 a text that begins with a checkbox gets one of its own",
      "## Next Action\n- a\n",
      ["[x] n"],
      "## Next Action\n- [ ] [x] n\n",
    ],
    [
      "N3 a new section stands before its followers",
      "## A\n\nx\n\n## Progress Ledger\n",
      ["n"],
      "## A\n\nx\n\n## Next Action\n\n- n\n\n## Progress Ledger\n",
    ],
    ["N3 else at the end", "## A\n", ["n"], "## A\n\n## Next Action\n\n- n\n"],
    ["N2 also without a final newline", "\ufeff## A", ["n"], "\ufeff## A\n\n## Next Action\n\n- n"],
    ["in an empty file", "\ufeff", ["n"], "\ufeff## Next Action\n\n- n\n"],
  ])("%s", (_, text, entries, after) => {
    expect(set(text, ...entries)).toBe(after);
  });
});

describe("front matter", () => {
  const set = (text: string, key: string, value: string): string => rendered(text, () => ({ front_matter: { [key]: value } }));

  test.each([
    ["unquoted", "---\nupdated_at: x\n---\n", "y", "---\nupdated_at: y\n---\n"],
    ["quoted as it was", '---\nupdated_at:   "x"  \n---\n', "y", '---\nupdated_at:   "y"  \n---\n'],
    ["absent", "---\r\na: b\r\n---\r\n", "y", "---\r\na: b\r\nupdated_at: y\r\n---\r\n"],
    ["empty", "---\nupdated_at:\n---\n", "y", "---\nupdated_at: y\n---\n"],
    ["F2 the first of two", "---\nupdated_at: 1\nupdated_at: 2\n---\n", "y", "---\nupdated_at: y\nupdated_at: 2\n---\n"],
    ["no block", "## A\n", "y", "## A\n"],
  ])("%s", (_, text, value, after) => {
    expect(set(text, "updated_at", value)).toBe(after);
  });

  test("W3: a key that is none is refused", () => {
    expect(set("---\n---\n", "a: b\nc", "x")).toBe("front_matter_key_invalid");
  });
});

describe("todos", () => {
  const TODO = "## Agent Todo\n\n- [ ] a\n  <!-- loopx:todo todo_id=todo_aaa status=open x=1 -->\n  more\n";

  test.each<[string, string, TodoChange, string]>([
    ["the status, in checkbox and metadata", TODO, { status: "done" }, TODO.replace("[ ]", "[x]").replace("=open", "=done")],
    ["W1 nothing new", TODO, { status: "open", text: "a more", metadata: { x: "1" } }, TODO],
    ["deferred without metadata", "## Agent Todo\n- [ ] a\n", { status: "deferred" }, "## Agent Todo\n- [-] a\n"],
    [
      "blocked needs metadata",
      "## Agent Todo\n\t* [x] a",
      { status: "blocked" },
      "## Agent Todo\n\t* [ ] a\n\t  <!-- loopx:todo status=blocked -->",
    ],
    [
      "the text, over continuation lines",
      TODO,
      { text: " [P1]  b\nc" },
      TODO.replace("] a", "] [P1] b c").replace("  more\n", ""),
    ],
    [
      "C1 C2 metadata: set, add, remove",
      TODO,
      { metadata: { x: "a b>", status: null, note: "é!" } },
      TODO.replace("status=open x=1", "x=a%20b%3E note=%C3%A9%21"),
    ],
    [
      "C2 the last of a key that stands twice",
      TODO.replace("x=1", "x=1 x=2"),
      { metadata: { x: "3" } },
      TODO.replace("x=1", "x=1 x=3"),
    ],
    ["C2 removing takes every one out", TODO.replace("x=1", "x=1 x=2"), { metadata: { x: null } }, TODO.replace(" x=1", "")],
    [
      "C3 a new comment",
      "## Agent Todo\r\n- [ ] a\r\n  more\r\n",
      { metadata: { x: "1" } },
      "## Agent Todo\r\n- [ ] a\r\n  <!-- loopx:todo x=1 -->\r\n  more\r\n",
    ],
    [
      "C3 beside a text that loses its last line",
      "## Agent Todo\n- [ ] a\n  b",
      { text: "c", metadata: { x: "1" } },
      "## Agent Todo\n- [ ] c\n  <!-- loopx:todo x=1 -->",
    ],
    [
      "a comment without a space before its end",
      TODO.replace(" -->", "-->"),
      { metadata: { y: "2" } },
      TODO.replace("x=1", "x=1 y=2"),
    ],
    ["W3 no text", TODO, { text: " \n " }, "todo_text_empty"],
    ["W3 a key that is none", TODO, { metadata: { "a b": "1" } }, "metadata_key_invalid"],
  ])("%s", (_, text, change, after) => {
    expect(changing(text, change)).toBe(after);
  });

  test("W3: archived work cannot be opened in place", () => {
    expect(changing("## Work Archive\n- [x] a\n", { status: "open" })).toBe("archived_todo_closed");
  });

  test.each([
    ["after the last of the section", "## Agent Todo\n- [ ] a\n  b\n\nprose\n", `## Agent Todo\n- [ ] a\n  b\n${NEW}\nprose\n`],
    [
      "into the first of two sections",
      "## Agent Todo\n- [ ] a\n## Agent Backlog\n- [ ] b\n",
      `## Agent Todo\n- [ ] a\n${NEW}## Agent Backlog\n- [ ] b\n`,
    ],
    ["into a section of prose", "## Agent Todo\nprose\n## X\n", `## Agent Todo\nprose\n\n${NEW}\n## X\n`],
    [
      "into a section after its comment",
      "## Agent Todo\n\n<!-- c -->\n\n\n## X\n",
      `## Agent Todo\n\n<!-- c -->\n\n${NEW}\n## X\n`,
    ],
    ["N2 without a final newline", "## Agent Todo\n- [ ] a", `## Agent Todo\n- [ ] a\n${NEW.trimEnd()}`],
    ["N3 into a new section", "## Next Action\n- x\n", `## Agent Todo\n\n${NEW}\n## Next Action\n- x\n`],
  ])("added %s", (_, text, after) => {
    expect(rendered(text, () => ({ added: [newTodo()] }))).toBe(after);
  });

  test("added for the user, with metadata", () => {
    const added = [newTodo({ role: "user", status: "done", metadata: { note: "a b" } })];
    expect(rendered("", () => ({ added }))).toBe(
      "## User Todo / Owner Review Reading Queue\n\n- [x] new\n  <!-- loopx:todo todo_id=todo_new status=done note=a%20b -->\n",
    );
  });

  test("removed with all its lines, and nothing else", () => {
    const text = "## Agent Todo\n- [ ] a\n  b\n\n  c\n\nprose\n- [ ] d";
    expect(rendered(text, (todos) => ({ todos: [{ kind: "remove", todo: first(todos) }] }))).toBe(
      "## Agent Todo\n\nprose\n- [ ] d",
    );
    expect(rendered(text, (todos) => ({ todos: todos.map((todo) => ({ kind: "remove", todo })) }))).toBe(
      "## Agent Todo\n\nprose",
    );
  });

  test.each([
    [
      "A1 to the end of the archive",
      "## Agent Todo\n- [x] a\n  b\n- [ ] d\n## Work Archive\n- [x] c\n",
      "## Agent Todo\n- [ ] d\n## Work Archive\n- [x] c\n- [x] a\n  <!-- loopx:todo todo_id=todo_new -->\n  b\n",
    ],
    [
      "A3 into a new archive",
      "## User Todo\n- [x] a",
      "## User Todo\n\n## Completed Work Archive\n\n- [x] a\n  <!-- loopx:todo todo_id=todo_new task_class=user_action -->",
    ],
    [
      "A2 with the id it has",
      "## Agent Todo\n- [x] a\n  <!-- loopx:todo todo_id=todo_new -->\n\n## Work Archive\n",
      "## Agent Todo\n\n## Work Archive\n\n- [x] a\n  <!-- loopx:todo todo_id=todo_new -->\n",
    ],
  ])("archived %s", (_, text, after) => {
    expect(
      rendered(text, (todos) => ({
        todos: [{ kind: "archive", todo: first(todos), todo_id: "todo_new" as TodoId, change: {} }],
      })),
    ).toBe(after);
  });

  test("A4: a todo whose id stands on another one as well does not leave", () => {
    const todo = "- [ ] a\n  <!-- loopx:todo todo_id=todo_aaa -->\n";
    const leave = (at: number): string =>
      rendered(`## Agent Todo\n${todo}${todo}`, (todos) => ({ todos: [{ kind: "remove", todo: todos[at] ?? first([]) }] }));
    expect(leave(0)).toBe("duplicate_todo_ids");
    expect(leave(1)).toBe(`## Agent Todo\n${todo}`);
  });

  test("V1: an edit that would close a comment left open elsewhere is refused", () => {
    const text = "## Agent Todo\n<!-- open\n- [ ] a\n  <!-- loopx:todo todo_id=todo_aaa -->\n- [ ] b\n\nfinished -->\n";
    expect(rendered(text, (todos) => ({ todos: [{ kind: "remove", todo: first(todos) }] }))).toBe("edit_changes_more");
  });

  test("V1: also when it is the objective that would change", () => {
    const text = "## Objective\n<!-- open\nShip\n## Agent Todo\n- [ ] a\n  <!-- loopx:todo todo_id=todo_aaa -->\n\ndone -->\n";
    expect(rendered(text, (todos) => ({ todos: [{ kind: "remove", todo: first(todos) }] }))).toBe("edit_changes_more");
  });

  test("W3: a new todo needs a text", () => {
    expect(rendered("", () => ({ added: [newTodo({ text: " " })] }))).toBe("todo_text_empty");
  });

  test("a shortened todo and a removed one meet at the end of a file without a final newline", () => {
    const after = rendered("## Agent Todo\n- [ ] a\n  more\n- [ ] b", ([a, b]) => ({
      todos: [
        { kind: "keep", todo: a ?? first([]), change: { text: "A", metadata: { x: "1" } } },
        { kind: "remove", todo: b ?? first([]) },
      ],
    }));
    expect(after).toBe("## Agent Todo\n- [ ] A\n  <!-- loopx:todo x=1 -->");
  });

  test("V1: also when it is the next action that would change", () => {
    const text = "## Agent Todo\n<!-- open\n- [ ] a\n  <!-- loopx:todo todo_id=todo_aaa -->\n## Next Action\n- b\n\ndone -->\n";
    expect(rendered(text, (todos) => ({ todos: [{ kind: "remove", todo: first(todos) }] }))).toBe("edit_changes_more");
  });

  test("V1: everything in one go", () => {
    const text = "---\r\nupdated_at: x\r\n---\r\n## Agent Todo\r\n- [ ] a\r\n- [x] b\r\n- [ ] c\r\n\r\n## Next Action\r\n- n\r\n";
    const after = rendered(text, ([a, b, c]) => ({
      front_matter: { updated_at: "y" },
      next_action: ["m"],
      added: [newTodo()],
      todos: [
        { kind: "keep", todo: a ?? first([]), change: { text: "A" } },
        { kind: "archive", todo: b ?? first([]), todo_id: "todo_bbb" as TodoId, change: {} },
        { kind: "remove", todo: c ?? first([]) },
      ],
    }));
    expect(after).toBe(
      [
        "---\nupdated_at: y\n---\n## Agent Todo\n- [ ] A\n",
        NEW,
        "\n## Next Action\n- m\n\n## Completed Work Archive\n\n- [x] b\n  <!-- loopx:todo todo_id=todo_bbb -->\n",
      ]
        .join("")
        .replaceAll("\n", "\r\n"),
    );
  });
});
