import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { loopxCommand } from "../command-line.ts";
import { agent, at, id, todo } from "../goal/goal.sample.ts";
import type { Decision } from "../next/decision.ts";
import { type Asked, DECISION_BYTES, decisionPayload } from "./decision.ts";
import { printJson } from "./print-json.ts";

const bytesOf = (value: unknown): number => Buffer.byteLength(printJson(value));

const idOf = (at: number): string => `${String(at)}${"z".repeat(63)}`;
const AGENT = agent(`a${"b".repeat(79)}`);

const aboutWork = (goalId: string): readonly string[] => ["--goal-id", goalId, "--agent-id", AGENT, "--todo-id", id(idOf(0))];
const claimOf = (goalId: string): string => loopxCommand("claim", ...aboutWork(goalId));

/** All parts, with five todos to tell and both limits near. */
function fullDecision(goalId: string, text: string): Decision {
  const ids = [0, 1, 2, 3, 4].map((each) => id(idOf(each)));
  const gate = (verb: string): string => loopxCommand("gate", verb, id(idOf(0)), "--goal-id", goalId);
  return {
    act: "repair",
    why: "owner_capability",
    because: text,
    todo: {
      ...todo(idOf(0), { text, priority: 4, task_class: "continuous_monitor", metadata: { claimed_by: AGENT } }),
      lease_epoch: Number.MAX_SAFE_INTEGER,
    },
    tell: {
      todo_ids: ids,
      text,
      commands: [gate("approve"), gate("reject")],
      token: "0123456789abcdef",
    },
    commands: [claimOf(goalId), loopxCommand("done", ...aboutWork(goalId), "--summary", "…", "--next", "…")],
    wait: { reason: text, until: at(0), minutes: 1440 },
    quota: { spent: 1e15 + 1, reserved: 1e15 + 1, allowed: 1e15 + 1, next_eligible_at: at(0), short: "wall_ms" },
    warnings: [
      { code: "limit_open_todos", message: text },
      { code: "limit_runtime_bytes", message: text },
    ],
    token: "fedcba9876543210",
  };
}

function asked(goalId: string): Asked {
  return { goal_id: goalId, agent_id: AGENT, at: { seq: Number.MAX_SAFE_INTEGER, time: at(0) } };
}

/** A goal id that takes four times its length in a command. */
const LONG_WRITTEN = /['\u00ad]/;
const goalId = fc.constantFrom(
  ...["g".repeat(120), "g".repeat(128), "ü".repeat(64), "日".repeat(42), "g'".repeat(64), "\u00ad".repeat(64)],
);
const letter = fc.constantFrom("x", "é", "日", "😀", "\u0001", "\u200b", "\ud800", '"', "\\", "\n");
const text = fc.tuple(letter, fc.integer({ min: 0, max: 9000 })).map(([each, times]) => each.repeat(times));

describe("P1", () => {
  test("at most 2 KiB with the longest ids and every part", () => {
    fc.assert(
      fc.property(goalId, text, (goal, words) => {
        const payload = decisionPayload(fullDecision(goal, words), asked(goal));
        expect(bytesOf(payload)).toBeLessThanOrEqual(DECISION_BYTES);
        expect(payload).toMatchObject({ goal_id: goal, agent_id: AGENT, todo: { todo_id: id(idOf(0)) } });
        if (!LONG_WRITTEN.test(goal)) expect(payload.then[0]).toBe(claimOf(goal));
        const { todo_ids = [], todo_ids_left_out = 0 } = payload.tell ?? {};
        expect([todo_ids[0], todo_ids.length + todo_ids_left_out]).toEqual([id(idOf(0)), 5]);
        expect(payload.warnings?.map(({ code }) => code)).toEqual(["limit_open_todos", "limit_runtime_bytes"]);
      }),
      { numRuns: 60 },
    );
  });

  test("what goes last: what warnings say, then ids of what is to be told", () => {
    const decision = fullDecision("g".repeat(120), "long words ".repeat(50));
    const payload = decisionPayload(decision, asked("g".repeat(120)));
    expect(payload.warnings).toEqual([
      { code: "limit_open_todos", message: "…" },
      { code: "limit_runtime_bytes", message: "…" },
    ]);
    expect(payload.tell).toMatchObject({ todo_ids: [id(idOf(0))], todo_ids_left_out: 4, commands: [] });
    expect(payload.because).toBe("long words long words long words long w…");
  });

  test("what fits is whole", () => {
    const decision = { ...fullDecision("g", "two words"), warnings: [] };
    const payload = decisionPayload({ ...decision, tell: null }, { goal_id: "g", agent_id: AGENT });
    expect(payload).toMatchObject({ because: "two words", then: decision.commands, tell: null });
    expect(payload).not.toHaveProperty("warnings");
  });
});
