/** What `quota set`, `configure-goal` and `agent add` change in a registry. */
import { describe, expect, it } from "vitest";
import { registryFieldReader } from "../../schema/registry.ts";
import { type AgentId, type GoalId, parseAgentId, parseGoalId } from "../id.ts";
import { type Instant, parseInstant } from "../instant.ts";
import type { Reply } from "../result.ts";
import { declareGoals } from "./declare.ts";
import { editRegistry, type RegistryChange } from "./edit.ts";
import type { GoalSettings } from "./edit-goal.ts";
import { changedQuotaKeys, type QuotaValues } from "./edit-quota.ts";
import { entryInText } from "./entry-in-text.ts";
import type { JsonObject } from "./json-node.ts";
import { parseJsonText } from "./json-text.ts";

const NOW = parseInstant("2026-03-01T10:00:00Z") as Instant;
const STAMP = "2026-03-01T10:00:00+00:00";

function edited(text: string, change: RegistryChange): Reply<string> {
  const document = parseJsonText(text);
  if (!document.ok) throw new Error(document.problem.code);
  const registry = declareGoals({ document, path: "/p/.loopx/registry.json", fields: registryFieldReader });
  if (registry.kind !== "done") throw new Error(registry.code);
  return editRegistry({ document, registry: registry.value }, change, NOW);
}

function changed(text: string, change: RegistryChange): string {
  const reply = edited(text, change);
  if (reply.kind !== "done") throw new Error(`${reply.code}: ${reply.message}`);
  return reply.value;
}

function id(text: string): GoalId {
  const parsed = parseGoalId(text);
  if (!parsed.ok) throw new Error(parsed.flaw.code);
  return parsed.id;
}

const TEXT = `\ufeff{\r
  "my note": [1,2],\r
  "updated_at": "old",\r
  "goals": [\r
    {"id": "a", "unknown": {"k" : 1}},\r
    {"id": "b", "quota": {"mine":1, "compute" : 0.50}, "limits": {"max_open_todos": 5},\r
     "coordination": {"registered_agents": ["alice", {"id": "bob"}], "write_scope": ["docs/**"]}}\r
  ]\r
}`;

const stamped = (text: string): string => text.replace('"old"', `"${STAMP}"`);
const quota = (goal: string | null, values: Partial<QuotaValues>): RegistryChange => ({
  kind: "set_quota",
  goal_id: goal === null ? null : id(goal),
  values: { quota: {}, limits: {}, ...values },
});

describe("set_quota", () => {
  it("W2: writes the values that are given and keeps every other byte", () => {
    expect(changed(TEXT, quota("a", { quota: { compute: 0.25, tokens: 9 }, limits: { max_event_bytes: 10 } }))).toBe(
      stamped(TEXT).replace(
        '{"k" : 1}}',
        '{"k" : 1}, "quota": {"compute": 0.25, "tokens": 9, "limits": {"max_event_bytes": 10}}}',
      ),
    );
    expect(changed(TEXT, quota("b", { quota: { compute: 1, window_hours: 2 } }))).toBe(
      stamped(TEXT).replace('"compute" : 0.50}', '"compute" : 1, "window_hours" : 2}'),
    );
  });

  it("Q1: writes a limit where it counts", () => {
    expect(changed(TEXT, quota("b", { limits: { max_open_todos: 6 } }))).toBe(
      stamped(TEXT).replace('"max_open_todos": 5', '"max_open_todos": 6'),
    );
    const both = changed(TEXT, quota("b", { limits: { max_running_tasks: 2 } }));
    expect(both).toBe(stamped(TEXT).replace("0.50}", '0.50, "limits" : {"max_running_tasks" : 2}}'));
  });

  it("writes what holds for all goals", () => {
    const { root } = entryInText(
      changed(TEXT, quota(null, { quota: { profile: "batch" }, limits: { max_cache_entries: 3 } })),
      null,
    );
    expect(root["quota"]).toEqual({ profile: "batch", limits: { max_cache_entries: 3 } });
  });

  it("changes nothing where that is written already", () => {
    expect(changed(TEXT, quota("b", { quota: { compute: 0.5 }, limits: { max_open_todos: 5 } }))).toBe(TEXT);
    expect(changed(TEXT, quota("b", {}))).toBe(TEXT);
  });

  it("puts settings in the place of what is no object", () => {
    const text = '{"goals": [{"id": "a", "quota": 7}]}';
    expect(entryInText(changed(text, quota("a", { quota: { compute: 0 } })), "a").goal?.entry["quota"]).toEqual({ compute: 0 });
  });

  it("W3, Q2: names all that would be invalid, what was there too, and changes nothing", () => {
    const text = '{"goals": [{"id": "a", "quota": {"compute": "abc"}}, {"id": "b"}]}';
    expect(edited(text, quota("a", { limits: { max_open_todos: -1 } }))).toMatchObject({
      kind: "bad_input",
      code: "quota_invalid",
      problems: [
        { path: "goals.0.quota.compute", code: "quota_invalid" },
        { path: "goals.0.quota.limits.max_open_todos", code: "quota_invalid" },
      ],
    });
    expect(edited(text, quota(null, { quota: { compute: 2 } }))).toMatchObject({ problems: [{ path: "quota.compute" }] });
    expect(edited(text, quota("b", { quota: { compute: 0.5 } }))).toMatchObject({ kind: "done" });
    expect(edited(text, quota("a", { quota: { compute: 0.5 } }))).toMatchObject({ kind: "done" });
    expect(edited(text, quota("c", { quota: { compute: 0.5 } }))).toMatchObject({ code: "unknown_goal" });
  });

  it("says which keys are different now", () => {
    const values: QuotaValues = { quota: { compute: 0.5, tokens: 3 }, limits: { max_open_todos: 6, max_running_tasks: 1 } };
    const entryOf = (text: string): JsonObject => entryInText(text, "b").goal?.entry ?? {};
    const after = entryOf(changed(TEXT, quota("b", values)));
    const keys = ["tokens", "limits.max_open_todos", "limits.max_running_tasks"];
    expect(changedQuotaKeys(values, { before: entryOf(TEXT), after })).toEqual(keys);
  });
});

const NOTHING: GoalSettings = { quota: { quota: {}, limits: {} }, write_scope: null, waiting_on: null, work_modes: {} };
const configure = (goal: string, settings: Partial<GoalSettings>): RegistryChange => ({
  kind: "configure_goal",
  goal_id: id(goal),
  settings: { ...NOTHING, ...settings },
});

describe("configure_goal", () => {
  it("A1: adds scopes behind those that are there, each once", () => {
    const items = ["docs/**", "src/**", "src/**"];
    const text = changed(TEXT, configure("b", { write_scope: { mode: "add", items } }));
    expect(text).toBe(stamped(TEXT).replace('["docs/**"]', '["docs/**", "src/**"]'));
    expect(changed(text, configure("b", { write_scope: { mode: "replace", items: ["docs/**", "src/**"] } }))).toBe(text);
    expect(changed(text, configure("b", { write_scope: { mode: "replace", items: [] } }))).toBe(
      stamped(TEXT).replace('["docs/**"]', "[]"),
    );
    const first = changed(TEXT, configure("a", { write_scope: { mode: "add", items } }));
    expect(first).toBe(stamped(TEXT).replace('{"k" : 1}}', '{"k" : 1}, "coordination": {"write_scope": ["docs/**", "src/**"]}}'));
  });

  it("says who is waited on, and that nobody is", () => {
    const text = changed(TEXT, configure("a", { waiting_on: { kind: "set", value: "controller" } }));
    expect(entryInText(text, "a").goal?.entry["waiting_on"]).toBe("controller");
    expect(changed(text, configure("a", { waiting_on: { kind: "clear" } }))).toBe(stamped(TEXT));
    expect(changed(TEXT, configure("a", { waiting_on: { kind: "clear" } }))).toBe(TEXT);
  });

  it("A2: sets how an agent of the goal works, and refuses a stranger", () => {
    const text = changed(TEXT, configure("b", { work_modes: { bob: "monitor_only" } }));
    expect(entryInText(text, "b").goal?.entry["coordination"]).toMatchObject({ agent_work_modes: { bob: "monitor_only" } });
    expect(edited(TEXT, configure("b", { work_modes: { bop: "active" } }))).toMatchObject({
      code: "unknown_agent",
      near: ["bob"],
    });
  });

  it("W3: judges quota when it is set, and only then", () => {
    const text = '{"goals": [{"id": "a", "quota": "all"}]}';
    expect(edited(text, configure("a", { waiting_on: { kind: "set", value: "codex" } }))).toMatchObject({ kind: "done" });
    const values = (limits: QuotaValues["limits"]): QuotaValues => ({ quota: {}, limits });
    expect(edited(text, configure("a", { quota: values({ max_open_todos: 1.5 }) }))).toMatchObject({ code: "quota_invalid" });
    expect(edited(text, configure("a", { quota: { quota: { compute: 3 }, limits: {} } }))).toMatchObject({
      code: "quota_invalid",
    });
  });
});

describe("add_agents", () => {
  const agent = (text: string): AgentId => {
    const parsed = parseAgentId(text);
    if (parsed === null) throw new Error(text);
    return parsed;
  };
  const add = (goal: string, agents: readonly string[], must_be_new = false): RegistryChange => ({
    kind: "add_agents",
    goal_id: id(goal),
    agents: agents.map(agent),
    must_be_new,
  });

  it("A1: adds those that are missing, each once", () => {
    const text = changed(TEXT, add("b", ["bob", "carol", "carol", "dan"]));
    expect(text).toBe(stamped(TEXT).replace('{"id": "bob"}]', '{"id": "bob"}, "carol", "dan"]'));
    expect(changed(text, add("b", ["alice", "dan"]))).toBe(text);
    expect(changed(TEXT, add("a", ["zoe"]))).toBe(
      stamped(TEXT).replace('{"k" : 1}}', '{"k" : 1}, "coordination": {"registered_agents": ["zoe"]}}'),
    );
  });

  it("refuses one that is there where it must be new", () => {
    expect(edited(TEXT, add("b", ["zoe", "bob"], true))).toMatchObject({
      kind: "refusal",
      code: "agent_exists",
      details: { agents: ["bob"] },
    });
    expect(edited(TEXT, add("b", ["zoe"], true))).toMatchObject({ kind: "done" });
  });
});

it("reads what is no registry as one without entries", () => {
  expect(entryInText("[]", "a")).toEqual({ root: {}, goal: null });
  expect(entryInText("{", null)).toEqual({ root: {}, goal: null });
  expect(entryInText('{"goals": [1, {"id": 7}]}', "7")).toMatchObject({ goal: { ordinal: 1 } });
});
