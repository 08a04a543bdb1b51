import { expect, test } from "vitest";
import { configurationChange } from "./goal-configuration.ts";

const text = (entry: object): string => JSON.stringify({ goals: [{ id: "a", ...entry }] });

test("names the fields that the registry says differently", () => {
  const after = text({
    quota: { compute: 0.5 },
    waiting_on: "codex",
    coordination: {
      write_scope: ["x", 1],
      registered_agents: ["A b", { id: "c" }, {}, 3, "Ä"],
      agent_work_modes: { c: "active" },
    },
  });
  expect(configurationChange({ before: text({ waiting_on: 1 }), after }, "a")).toEqual({
    changed_fields: ["quota", "waiting_on", "write_scope", "registered_agents", "agent_work_modes"],
    before: {
      quota: { compute: 1, window_hours: 24 },
      waiting_on: null,
      write_scope: [],
      registered_agents: [],
      agent_work_modes: {},
      left_out: 0,
    },
    after: {
      quota: { compute: 0.5, window_hours: 24 },
      waiting_on: "codex",
      write_scope: ["x"],
      registered_agents: ["a-b", "c"],
      agent_work_modes: { c: "active" },
      left_out: 0,
    },
  });
});

test("C1: shows the first entries of a long list and counts the others", () => {
  const write_scope = Array.from({ length: 100 }, (_, n) => `folder-${n}/**`);
  const { before, after } = configurationChange(
    { before: text({}), after: text({ quota: 1, coordination: { write_scope } }) },
    "a",
  );
  expect(after.write_scope).toEqual(write_scope.slice(0, 22));
  expect([before.left_out, after.left_out, after.quota]).toEqual([0, 78, null]);
});

test("a goal that is not there says nothing", () => {
  expect(configurationChange({ before: text({}), after: "{}" }, "a").after).toMatchObject({ registered_agents: [], left_out: 0 });
});
