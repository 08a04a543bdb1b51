import { describe, expect, it } from "vitest";
import { registryFieldReader } from "../../schema/registry.ts";
import type { Reply } from "../result.ts";
import { declareGoals } from "./declare.ts";
import { findGoal, findWritableGoal } from "./find-goal.ts";
import { parseJsonText } from "./json-text.ts";
import { PROFILES, type QuotaSettings } from "./quota-settings.ts";
import type { Registry } from "./registry.ts";

function declare(text: string): Reply<Registry> {
  const document = parseJsonText(text);
  if (!document.ok) throw new Error(document.problem.code);
  return declareGoals({ document, path: "/p/.loopx/registry.json", fields: registryFieldReader });
}

function registryOf(root: object): Registry {
  const reply = declare(JSON.stringify(root, null, 2));
  if (reply.kind !== "done") throw new Error(reply.code);
  return reply.value;
}

/** A goal entry in which nothing is wrong. */
function entry(id: unknown, more: object = {}): object {
  return { id, domain: "docs", repo: "/p", state_file: `goals/${String(id)}.md`, adapter: { kind: "generic" }, ...more };
}

function codesOf(registry: Registry): readonly string[] {
  return registry.problems.map(({ code }) => code);
}

const UNWRITTEN: QuotaSettings = {
  profile: "interactive",
  compute: 1,
  window_hours: 24,
  slot_minutes: 1,
  allowed_slots: 1440,
  tokens: null,
  wall_minutes: null,
  limits: PROFILES.interactive,
};

describe("a goal as declared", () => {
  it("keeps wire names, unknown fields and places", () => {
    const written = entry("a", {
      display_name: "Ä",
      status: "active",
      coordination: { registered_agents: ["Alice Smith", { id: "bob" }, "bob"], other: 1 },
      quota: { compute: 0.25 },
      cadence: "2h",
      mine: { deep: [1] },
    });
    const registry = registryOf({ schema_version: "0.1", updated_at: "u", goals: [written] });
    expect(codesOf(registry)).toEqual([]);
    expect(registry).toMatchObject({ schema_version: "0.1", updated_at: "u", registry_role: null, writable: "yes" });
    expect(registry.goals[0]).toEqual({
      goal_id: "a",
      ordinal: 0,
      line: 5,
      standing: "clear",
      display_name: "Ä",
      domain: "docs",
      status: "active",
      role: "controller",
      parent_goal_id: null,
      repo: "/p",
      state_file: "goals/a.md",
      source_registry: null,
      adapter: { kind: "generic", status: null },
      activation: { state: "active", updated_at: null, reason: null },
      registered_agents: ["alice-smith", "bob"],
      monitor_only_agents: [],
      write_scope: [],
      quota: { kind: "set", settings: { ...UNWRITTEN, compute: 0.25, allowed_slots: 360 }, warnings: [] },
      cadence_ms: 7_200_000,
      entry: written,
      problems: [],
    });
  });

  it("G1: is the same after it was stored as text", () => {
    const [goal] = registryOf({ goals: [entry("a", { activation: { state: "stopped", reason: "done" } })] }).goals;
    expect(JSON.parse(JSON.stringify(goal))).toEqual(goal);
  });

  it("N1: takes a number as its digits, and nothing else for an id", () => {
    const registry = registryOf({ goals: [entry(7), entry(1.5), entry(null), entry(""), entry(0), entry(true), entry(["a"])] });
    expect(registry.goals.map(({ goal_id }) => goal_id)).toEqual(["7", "1.5"]);
    expect(registry.unusable.map(({ ordinal }) => ordinal)).toEqual([2, 3, 4, 5, 6]);
    expect(codesOf(registry).filter((code) => code === "registry_goal_missing_id")).toHaveLength(5);
  });

  it.each([
    "../evil",
    "a/b",
    "a\\b",
    ".",
    "..",
    " g",
    "g ",
    "g.",
    "CON",
    "nul.txt",
    "com1",
    "a\u0000b",
    "a\nb",
    "a\u202eb",
    "a:b",
    "x".repeat(129),
    "\ud800",
  ])("G2: never follows the id %j", (id) => {
    const registry = registryOf({ goals: [entry("ok"), entry(id)] });
    expect(registry.goals.map(({ goal_id }) => goal_id)).toEqual(["ok"]);
    expect(registry.unusable).toMatchObject([
      { ordinal: 1, shown_id: id, problems: [{ code: "registry_goal_id_unsafe", line: 13, severity: "error" }] },
    ]);
    expect(findGoal(registry, id).kind).toBe("bad_input");
  });

  it.each(["目标-甲", "café", "goal with space", "🚀launch", "a.b", "x".repeat(128)])("accepts the id %j", (id) => {
    expect(registryOf({ goals: [entry(id)] }).goals[0]?.goal_id).toBe(id);
  });

  it.each([
    [{ state: "paused" }, "invalid"],
    [{ state: 7 }, "invalid"],
    [{}, "invalid"],
    ["stopped", "invalid"],
    [{ state: "active", reason: 7 }, "invalid"],
    [null, "active"],
    [{ state: "stopped" }, "stopped"],
  ])("C1: activation %j makes that goal %s and no other", (activation, state) => {
    const registry = registryOf({ goals: [entry("a", { activation }), entry("b")] });
    expect(registry.goals.map((goal) => goal.activation.state)).toEqual([state, "active"]);
    expect(codesOf(registry)).toEqual(state === "invalid" ? ["registry_activation_invalid"] : []);
    expect(registry.goals[1]?.problems).toEqual([]);
  });

  it("C1: quota that is invalid is told at its line and stops no other goal; that of the registry is told once", () => {
    const goals = [
      entry("a"),
      entry("b", { quota: { compute: "abc", allowed_slot: 3 } }),
      entry("c", { quota: { compute: 0.4 } }),
    ];
    const own = registryOf({ goals });
    expect(own.problems).toMatchObject([
      { severity: "error", scope: "goal", code: "quota_invalid", goal_id: "b", line: 21, column: 20 },
    ]);
    expect(own.goals.map(({ quota }) => quota.kind)).toEqual(["set", "invalid", "set"]);
    const shared = registryOf({ quota: { compute: 2 }, limits: { max_open_todo: 3 }, goals });
    expect(shared.goals.map(({ quota }) => quota.kind)).toEqual(["invalid", "invalid", "set"]);
    expect(shared.problems).toMatchObject([
      { severity: "error", scope: "global", code: "quota_invalid", line: 3 },
      { severity: "error", scope: "goal", code: "quota_invalid", goal_id: "b" },
    ]);
    const slips = registryOf({ limits: { max_open_todo: 3 }, goals: [entry("a"), entry("b", { quota: { comput: 1 } })] });
    expect(slips.problems).toMatchObject([
      { severity: "warning", scope: "global", code: "quota_key_unknown", line: 3 },
      { severity: "warning", scope: "goal", code: "quota_key_unknown", goal_id: "b" },
    ]);
  });

  it("N2: names each missing field and each of a wrong type with its place, and reads the others", () => {
    const registry = registryOf({
      goals: [
        { id: "bare", repo: 7, domain: "", adapter: "x", coordination: { registered_agents: ["ok", "ÄÖ", 4] }, cadence: "soon" },
      ],
    });
    expect(registry.goals[0]).toMatchObject({
      goal_id: "bare",
      repo: null,
      adapter: { kind: null },
      registered_agents: ["ok"],
      cadence_ms: null,
    });
    expect(registry.problems.map(({ code, line, goal_id }) => [code, line, goal_id])).toEqual([
      ["registry_goal_missing_repo", 5, "bare"],
      ["registry_goal_missing_domain", 6, "bare"],
      ["registry_goal_missing_state_file", 3, "bare"],
      ["registry_goal_missing_adapter_kind", 7, "bare"],
      ["registry_field_invalid", 5, "bare"],
      ["registry_field_invalid", 7, "bare"],
      ["registry_agent_invalid", 11, "bare"],
      ["registry_agent_invalid", 12, "bare"],
      ["registry_cadence_invalid", 15, "bare"],
    ]);
  });

  it("takes nothing from a __proto__ key", () => {
    const reply = declare('{"goals": [{"id": "a", "__proto__": {"repo": "/evil", "domain": "x"}}]}');
    if (reply.kind !== "done") throw new Error(reply.code);
    expect(reply.value.goals[0]?.repo).toBeNull();
    expect(reply.value.goals[0]?.domain).toBeNull();
    expect(Object.hasOwn(reply.value.goals[0]?.entry ?? {}, "__proto__")).toBe(true);
  });
});

describe("several goals", () => {
  it("C2: shows both of two goals with one id, and lets nobody write to it", () => {
    const registry = registryOf({ goals: [entry("dup", { state_file: "1" }), entry("b"), entry("dup", { state_file: "2" })] });
    expect(registry.goals.map(({ standing }) => standing)).toEqual(["duplicate_id", "clear", "duplicate_id"]);
    expect(codesOf(registry)).toEqual(["registry_duplicate_goal_id", "registry_duplicate_goal_id"]);
    expect(registry.problems.map(({ line }) => line)).toEqual([4, 22]);
    expect(findGoal(registry, "dup")).toMatchObject({ kind: "done", value: { ordinal: 0 } });
    expect(findWritableGoal(registry, "dup")).toMatchObject({ kind: "refusal", code: "goal_duplicate_id" });
    expect(findWritableGoal(registry, "b").kind).toBe("done");
  });

  it.each([
    ["A", "a"],
    ["caf\u00e9", "cafe\u0301"],
    ["stra\u00dfe", "STRASSE"],
  ])("C2: lets nobody write to %j beside %j, whose folders are one somewhere", (one, other) => {
    const registry = registryOf({ goals: [entry(one), entry(other)] });
    expect(registry.goals.map(({ standing }) => standing)).toEqual(["id_collision", "id_collision"]);
    expect(registry.problems[0]).toMatchObject({ code: "registry_goal_id_collision", goal_ids: [one, other], line: 4 });
    expect(findWritableGoal(registry, one)).toMatchObject({ kind: "refusal", code: "goal_id_collision" });
  });

  it("reports a state file that two goals share, however it is spelled", () => {
    const registry = registryOf({
      goals: [
        entry("a", { state_file: "s.md" }),
        entry("b", { state_file: "./x/../s.md" }),
        entry("c", { state_file: "/p/s.md" }),
      ],
    });
    expect(registry.problems).toMatchObject([{ code: "registry_state_file_shared", scope: "goals", goal_ids: ["a", "b", "c"] }]);
  });

  it("does not call a state file shared that one id names twice, and takes a goal without repo as it is", () => {
    const registry = registryOf({
      goals: [entry("dup", { state_file: "s" }), entry("dup", { state_file: "s" }), entry("c", { repo: null, state_file: "s" })],
    });
    expect(codesOf(registry)).not.toContain("registry_state_file_shared");
  });

  it("C1: reads the good goals between any bad entries", () => {
    const registry = registryOf({ goals: ["text", entry("a"), 7, null, {}, [], entry("b")] });
    expect(registry.goals.map(({ goal_id, problems }) => [goal_id, problems.length])).toEqual([
      ["a", 0],
      ["b", 0],
    ]);
    expect(registry.unusable.map(({ problems }) => problems[0]?.code)).toEqual([
      "registry_goal_not_object",
      "registry_goal_not_object",
      "registry_goal_not_object",
      "registry_goal_missing_id",
      "registry_goal_not_object",
    ]);
  });

  it("offers the ids that a person may have meant", () => {
    const registry = registryOf({ goals: ["write-docs", "write-dots", "fix-login", "release"].map((id) => entry(id)) });
    expect(findGoal(registry, "write-dosc")).toMatchObject({
      kind: "bad_input",
      code: "unknown_goal",
      near: ["write-docs", "write-dots"],
    });
  });
});

describe("the root", () => {
  it.each([
    ["[]", "registry_not_object", 1, 1],
    ['"x"', "registry_not_object", 1, 1],
    ['{\n  "goals": {"a": 1}\n}', "registry_goals_not_list", 2, 12],
  ])("C3: %j is an error at its place", (text, code, line, column) => {
    expect(declare(text)).toMatchObject({
      kind: "bad_input",
      code,
      problems: [{ path: "/p/.loopx/registry.json", line, column, code }],
    });
  });

  it.each(["{}", '{"goals": null}', '{"goals": []}'])("%s has no goals", (text) => {
    expect(declare(text)).toMatchObject({ kind: "done", value: { goals: [], problems: [], writable: "yes" } });
  });

  it.each([
    [{ schema_version: "0.1" }, "yes"],
    [{ schema_version: "0.1.9" }, "yes"],
    [{ schema_version: "0" }, "yes"],
    [{ schema_version: null, version: "" }, "yes"],
    [{ schema_version: "0.2" }, "newer_version"],
    [{ schema_version: "0.10" }, "newer_version"],
    [{ version: 99 }, "newer_version"],
    [{ schema_version: "0.1", version: 2 }, "newer_version"],
    [{ schema_version: "odd", version: 2 }, "newer_version"],
    [{ schema_version: "odd" }, "unknown_version"],
    [{ schema_version: ["0.1"] }, "unknown_version"],
  ])("%j: written? %s", (versions, writable) => {
    const registry = registryOf({ ...versions, goals: [entry("a")] });
    expect(registry.writable).toBe(writable);
    expect(registry.goals).toHaveLength(1);
    const warnings = registry.problems.filter(({ severity }) => severity === "warning");
    expect(warnings.length > 0).toBe(writable !== "yes");
  });

  it("says what common_runtime_root is worth", () => {
    const root = (value: unknown) => registryOf({ common_runtime_root: value }).common_runtime_root;
    expect(root(undefined)).toEqual({ kind: "absent" });
    expect(root(null)).toEqual({ kind: "absent" });
    expect(root("")).toEqual({ kind: "absent" });
    expect(root("  ")).toEqual({ kind: "absent" });
    expect(root("rt")).toEqual({ kind: "text", text: "rt" });
    expect(root(7).kind).toBe("invalid");
    expect(root("a\u0000").kind).toBe("invalid");
    expect(registryOf({ a: 1, common_runtime_root: 7 }).problems).toMatchObject([
      { code: "registry_runtime_root_invalid", line: 3, column: 26 },
    ]);
  });

  it("reports repeated keys with their place", () => {
    const reply = declare('{"goals": [],\n "goals": []}');
    expect(reply).toMatchObject({
      kind: "done",
      value: { problems: [{ code: "registry_repeated_key", severity: "warning", line: 2, column: 2 }] },
    });
  });

  it("takes the role from either key", () => {
    expect(registryOf({ role: "public" }).registry_role).toBe("public");
    expect(registryOf({ role: "public", registry_role: "global-local" }).registry_role).toBe("global-local");
  });
});
