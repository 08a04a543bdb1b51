import { describe, expect, it } from "vitest";
import { registryFieldReader } from "../../schema/registry.ts";
import { type GoalId, parseGoalId } from "../id.ts";
import { type Instant, parseInstant } from "../instant.ts";
import { declareGoals } from "./declare.ts";
import { editRegistry, newRegistryText, type OpenRegistry, type RegistryChange } from "./edit.ts";
import type { JsonObject } from "./json-node.ts";
import { parseJsonText } from "./json-text.ts";

const NOW = parseInstant("2026-03-01T10:00:00Z") as Instant;
const STAMP = "2026-03-01T10:00:00+00:00";

function open(text: string): OpenRegistry {
  const document = parseJsonText(text);
  if (!document.ok) throw new Error(document.problem.code);
  const registry = declareGoals({ document, path: "/p/.loopx/registry.json", fields: registryFieldReader });
  if (registry.kind !== "done") throw new Error(registry.code);
  return { document, registry: registry.value };
}

function changed(text: string, change: RegistryChange): string {
  const reply = editRegistry(open(text), change, NOW);
  if (reply.kind !== "done") throw new Error(reply.code);
  return reply.value;
}

function id(text: string): GoalId {
  const parsed = parseGoalId(text);
  if (!parsed.ok) throw new Error(parsed.flaw.code);
  return parsed.id;
}

const TEXT = `\ufeff{\r
  "my note": [1,2],\r
  "schema_version": "0.1",\r
  "updated_at": "old",\r
  "goals": [\r
    {"id": "a", "domain": "x", "unknown": {"k" : 1}},\r
    {"id": "b", "activation": {"state": "stopped", "mine": 1, "reason": "was"}}\r
  ]\r
}`;

describe("changes", () => {
  it("W2: adds a goal and the time, and keeps every other byte", () => {
    expect(changed(TEXT, { kind: "add_goal", entry: { id: "c", domain: "d" } })).toBe(
      TEXT.replace('"old"', `"${STAMP}"`).replace('"was"}}\r\n', '"was"}},\r\n    {"id": "c", "domain": "d"}\r\n'),
    );
  });

  it.each(["{}", '{"goals": null}'])("adds the first goal to %s", (text) => {
    const root = JSON.parse(changed(text, { kind: "add_goal", entry: { id: "c" } })) as JsonObject;
    expect(root).toEqual({ goals: [{ id: "c" }], updated_at: STAMP });
  });

  it("W2: stops a goal", () => {
    const text = changed(TEXT, { kind: "set_activation", goal_id: id("a"), state: "stopped", reason: "archived" });
    const wanted = `"unknown": {"k" : 1}, "activation": {"schema_version": "loopx_goal_activation_v1", "state": "stopped", "updated_at": "${STAMP}", "reason": "archived"}}`;
    expect(text).toBe(TEXT.replace('"old"', `"${STAMP}"`).replace('"unknown": {"k" : 1}}', wanted));
  });

  it("W2: resumes a goal, keeps what others put into its activation, and drops the reason that no longer holds", () => {
    const text = changed(TEXT, { kind: "set_activation", goal_id: id("b"), state: "active" });
    expect((JSON.parse(text.slice(1)) as { goals: JsonObject[] }).goals[1]).toEqual({
      id: "b",
      activation: { state: "active", mine: 1, schema_version: "loopx_goal_activation_v1", updated_at: STAMP },
    });
  });

  it("changes nothing when the goal is in that state already", () => {
    expect(changed(TEXT, { kind: "set_activation", goal_id: id("b"), state: "stopped" })).toBe(TEXT);
    expect(changed(TEXT, { kind: "set_activation", goal_id: id("a"), state: "active" })).toBe(TEXT);
    expect(changed(TEXT, { kind: "set_activation", goal_id: id("a"), state: "active", reason: "still" })).toBe(TEXT);
  });

  it("gives a stopped goal another reason, and its own again for nothing", () => {
    const again = (reason: string): string =>
      changed(TEXT, { kind: "set_activation", goal_id: id("b"), state: "stopped", reason });
    expect(again("was")).toBe(TEXT);
    expect(open(again("is")).registry.goals[1]?.activation.reason).toBe("is");
    const text = changed('{"goals": [{"id": "a", "activation": {"state": "stopped"}}]}', {
      kind: "set_activation",
      goal_id: id("a"),
      state: "active",
    });
    expect(open(text).registry.goals[0]?.activation).toMatchObject({ state: "active", reason: null });
  });

  it("repairs an activation that is no object", () => {
    const text = changed('{"goals": [{"id": "a", "activation": "off"}]}', {
      kind: "set_activation",
      goal_id: id("a"),
      state: "stopped",
    });
    expect(open(text).registry.goals[0]?.activation.state).toBe("stopped");
  });

  it("removes a goal", () => {
    const text = changed(TEXT, { kind: "remove_goal", goal_id: id("a") });
    expect(text).toBe(
      TEXT.replace('"old"', `"${STAMP}"`).replace('{"id": "a", "domain": "x", "unknown": {"k" : 1}},\r\n    ', ""),
    );
  });

  it("sets the runtime root", () => {
    const text = changed(TEXT, { kind: "set_field", field: "common_runtime_root", value: ".loopx/runtime" });
    expect(open(text).registry.common_runtime_root).toEqual({ kind: "text", text: ".loopx/runtime" });
  });

  it("begins a registry that reads without problems", () => {
    const { registry } = open(newRegistryText(NOW, ".loopx/runtime"));
    expect(registry).toMatchObject({ goals: [], problems: [], writable: "yes", updated_at: STAMP });
  });
});

it("does not accept a registry with the document of another", () => {
  const mixed = { document: open("{}").document, registry: open(TEXT).registry };
  expect(() => editRegistry(mixed, { kind: "remove_goal", goal_id: id("a") }, NOW)).toThrow("belong together");
});

describe("refusals", () => {
  const add = (entry: JsonObject): RegistryChange => ({ kind: "add_goal", entry });
  const stop = (goal: string, reason?: string): RegistryChange => ({
    kind: "set_activation",
    goal_id: id(goal),
    state: "stopped",
    reason,
  });

  it.each<[string, string, RegistryChange, string]>([
    ["W1: a newer registry", '{"version": 99, "goals": [{"id": "a"}]}', stop("a"), "registry_newer_version"],
    ["W1: an unknown version", '{"schema_version": "x", "goals": []}', add({ id: "a" }), "registry_unknown_version"],
    ["W1: a doubled id", '{"goals": [{"id": "a"}, {"id": "a"}]}', stop("a"), "goal_duplicate_id"],
    [
      "W1: a doubled id, removed",
      '{"goals": [{"id": "a"}, {"id": "a"}]}',
      { kind: "remove_goal", goal_id: id("a") },
      "goal_duplicate_id",
    ],
    ["an id that is there", '{"goals": [{"id": "a"}]}', add({ id: "a" }), "goal_exists"],
    ["an id whose folder is there", '{"goals": [{"id": "a"}]}', add({ id: "A" }), "goal_id_collision"],
    ["an unsafe id", '{"goals": []}', add({ id: "../a" }), "goal_id_separator"],
    ["no id", '{"goals": []}', add({}), "goal_id_not_text"],
    ["an unknown goal", '{"goals": []}', stop("a"), "unknown_goal"],
    ["a long reason", '{"goals": [{"id": "a"}]}', stop("a", "🚀".repeat(601)), "reason_too_long"],
  ])("%s", (_, text, change, code) => {
    expect(editRegistry(open(text), change, NOW)).toMatchObject({ code });
  });

  it("accepts a reason of 600 characters", () => {
    expect(editRegistry(open('{"goals": [{"id": "a"}]}'), stop("a", "🚀".repeat(600)), NOW).kind).toBe("done");
  });
});
