import { expect, it } from "vitest";
import { registryFieldReader } from "../../schema/registry.ts";
import { declareGoals } from "./declare.ts";
import { parseJsonText } from "./json-text.ts";
import type { Registry } from "./registry.ts";

function registryOf(root: object): Registry {
  const document = parseJsonText(JSON.stringify(root, null, 2));
  if (!document.ok) throw new Error(document.problem.code);
  const reply = declareGoals({ document, path: "/p/.loopx/registry.json", fields: registryFieldReader });
  if (reply.kind !== "done") throw new Error(reply.code);
  return reply.value;
}

function entry(id: string, more: object = {}): object {
  return { id, domain: "docs", repo: "/p", state_file: `goals/${id}.md`, adapter: { kind: "generic" }, ...more };
}

it.each([
  ["npm test", "run is no JSON list like"],
  [{ program: "npm" }, "run must be a list of arguments like"],
  [[], "run names no program"],
  [["npm", 7], "run[1] must be a text"],
])("N2: names the run %j, which is no list of arguments, with its place", (run, message) => {
  const registry = registryOf({ goals: [entry("a", { run }), entry("b")] });
  expect(registry.problems).toMatchObject([
    { severity: "error", scope: "goal", code: "registry_run_invalid", goal_id: "a", line: 11 },
  ]);
  expect(registry.problems[0]?.message).toContain(`a: ${message}`);
  expect(registry.goals[0]?.standing).toBe("clear");
});

it.each([[["npm", "test"]], ['["npm","test"]'], [null]])("takes the run %j", (run) => {
  expect(registryOf({ goals: [entry("a", { run })] }).problems).toEqual([]);
});
