// G7, G8, G9 over any base, file and state: no side is lost.
import fc from "fast-check";
import { expect, test } from "vitest";
import type { TodoRecord } from "../events.ts";
import type { TodoId } from "../id.ts";
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

test("G7 G8 G9 a field that one side moved is that side's; where both moved it the file's stands and both are kept", () => {
  fc.assert(
    fc.property(side, side, side, (base, theirs, ours) => {
      const [baseFile, theirFile, ourFile] = [fileOf(base), fileOf(theirs), fileOf(ours)];
      const draft = stateOf(ourFile);
      if (draft.head === null) throw new Error("not opened");
      const basePlan = parsePlan(baseFile);
      const ids = basePlan.todos.map((todo) => todo.todo_id);
      const { changes } = comparePlans({ plan: basePlan, ids }, parsePlan(theirFile));
      const known = new Map(basePlan.todos.map((todo) => [todo.todo_id, todo] as const));
      const facts = acceptPlan({ head: draft.head, todos: draft.todos }, { kind: "accept-plan", changes, base: known });
      append(draft, facts, { at: AT });
      const conflicts = new Map(draft.head?.conflicts.map((conflict) => [conflict.field, conflict]) ?? []);
      const [b, t, o] = [todoOf(baseFile), todoOf(theirFile), todoOf(ourFile)];
      const result = draft.todos.get("todo_one" as TodoId);
      for (const field of ["text", "status", "metadata"] as const) {
        const [inBase, inFile, inState] = [b, t, o].map((record) => JSON.stringify(record[field]));
        const stands = JSON.stringify(result?.[field]);
        expect(stands).toBe(inFile === inBase ? inState : inFile);
        const isConflict = inFile !== inBase && inState !== inBase && inFile !== inState;
        expect(conflicts.has(`todo_one.${field}`)).toBe(isConflict);
        if (isConflict)
          expect(conflicts.get(`todo_one.${field}`)).toMatchObject({ ours: plain(o[field]), theirs: plain(t[field]) });
      }
      const nextStands = draft.head?.next_action.entries?.[0] ?? null;
      expect(nextStands).toBe(theirs.next === base.next ? ours.next : theirs.next);
      const isConflict = theirs.next !== base.next && ours.next !== base.next && ours.next !== theirs.next;
      expect(conflicts.has("next_action")).toBe(isConflict);
      if (isConflict) expect(conflicts.get("next_action")).toMatchObject({ ours: ours.next ?? "", theirs: theirs.next ?? "" });
    }),
    { numRuns: 500 },
  );
});

function plain(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
