import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { PROFILES, type QuotaLimits } from "../registry/quota-settings.ts";
import type { Refusal } from "../result.ts";
import { eventBytesBar, type LimitedGoal, openTodoBar, runningTaskBar, runtimeBytesWarning, spareWriteBar } from "./limits.ts";

const goal = (limits: Partial<QuotaLimits>): LimitedGoal => ({
  goal_id: "my goal",
  limits: { ...PROFILES.interactive, ...limits },
});

const GOAL = "--goal-id 'my goal'";

interface Row {
  readonly code: string;
  readonly bar: (goal: LimitedGoal, number: number) => Refusal | null;
  readonly key: keyof QuotaLimits;
  /** The first number that is refused at a limit of 10. */
  readonly first: number;
  readonly raise: string;
  readonly fix: string;
}

const ROWS: readonly Row[] = [
  {
    code: "limit_open_todos",
    bar: openTodoBar,
    key: "max_open_todos",
    first: 11,
    raise: `loopx quota set ${GOAL} --limit-open-todos 11`,
    fix: `loopx todo list ${GOAL} --status open`,
  },
  {
    code: "limit_running_tasks",
    bar: runningTaskBar,
    key: "max_running_tasks",
    first: 11,
    raise: `loopx quota set ${GOAL} --limit-running-tasks 11`,
    fix: `loopx status ${GOAL}`,
  },
  {
    code: "limit_runtime_bytes",
    bar: spareWriteBar,
    key: "max_runtime_bytes",
    first: 10,
    raise: `loopx quota set ${GOAL} --limit-runtime-bytes 20`,
    fix: `loopx quota set ${GOAL} --limit-runtime-bytes 20`,
  },
];

describe.each(ROWS)("$code", ({ code, bar, key, first, raise, fix }) => {
  it("M3: refuses what is over the limit and nothing below", () => {
    expect(bar(goal({ [key]: 10 }), first - 1)).toBe(null);
    const details = { goal_id: "my goal", number: first, limit: 10, raise };
    expect(bar(goal({ [key]: 10 }), first)).toMatchObject({ kind: "refusal", code, fix, details });
  });

  it("M1: 0 is no limit", () => expect(bar(goal({ [key]: 0 }), Number.MAX_SAFE_INTEGER)).toBe(null));
});

describe("runtime bytes", () => {
  it("are warned of from 80 % on", () => {
    expect(runtimeBytesWarning(goal({ max_runtime_bytes: 1000 }), 799)).toBe(null);
    expect(runtimeBytesWarning(goal({ max_runtime_bytes: 1000 }), 800)).toMatchObject({ code: "limit_runtime_bytes" });
    expect(runtimeBytesWarning(goal({ max_runtime_bytes: 1000 }), 1234)?.message).toContain("123 %");
    expect(runtimeBytesWarning(goal({ max_runtime_bytes: 0 }), 1e15)).toBe(null);
  });
});

describe("bytes of an event", () => {
  const bar = (data: unknown, max_event_bytes: number): Refusal | null =>
    eventBytesBar(goal({ max_event_bytes }), JSON.stringify(data));

  it("M3: name the field that is too long", () => {
    const data = { todo: { title: "a", text: "x".repeat(100) }, reason: "y".repeat(50), empty: {} };
    expect(bar(data, 100)).toMatchObject({
      code: "limit_event_bytes",
      fix: `loopx quota set ${GOAL} --limit-event-bytes 205`,
      details: { goal_id: "my goal", number: 205, limit: 100, field: "todo.text" },
    });
    expect(bar({ ids: Array.from({ length: 50 }, () => "abc"), why: "z" }, 100)?.details).toMatchObject({ field: "ids" });
    expect(bar({ many: {} }, 1)?.details).toMatchObject({ field: "many" });
  });

  it("M1: 0 is no limit", () => expect(bar({ text: "x".repeat(10_000) }, 0)).toBe(null));

  it("are those of UTF-8 (property)", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 60 }), (text) => {
        const bytes = new TextEncoder().encode(JSON.stringify({ text })).length;
        expect(bar({ text }, bytes)).toBe(null);
        expect(bar({ text }, bytes - 1)?.details).toMatchObject({ number: bytes, field: "text" });
      }),
    );
  });
});

it("M4: a yes takes microseconds", () => {
  const roomy = goal({});
  const text = JSON.stringify({ text: "x".repeat(1000) });
  const started = performance.now();
  let no = 0;
  for (let n = 0; n < 100_000; n += 1) {
    if (openTodoBar(roomy, 3) !== null || runningTaskBar(roomy, 3) !== null) no += 1;
    if (spareWriteBar(roomy, 3) !== null || eventBytesBar(roomy, text) !== null) no += 1;
  }
  expect(no).toBe(0);
  expect((performance.now() - started) / 100_000).toBeLessThan(0.01);
});
