import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { stateFile } from "../../../test/arbitrary/state-file.ts";
import { parseTodoId } from "../id.ts";
import { parsePlan } from "./parse.ts";
import type { Plan, Span } from "./plan.ts";

function spansOf(plan: Plan): readonly Span[] {
  return [
    ...plan.sections.flatMap(({ heading: title, body }) => [title, body]),
    ...plan.todos.flatMap((item) => [
      item.block,
      item.marker,
      item.first_line,
      item.todo_line,
      ...item.comments,
      ...item.continuation,
    ]),
    ...(plan.next_action ?? []).flatMap((entry) => [entry.span, ...entry.lines]),
    ...(plan.front_matter?.entries ?? []).map((entry) => entry.span),
  ];
}

const RUNS = { numRuns: 300 };

describe("parsePlan", () => {
  test.each([
    ["strings", fc.string({ unit: "binary", maxLength: 200 })],
    ["bytes read as latin1", fc.uint8Array({ maxLength: 300 }).map((bytes) => String.fromCharCode(...bytes))],
    ["generated state files", stateFile],
  ])("G1 G2 P1: never throws; spans lie inside the text and todos in order; ids are unique: %s", (_, arbitrary) => {
    fc.assert(
      fc.property(arbitrary, (text) => {
        const plan = parsePlan(text);
        for (const { start, end } of spansOf(plan)) expect(0 <= start && start <= end && end <= text.length).toBe(true);
        plan.todos.slice(1).forEach((item, at) => {
          expect(item.block.start).toBeGreaterThanOrEqual(plan.todos[at]?.block.end ?? 0);
        });
        expect(new Set(plan.todos.map((item) => item.todo_id)).size).toBe(plan.todos.length);
        expect(plan.todos.every((item) => parseTodoId(item.todo_id) !== null)).toBe(true);
      }),
      RUNS,
    );
  });
});
