import { expect, test } from "vitest";
import { readReferenceSpec } from "./reference-spec.ts";

test("a spec names goal, agents and session; other fields are passed over", () => {
  const text = JSON.stringify({
    goal_id: "g",
    session_name: "s",
    reasoning_effort: "high",
    roles: [{ agent_id: "a", lane_id: "x", worker_turn_command: "rm -rf" }, { agent_id: "b" }],
  });
  expect(readReferenceSpec(text, "/s.json")).toEqual({
    kind: "done",
    value: { goal_id: "g", agents: ["a", "b"], session: "s", workspace: null },
  });
});

test.each(["agents", "lanes"])("the agents may stand under %s", (name) => {
  const reply = readReferenceSpec(JSON.stringify({ goal_id: "g", [name]: [{ agent_id: "a" }] }), "/s.json");
  expect(reply).toMatchObject({ kind: "done", value: { agents: ["a"] } });
});

test.each([
  ["{", "spec_unreadable"],
  ["[]", "spec_invalid"],
  ["{}", "spec_invalid"],
  ['{"goal_id": "g"}', "spec_invalid"],
  ['{"goal_id": "g", "roles": []}', "spec_invalid"],
  ['{"goal_id": "g", "roles": ["a"]}', "spec_invalid"],
  ['{"goal_id": "g", "roles": [{"agent_id": 1}]}', "spec_invalid"],
  ['{"goal_id": "g", "session_name": 1, "roles": [{"agent_id": "a"}]}', "spec_invalid"],
])("G1: %s", (text, code) => {
  expect(readReferenceSpec(text, "/s.json")).toMatchObject({ kind: "bad_input", code, problems: [{ path: "/s.json" }] });
});
