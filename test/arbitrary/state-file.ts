/**
 * Generated state files: pieces that are each legal or hostile, in any order, with any line endings.
 */
import fc from "fast-check";
import { parsePlan } from "../../src/core/plan/parse.ts";
import type { TodoStatus } from "../../src/core/plan/plan.ts";
import { collapse } from "../../src/core/plan/white-space.ts";

const word = fc.constantFrom(
  "build",
  "test",
  "a:b",
  "日本",
  "🚀",
  "[x]",
  "-->",
  "<!--",
  "x\u2028y",
  "x\u0085y",
  "`",
  "```",
  "#",
  "##",
  "---",
  "%zz",
  "1.",
);
const words = fc.array(word, { minLength: 1, maxLength: 4 }).map((list) => list.join(" "));
const indent = fc.constantFrom("", "", "  ", "\t", "    ", " \t ");
const marker = fc.constantFrom("- [ ] ", "- [x] ", "* [X]  ", "-  [-]\t", "- [~] ", "+ [ ] ", "1. [ ] ", "-[ ] ", "- [ ]");
const id = fc.constantFrom("todo_one", "todo_two", "todo_three", "todo_four-4", "TODO", "todo_x");
const metadata = fc.constantFrom(
  "status=done",
  "status=blocked",
  "status=maybe",
  "task_class=user_gate",
  "task_class=advancement_task",
  "unknown_key=a%20b",
  "note=%zz",
  "__proto__=x",
  "claimed_by=agent-a",
  "not-a-pair",
);
const comment = fc
  .tuple(fc.option(id), fc.array(metadata, { maxLength: 3 }), fc.constantFrom("loopx:todo", "loopx:"))
  .map(([name, rest, mark]) => `<!-- ${mark} ${[...(name === null ? [] : [`todo_id=${name}`]), ...rest].join(" ")} -->`);
const todo = fc
  .tuple(indent, marker, words, fc.option(fc.tuple(indent, comment)), fc.array(fc.tuple(indent, words), { maxLength: 2 }))
  .map(([at, box, text, note, more]) => [
    `${at}${box}${text}`,
    ...(note === null ? [] : [note.join("")]),
    ...more.map((line) => line.join("")),
  ]);
const heading = fc.constantFrom(
  "## Agent Todo",
  "## agent todo",
  "## User Todo / Owner Review Reading Queue",
  "## Next Action",
  "### next action ##",
  "## Objective",
  "## Recent User Feedback",
  "### Progress Ledger",
  "## Completed Work Archive",
  "## Owner notes",
  "### Phase 1",
  "# Title",
  "##Next Action",
  "  ## Agent Todo",
);
const odd = fc.constantFrom(
  "",
  "",
  "  ",
  "---",
  "```",
  "~~~",
  "```js",
  "  ```",
  "<!-- open",
  "-->",
  "<!-- a --> b",
  "<!-- one -->",
  "- item",
  "  more",
  "1) first",
  "prose",
  "a --> b",
  "- ",
);
const line = fc.oneof(
  { weight: 3, arbitrary: heading.map((text) => [text]) },
  { weight: 4, arbitrary: todo },
  { weight: 3, arbitrary: odd.map((text) => [text]) },
  { weight: 1, arbitrary: fc.tuple(indent, words).map((parts) => [parts.join("")]) },
);
const front = fc.constantFrom(
  [],
  ["---", "goal_id: g", 'updated_at: "2026-08-01"', "---"],
  ["---", "title: a --- b", "## Agent Todo", "---  "],
  ["---", "open: yes"],
);
const opening = fc.constantFrom([], ["## Agent Todo"], ["## Agent Todo", ""], ["## User Todo", ""], ["## Next Action"]);
const endings = fc.array(fc.constantFrom("\n", "\r\n", "\r"), { minLength: 1, maxLength: 3 });
export const stateFile = fc
  .record({
    bom: fc.constantFrom("", "", "\ufeff"),
    front,
    opening,
    rest: fc.array(line, { maxLength: 14 }),
    endings,
    isEnded: fc.boolean(),
  })
  .map((parts) => {
    const lines = [...parts.front, ...parts.opening, ...parts.rest.flat()];
    const endingOf = (at: number): string => parts.endings[at % parts.endings.length] ?? "\n";
    const ended = lines.map((text, at) => text + (at < lines.length - 1 || parts.isEnded ? endingOf(at) : ""));
    return parts.bom + ended.join("");
  });
/** Without the pieces that stay open: there every edit must be possible. */
export const tidyFile = stateFile.filter((text) =>
  parsePlan(text).diagnostics.every(({ code }) => !code.endsWith("_not_closed")),
);

export const texts = fc.oneof(
  words,
  fc.string({ unit: "binary", maxLength: 20 }),
  fc.constantFrom("## x", "- [ ] y", "[ ] z", "[x]", "---", "--> q", "a\r\nb", "<!-- loopx:todo todo_id=todo_evil -->"),
);
export const someText = texts.filter((text) => collapse(text) !== "");
export const statuses = fc.constantFrom<TodoStatus>("open", "done", "blocked", "deferred");
export const values = fc.record(
  {
    note: fc.option(fc.string({ unit: "grapheme", maxLength: 12 })),
    claimed_by: fc.option(fc.constantFrom("agent-b")),
    unknown_key: fc.option(fc.constant("-->")),
  },
  { requiredKeys: [] },
);
