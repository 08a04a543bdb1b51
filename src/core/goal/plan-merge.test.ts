// G7, G8, G9 over any base, file and state: no side is lost.
import fc from "fast-check";
import { expect, test } from "vitest";
import type { TodoRecord } from "../events.ts";
import type { Instant } from "../instant.ts";
import { comparePlans } from "../plan/compare.ts";
import { parsePlan } from "../plan/parse.ts";
import { append, draftOf, type GoalDraft } from "./draft.ts";
import { acceptPlan, recordOf } from "./plan.ts";

const AT = "2026-11-30T00:00:00.000Z" as Instant;

const side = fc.record({
  text: fc.constantFrom("Build", "Test", "Ship"),
  status: fc.constantFrom("open", "blocked", "done"),
  claimed_by: fc.constantFrom("ada", "bob", ""),
  next: fc.constantFrom("Begin.", "Go on.", "Stop.", null),
});
type Side = typeof side extends fc.Arbitrary<infer T> ? T : never;

function fileOf({ text, status, claimed_by, next }: Side): string {
  const claim = claimed_by === "" ? "" : ` claimed_by=${claimed_by}`;
  const action = next === null ? "" : `## Next Action\n\n- ${next}\n\n`;
  const box = status === "done" ? "x" : " ";
  return `${action}## Agent Todo\n\n- [${box}] ${text}\n  <!-- loopx:todo todo_id=todo_one status=${status}${claim} -->\n`;
}

/** A goal whose journal says what `file` says. */
function stateOf(file: string): GoalDraft {
  const draft = draftOf("g" as GoalDraft["goal_id"], { head: null, todos: new Map() });
  append(draft, [{ type: "goal.opened", data: { registry: "/r" } }], { at: AT });
  if (draft.head === null) throw new Error("not opened");
  const { changes } = comparePlans(null, parsePlan(file));
  append(draft, acceptPlan({ head: draft.head, todos: draft.todos }, { kind: "accept-plan", changes, base: new Map() }), {
    at: AT,
  });
  return draft;
}

function todoOf(file: string): TodoRecord {
  const [todo] = parsePlan(file).todos;
  if (todo === undefined) throw new Error("no todo");
  return recordOf(todo, todo.todo_id);
}

function merged(base: Side, theirs: Side, ours: Side): GoalDraft {
  const draft = stateOf(fileOf(ours));
  if (draft.head === null) throw new Error("not opened");
  const plan = parsePlan(fileOf(base));
  const { changes } = comparePlans({ plan, ids: plan.todos.map((todo) => todo.todo_id) }, parsePlan(fileOf(theirs)));
  const known = new Map(plan.todos.map((todo) => [todo.todo_id, todo] as const));
  const facts = acceptPlan({ head: draft.head, todos: draft.todos }, { kind: "accept-plan", changes, base: known });
  append(draft, facts, { at: AT });
  return draft;
}

interface Field {
  readonly name: string;
  readonly sides: readonly [base: string, theirs: string, ours: string];
  readonly stands: string;
}

function fieldsOf(draft: GoalDraft, [base, theirs, ours]: readonly [Side, Side, Side]): readonly Field[] {
  const [b, t, o] = [todoOf(fileOf(base)), todoOf(fileOf(theirs)), todoOf(fileOf(ours))];
  const todo = draft.todos.get(b.todo_id);
  const ofTodo = (["text", "status"] as const).map(
    (field): Field => ({ name: `todo_one.${field}`, sides: [b[field], t[field], o[field]], stands: todo?.[field] ?? "" }),
  );
  const owner = ({ metadata }: TodoRecord): string => metadata["claimed_by"] ?? "";
  const ofMetadata: Field = {
    name: "todo_one.metadata",
    sides: [owner(b), owner(t), owner(o)],
    stands: todo === undefined ? "" : owner(todo),
  };
  const stands = draft.head?.next_action.entries?.[0] ?? "";
  return [...ofTodo, ofMetadata, { name: "next_action", sides: [base.next ?? "", theirs.next ?? "", ours.next ?? ""], stands }];
}

test("G7 G8 G9 a field that one side moved is that side's; where both moved it the file's stands and both are kept", () => {
  fc.assert(
    fc.property(side, side, side, (...sides) => {
      const draft = merged(...sides);
      for (const {
        name,
        sides: [base, theirs, ours],
        stands,
      } of fieldsOf(draft, sides)) {
        expect(stands).toBe(theirs === base ? ours : theirs);
        const isConflict = theirs !== base && ours !== base && ours !== theirs;
        const kept = draft.head?.conflicts.filter((conflict) => conflict.field === name);
        expect(kept?.map((conflict) => [ownerIn(conflict.ours), ownerIn(conflict.theirs)])).toEqual(
          isConflict ? [[ours, theirs]] : [],
        );
      }
    }),
    { numRuns: 500 },
  );
});

/** A conflict about metadata keeps all of it. */
function ownerIn(side: string): string {
  return side.startsWith("{") ? (JSON.parse(side).claimed_by ?? "") : side;
}

test("G13 keys that only LoopX or only the file touched stand side by side, whatever their order", () => {
  const base = "## Agent Todo\n\n- [ ] Build\n  <!-- loopx:todo todo_id=todo_one note=a status=open -->\n";
  const draft = stateOf(base.replace(" note=a status=open", " claimed_by=ada note=a"));
  if (draft.head === null) throw new Error("not opened");
  const plan = parsePlan(base);
  const known = new Map(plan.todos.map((todo) => [todo.todo_id, todo] as const));
  const file = parsePlan(base.replace("note=a", "cadence=1d note=b"));
  const { changes } = comparePlans({ plan, ids: plan.todos.map((todo) => todo.todo_id) }, file);
  const facts = acceptPlan({ head: draft.head, todos: draft.todos }, { kind: "accept-plan", changes, base: known });
  expect(facts).toMatchObject([
    { type: "todo.changed", data: { fields: { metadata: { claimed_by: "ada", note: "b", cadence: "1d" } } } },
  ]);
});

test.each(["__proto__", "constructor", "note"])("G13 M3 a key named %s is taken in, and goes, like any other", (key) => {
  const bare = "## Agent Todo\n\n- [ ] Build\n  <!-- loopx:todo todo_id=todo_one cadence=1d -->\n";
  const named = bare.replace("cadence", `${key}=a cadence`);
  const after = (from: string, to: string): TodoRecord["metadata"] | undefined => {
    const draft = stateOf(from);
    if (draft.head === null) throw new Error("not opened");
    const plan = parsePlan(from);
    const base = new Map(plan.todos.map((todo) => [todo.todo_id, todo] as const));
    const { changes } = comparePlans({ plan, ids: plan.todos.map((todo) => todo.todo_id) }, parsePlan(to));
    append(draft, acceptPlan({ head: draft.head, todos: draft.todos }, { kind: "accept-plan", changes, base }), { at: AT });
    return [...draft.todos.values()][0]?.metadata;
  };
  expect(Object.entries(after(bare, named) ?? {}).sort()).toEqual(
    [
      [key, "a"],
      ["cadence", "1d"],
    ].sort(),
  );
  expect(Object.entries(after(named, bare) ?? {})).toEqual([["cadence", "1d"]]);
});
