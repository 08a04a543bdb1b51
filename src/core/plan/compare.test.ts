import { describe, expect, test } from "vitest";
import type { TodoId } from "../id.ts";
import { comparePlans, type IdentifiedPlan, type PlanChange } from "./compare.ts";
import { mergeField } from "./merge.ts";
import { parsePlan } from "./parse.ts";
import { priorityOf, withPriority } from "./priority.ts";

const file = (...lines: readonly string[]): string => ["## Agent Todo", ...lines, ""].join("\n");

function known(text: string): IdentifiedPlan {
  const plan = parsePlan(text);
  return { plan, ids: comparePlans(null, plan).ids };
}

const brief = (change: PlanChange): string => {
  if (change.kind === "todo_changed") return `changed ${change.todo.text}: ${change.fields.join(" ")}`;
  if (change.kind === "todo_appeared") return `appeared ${change.todo.text}`;
  return change.kind === "todo_missing" ? `missing ${change.heading_present}` : "next action";
};

/** Each todo of the new file as the place (from 0) that its id had in the old one, or "new". */
function traced(
  before: string,
  after: string,
): { readonly from: readonly (number | "new")[]; readonly changes: readonly string[] } {
  const base = known(before);
  const { ids, changes } = comparePlans(base, parsePlan(after));
  const from = ids.map((id) => (base.ids.includes(id) ? base.ids.indexOf(id) : ("new" as const)));
  return { from, changes: changes.map(brief) };
}

describe("identity of todos without ids", () => {
  const BASE = file("- [ ] a", "- [ ] b", "- [ ] c");

  test.each<[string, string, readonly (number | "new")[], readonly string[]]>([
    ["nothing changed", BASE, [0, 1, 2], []],
    ["K5 a line above", file("- [ ] new", "- [ ] a", "- [ ] b", "- [ ] c"), ["new", 0, 1, 2], ["appeared new"]],
    ["K5 reordered", file("- [ ] c", "- [ ] a", "- [ ] b"), [2, 0, 1], ["changed c: index"]],
    ["Q4 text changed", file("- [ ] a", "- [ ] B", "- [ ] c"), [0, 1, 2], ["changed B: text"]],
    [
      "Q4 text changed and a line above",
      file("- [ ] new", "- [ ] a", "- [ ] B", "- [ ] c"),
      ["new", 0, 1, 2],
      ["appeared new", "changed B: text"],
    ],
    ["one taken out", file("- [ ] a", "- [ ] c"), [0, 2], ["missing true"]],
    ["one taken out, one put at the end", file("- [ ] a", "- [ ] c", "- [ ] d"), [0, 2, "new"], ["appeared d", "missing true"]],
    ["ticked", file("- [x] a", "- [ ] b", "- [ ] c"), [0, 1, 2], ["changed a: status"]],
    ["heading gone", "## Notes\n", [], ["missing false", "missing false", "missing false"]],
    [
      "Q3 moved to another section",
      `${file("- [ ] a", "- [ ] c")}## User Todo\n- [ ] b\n`,
      [0, 2, 1],
      ["changed b: role section"],
    ],
    [
      "Q3 archived while another was reworded",
      `${file("- [ ] A", "- [ ] c")}## Work Archive\n- [x] b\n`,
      [0, 2, 1],
      ["changed A: text", "changed b: status section"],
    ],
    ["a second one with equal text", file("- [ ] a", "- [ ] a", "- [ ] b", "- [ ] c"), [0, "new", 1, 2], ["appeared a"]],
    ["metadata", file("- [ ] a", "  <!-- loopx:todo note=x -->", "- [ ] b", "- [ ] c"), [0, 1, 2], ["changed a: metadata"]],
  ])("K1 Q1: %s", (_, after, from, changes) => {
    const result = traced(BASE, after);
    expect(result.from).toEqual(from);
    expect([...result.changes].sort()).toEqual([...changes].sort());
  });

  test("K1: it keeps the id it was known by through many versions", () => {
    let base = known(file("- [ ] a"));
    const [id] = base.ids;
    for (const lines of [["- [ ] z", "- [ ] a"], ["- [ ] z", "- [ ] A"], ["- [ ] A", "- [ ] z"], ["- [x] A"]]) {
      const plan = parsePlan(file(...lines));
      base = { plan, ids: comparePlans(base, plan).ids };
    }
    expect(base.ids).toEqual([id]);
  });

  test("K3: a new todo never takes the id of one that is known, missing or reserved", () => {
    const base = known(file("- [ ] a"));
    const [id] = base.ids;
    const moved = comparePlans(base, parsePlan(file("- [ ] a", "- [ ] b")));
    expect(moved.ids[0]).toBe(id);
    const twice = comparePlans(base, parsePlan(`${file("- [ ] a")}## Agent Backlog\n- [ ] a\n`));
    expect(new Set(twice.ids).size).toBe(2);
    const fresh = comparePlans(null, parsePlan(file("- [ ] a")), [id ?? ("todo_none" as TodoId)]);
    expect(fresh.ids).toEqual([`${id}-2`]);
    expect(fresh.changes).toMatchObject([{ kind: "todo_appeared", todo: { todo_id: `${id}-2` } }]);
  });
});

describe("written ids", () => {
  const named = (text: string, id: string): string => `- [ ] ${text}\n  <!-- loopx:todo todo_id=${id} -->`;

  test("Q2: the id finds its todo whatever else changed", () => {
    expect(
      traced(file(named("a", "todo_aaa"), named("b", "todo_bbb")), file(named("B", "todo_bbb"), named("a", "todo_aaa"))),
    ).toEqual({
      from: [1, 0],
      changes: ["changed B: text index"],
    });
  });

  test("Q2: LoopX writing down the id it made up is no change", () => {
    const base = known(file("- [ ] a"));
    expect(comparePlans(base, parsePlan(file(named("a", String(base.ids[0]))))).changes).toEqual([]);
  });

  test("K2: an id that a person gives to a todo that had none is a change of its name", () => {
    const base = known(file("- [ ] a"));
    const { ids, changes } = comparePlans(base, parsePlan(file(named("a", "todo_mine"))));
    expect(ids).toEqual(["todo_mine"]);
    expect(changes).toMatchObject([
      { kind: "todo_changed", todo_id: base.ids[0], todo: { todo_id: "todo_mine" }, fields: ["todo_id"] },
    ]);
  });

  test("K1: a comment that is deleted does not change the name", () => {
    expect(traced(file(named("a", "todo_aaa")), file("- [ ] a"))).toEqual({ from: [0], changes: [] });
  });

  test("Q3: different ids are different todos, also with equal text", () => {
    expect(traced(file(named("a", "todo_aaa")), file(named("a", "todo_bbb")))).toEqual({
      from: ["new"],
      changes: ["appeared a", "missing true"],
    });
  });

  test("Q1 Q2: the name that a todo is known by wins over the one that was written", () => {
    const base = { ...known(file(named("a", "todo_bbb"))), ids: ["todo_aaa" as TodoId] };
    const { ids, changes } = comparePlans(base, parsePlan(file(named("a", "todo_aaa"), named("b", "todo_bbb"))));
    expect(ids).toEqual(["todo_aaa", "todo_bbb"]);
    expect(changes.map(brief)).toEqual(["appeared b"]);
  });

  test("Q3: equal texts pair in file order, with and without ids", () => {
    expect(traced(file("- [ ] a", named("a", "todo_aaa")), file("- [ ] a", "- [ ] a"))).toEqual({ from: [0, 1], changes: [] });
  });

  test("a copy of a todo is a new one", () => {
    expect(traced(file(named("a", "todo_aaa")), file(named("a", "todo_aaa"), named("a", "todo_aaa")))).toEqual({
      from: [0, "new"],
      changes: ["appeared a"],
    });
  });
});

describe("status", () => {
  const todo = (marker: string, status: string): string =>
    file(`- [${marker}] a`, `  <!-- loopx:todo todo_id=todo_aaa status=${status} -->`);

  test("K4: a tick counts though the metadata was left as it was", () => {
    const { changes } = comparePlans(known(todo(" ", "open")), parsePlan(todo("x", "open")));
    expect(changes).toMatchObject([{ kind: "todo_changed", fields: ["status"], todo: { status: "done" } }]);
  });

  test("K4: metadata that changed wins", () => {
    const { changes } = comparePlans(known(todo(" ", "open")), parsePlan(todo("x", "blocked")));
    expect(changes).toMatchObject([{ fields: ["status", "metadata"], todo: { status: "blocked" } }]);
  });
});

describe("next action", () => {
  test.each([
    ["appeared", "", "## Next Action\n- a\n", null, ["a"]],
    ["changed", "## Next Action\n- a\n", "## Next Action\n- b\n- a\n", ["a"], ["b", "a"]],
    ["emptied", "## Next Action\n- a\n", "## Next Action\n", ["a"], []],
    ["went", "## Next Action\n- a\n", "## Notes\n", ["a"], null],
  ])("%s", (_, before, after, from, to) => {
    expect(comparePlans(known(before), parsePlan(after)).changes).toEqual([
      { kind: "next_action_changed", before: from, after: to },
    ]);
  });

  test("another spelling is no change", () => {
    expect(comparePlans(known("## Next Action\n- a b\n"), parsePlan("### next action\r\n\r\n1) a\r\n   b\r\n")).changes).toEqual(
      [],
    );
  });
});

test("a first contact is every todo", () => {
  const { changes } = comparePlans(null, parsePlan(file("- [ ] a", "- [x] b")));
  expect(changes.map(brief)).toEqual(["appeared a", "appeared b"]);
});

describe("mergeField", () => {
  test.each([
    ["Y1 nobody moved", "a", "a", "a", { kind: "agreed", value: "a" }],
    ["Y1 both to the same", "a", "b", "b", { kind: "agreed", value: "b" }],
    ["Y1 the file", "a", "b", "a", { kind: "from_file", value: "b" }],
    ["Y1 the journal", "a", "a", "b", { kind: "from_state", value: "b" }],
    ["Y1 both", "a", "b", "c", { kind: "conflict", value: "b", other: "c" }],
  ])("%s", (_, base, inFile, state, merged) => {
    expect(mergeField({ base, file: inFile, state })).toEqual(merged);
  });
});

test.each([
  ["[P0] a", 0, "[P3] a"],
  ["[p4]a", 4, "[P3] a"],
  ["[P5] a", null, "[P3] [P5] a"],
  ["a [P1]", null, "[P3] a [P1]"],
])("priority of %j", (text, priority, other) => {
  expect(priorityOf(text)).toBe(priority);
  expect(withPriority(text, 3)).toBe(other);
  expect(priorityOf(withPriority(text, null))).toBeNull();
});
