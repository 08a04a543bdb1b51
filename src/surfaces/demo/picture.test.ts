import { expect, test } from "vitest";
import { differences } from "./picture.ts";
import { SAMPLE_GOALS } from "./sample.ts";

const DRIFT = SAMPLE_GOALS.flatMap((goal) => goal.drift.map((kind) => ({ goal_id: goal.id, kind })));

test("P1: the picture stands when every goal has the drift that it was made with", () => {
  expect(differences({ goal_count: SAMPLE_GOALS.length, drift: DRIFT })).toEqual([]);
});

test.each([
  ["a goal is missing", { goal_count: 5, drift: DRIFT }],
  ["drift is missing", { goal_count: 6, drift: DRIFT.slice(1) }],
  ["drift is of another kind", { goal_count: 6, drift: DRIFT.map((entry) => ({ ...entry, kind: "clock_stepped" })) }],
  ["a goal that was not made has drift", { goal_count: 6, drift: [...DRIFT, { goal_id: "x", kind: "moved_root" }] }],
])("P1: it does not when %s", (_, seen) => {
  expect(differences(seen)).not.toEqual([]);
});

test("the sample has every damage that it tells of", () => {
  expect(new Set(DRIFT.map((entry) => entry.kind))).toEqual(
    new Set(["next_action_projection_mismatch", "state_file_missing", "index_damaged", "runtime_goal_not_registered"]),
  );
});
