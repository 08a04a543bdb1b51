import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { JsonObject, JsonValue } from "./json-node.ts";
import { type DeclaredQuota, declaredQuota, type QuotaProblem } from "./quota.ts";
import { LIMIT_KEYS, PROFILES, type QuotaSettings } from "./quota-settings.ts";

const read = (entry: JsonObject, root: JsonObject = {}): DeclaredQuota => declaredQuota(root, { entry, ordinal: 3 });

function settings(entry: JsonObject, root: JsonObject = {}): QuotaSettings {
  const quota = read(entry, root);
  if (quota.kind === "invalid") throw new Error(quota.problems.map(({ message }) => message).join("; "));
  return quota.settings;
}

function problems(entry: JsonObject, root: JsonObject = {}): readonly QuotaProblem[] {
  const quota = read(entry, root);
  return quota.kind === "invalid" ? quota.problems : [];
}

describe("settings", () => {
  it("are those of an interactive goal with a slot a minute where nothing is written", () => {
    expect(settings({ quota: null, limits: null })).toEqual({
      profile: "interactive",
      compute: 1,
      window_hours: 24,
      slot_minutes: 1,
      allowed_slots: 1440,
      tokens: null,
      wall_minutes: null,
      limits: PROFILES.interactive,
    });
    expect(settings({ quota: { profile: "batch" } }).limits).toEqual(PROFILES.batch);
  });

  it.each([
    [{ compute: 0.004 }, 0.004, 6],
    [{ compute: 0.5, window_hours: 1, slot_minutes: 20 }, 0.5, 2],
    [{ compute: 0.5, window_hours: 1, slot_minutes: 12 }, 0.5, 2],
    [{ compute: 1, window_hours: 1, slot_minutes: 8 }, 1, 8],
    [{ compute: 1, slot_minutes: 1440 }, 1, 1],
    [{ compute: 0.3, allowed_slots: 7 }, 0.3, 7],
    [{ allowed_slots: 0 }, 1, 0],
    [{ compute: 0 }, 0, 0],
    [{ compute: 0, allowed_slots: 9 }, 0, 0],
    [{ slot_minutes: 100_000 }, 1, 0],
  ])("K3: %j is a share of %d and %d slots", (quota, compute, allowed_slots) => {
    expect(settings({ quota })).toMatchObject({ compute, allowed_slots });
  });

  it("take tokens and minutes of work as caps, where 0 is none at all", () => {
    expect(settings({ quota: { tokens: 0, wall_minutes: 1.5 } })).toMatchObject({ tokens: 0, wall_minutes: 1.5 });
  });

  it("K2: take the nearest value", () => {
    const root = {
      quota: { compute: 0.5, window_hours: 2, limits: { max_open_todos: 4, max_event_bytes: 40 } },
      limits: { max_cache_entries: 5, max_event_bytes: 50 },
    };
    const entry = {
      quota: { compute: 0.25, limits: { max_open_todos: 1 } },
      limits: { max_open_todos: 2, max_running_tasks: 0 },
    };
    const { limits, ...rest } = settings(entry, root);
    expect(rest).toMatchObject({ compute: 0.25, window_hours: 2, allowed_slots: 30 });
    const near = { max_open_todos: 1, max_running_tasks: 0, max_event_bytes: 40, max_cache_entries: 5 };
    expect(limits).toEqual({ ...PROFILES.interactive, ...near });
    expect(declaredQuota(root, null)).toMatchObject({ kind: "set", settings: { compute: 0.5, limits: { max_open_todos: 4 } } });
  });

  it("K2: do not judge a value that does not count", () => {
    expect(settings({ quota: { compute: 0.5 } }, { quota: { compute: "abc" } }).compute).toBe(0.5);
    expect(problems({}, { quota: { compute: "abc" } })).toMatchObject([{ path: ["quota", "compute"] }]);
  });
});

describe("K1: what is not allowed", () => {
  it.each<[string, JsonValue]>([
    ["compute", "abc"],
    ["compute", "0.5"],
    ["compute", 5],
    ["compute", -0.1],
    ["compute", Number.NaN],
    ["compute", true],
    ["window_hours", 0],
    ["window_hours", 1e9],
    ["slot_minutes", 0],
    ["slot_minutes", -1],
    ["slot_minutes", Number.POSITIVE_INFINITY],
    ["slot_minutes", 1e-300],
    ["allowed_slots", 1.5],
    ["allowed_slots", -1],
    ["allowed_slots", 2 ** 53],
    ["tokens", []],
    ["wall_minutes", {}],
    ["profile", "fast"],
  ])("%s %j is a problem at its place, and no setting", (key, value) => {
    const [problem, more] = problems({ quota: { [key]: value } });
    expect(problem).toMatchObject({ code: "quota_invalid", path: ["goals", 3, "quota", key] });
    expect(problem?.message).toContain(`\`quota.${key}\``);
    expect(more).toBeUndefined();
  });

  it("is named for each limit, with the value cut short", () => {
    for (const key of LIMIT_KEYS) {
      expect(problems({ limits: { [key]: -1 } })).toMatchObject([{ path: ["goals", 3, "limits", key] }]);
      const [problem] = problems({ quota: { limits: { [key]: "x".repeat(100) } } });
      expect(problem?.path).toEqual(["goals", 3, "quota", "limits", key]);
      expect(problem?.message.length).toBeLessThan(140);
    }
  });

  it("is named when it is no object, and all of it at once", () => {
    expect(problems({ quota: 1, limits: [] }).map(({ path }) => path.slice(2))).toEqual([["quota"], ["limits"]]);
    expect(problems({ quota: { compute: 2, tokens: "x", limits: "none" } })).toHaveLength(3);
    expect(problems({}, { quota: "half" })).toMatchObject([
      { path: ["quota"], message: '`quota` must be an object, not "half"' },
    ]);
  });

  it("never becomes a setting: a goal with any value has that value or a problem (property)", () => {
    const value = fc.oneof(fc.jsonValue(), fc.double(), fc.integer()) as fc.Arbitrary<JsonValue>;
    fc.assert(
      fc.property(value, (compute) => {
        const quota = read({ quota: { compute } });
        const isShare = typeof compute === "number" && compute >= 0 && compute <= 1;
        expect(quota.kind).toBe(isShare || compute === null ? "set" : "invalid");
        if (quota.kind === "set") expect(quota.settings.compute).toBe(compute ?? 1);
      }),
    );
  });
});

describe("K4: warnings", () => {
  const warnings = (entry: JsonObject, root: JsonObject = {}): readonly unknown[] => {
    const quota = read(entry, root);
    return quota.kind === "set" ? quota.warnings.map(({ code, path }) => [code, path.join(".")]) : [];
  };

  it("name keys that look like a slip, and leave others alone", () => {
    const quota = { compute_: 1, next_eligible_at: "x", note: "mine", state: "eligible", limits: { max_open_todo: 3, mine: 1 } };
    expect(warnings({ quota })).toEqual([
      ["quota_key_unknown", "goals.3.quota.compute_"],
      ["quota_key_unknown", "goals.3.quota.limits.max_open_todo"],
    ]);
  });

  it("say what leaves no slot, unless the goal is paused", () => {
    expect(warnings({ quota: { compute: 0 } })).toEqual([]);
    expect(warnings({ quota: { compute: 0.0001 } })).toEqual([["quota_no_slots", "goals.3.quota.compute"]]);
    expect(warnings({ quota: { allowed_slots: 0 } })).toEqual([["quota_no_slots", "goals.3.quota.allowed_slots"]]);
    expect(warnings({}, { quota: { slot_minutes: 100_000 } })).toEqual([["quota_no_slots", "quota.slot_minutes"]]);
    expect(warnings({ quota: { window_hours: 0.005 } })).toEqual([["quota_no_slots", "goals.3.quota.window_hours"]]);
  });
});
