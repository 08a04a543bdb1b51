import { describe, expect, it } from "vitest";
import { at } from "../goal/goal.sample.ts";
import type { Instant } from "../instant.ts";
import { waitingFor } from "./back-off.ts";
import type { Act, Why } from "./decision.ts";

const MINUTE = 60;

function minutes(why: Why, age: number, until: Instant | null = null, act: Act = "wait"): number | null {
  const found = waitingFor({ act, why, because: "so", until }, { since: at(0), now: at(age * MINUTE) });
  return found?.minutes ?? null;
}

describe("how long to wait", () => {
  it.each<[Why, readonly number[]]>([
    ["peers_own", [10, 20, 30, 60, 60]],
    ["next_due", [15, 30, 60, 60]],
    ["gate", [30, 60, 120, 120]],
    ["empty", [60, 120, 240, 240]],
  ])("B1 %s goes through %j while nothing changes", (why, steps) => {
    let age = 0;
    for (const step of steps) {
      expect(minutes(why, age)).toBe(step);
      age += step;
    }
  });

  it("B1 begins again once the goal changed, and where the clock was set back", () => {
    expect(minutes("gate", 0)).toBe(30);
    expect(minutes("gate", -500)).toBe(30);
  });

  it("B2 is never beyond the moment at which the answer changes", () => {
    expect(minutes("peers_own", 0, at(90))).toBe(2);
    expect(minutes("peers_own", 0, at(3600))).toBe(10);
    const found = waitingFor({ act: "wait", why: "peers_own", because: "so", until: at(90) }, { since: at(0), now: at(0) });
    expect(found).toEqual({ reason: "so", until: at(90), minutes: 2 });
  });

  it("B2 is no shorter for a moment that has passed and changed nothing", () => {
    expect(minutes("gate", 0, at(0))).toBe(30);
    expect(minutes("gate", 0, at(-60))).toBe(30);
  });

  it("is nothing for what is taken up at once", () =>
    expect((["run", "poll", "replan", "repair", "stop"] as const).map((act) => minutes("work", 0, null, act))).toEqual(
      Array(5).fill(null),
    ));
});
