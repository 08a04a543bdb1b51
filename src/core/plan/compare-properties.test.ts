import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { stateFile, statuses, tidyFile } from "../../../test/arbitrary/state-file.ts";
import { comparePlans, type IdentifiedPlan } from "./compare.ts";
import { parsePlan } from "./parse.ts";
import { renderPlan } from "./render.ts";

function pick<T>(list: readonly T[], at: number): T | undefined {
  return list[at % Math.max(1, list.length)];
}

const RUNS = { numRuns: 300 };

describe("comparePlans", () => {
  const named = (text: string): IdentifiedPlan => {
    const plan = parsePlan(text);
    return { plan, ids: comparePlans(null, plan).ids };
  };

  test("a plan does not differ from itself, and ids are unique and stable", () => {
    fc.assert(
      fc.property(stateFile, (text) => {
        const base = named(text);
        expect(comparePlans(base, parsePlan(text))).toEqual({ changes: [], ids: base.ids });
        expect(new Set(base.ids).size).toBe(base.ids.length);
      }),
      RUNS,
    );
  });

  test("K1 Q1: between any two files ids are unique and every todo is accounted for once", () => {
    fc.assert(
      fc.property(stateFile, stateFile, (one, two) => {
        const base = named(one);
        const file = parsePlan(two);
        const { changes, ids } = comparePlans(base, file);
        expect(ids).toHaveLength(file.todos.length);
        expect(new Set(ids).size).toBe(ids.length);
        const count = (kind: string): number => changes.filter((change) => change.kind === kind).length;
        expect(file.todos.length - count("todo_appeared")).toBe(base.ids.length - count("todo_missing"));
      }),
      RUNS,
    );
  });

  test("finds each single edit that rendering makes, and nothing else", () => {
    fc.assert(
      fc.property(tidyFile, fc.nat(), statuses, (text, at, status) => {
        const base = named(text);
        const todo = pick(base.plan.todos, at);
        fc.pre(todo !== undefined && !todo.archived && todo.status !== status);
        if (todo === undefined) return;
        const result = renderPlan({ text, plan: base.plan }, { todos: [{ kind: "keep", todo, change: { status } }] });
        if (result.kind !== "done") throw new Error("refused");
        const { changes, ids } = comparePlans(base, result.value.plan);
        expect(ids).toEqual(base.ids);
        expect(changes).toHaveLength(1);
        expect(changes[0]).toMatchObject({ kind: "todo_changed", todo_id: base.ids[base.plan.todos.indexOf(todo)] });
      }),
      RUNS,
    );
  });
});
