import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { actionsAreProjectionAligned, nextActionProjectionWarning, normaliseActionText } from "./alignment.ts";

describe("normaliseActionText", () => {
  it.each([
    ["  Ship   THE\tDocs ", "ship the docs"],
    ["todo_ab12: Ship", "ship"],
    ["todo_ab-12: Ship", "todo_ab-12: ship"],
    ["P2: Ship", "ship"],
    ["[P1] Ship", "ship"],
    ["[whatever it is] Ship", "ship"],
    ["[] Ship", "[] ship"],
    ["Owner :  Ship", "ship"],
    ["todo_x1: p0: [P1] user: Ship", "ship"],
    ["[P1] [P2] Ship", "[p2] ship"],
    ["Agent: [P1] Ship", "[p1] ship"],
    ["p0: todo_x1: Ship", "todo_x1: ship"],
    ["\u0085Ship\u001f", "ship"],
    ["\ufeffShip", "\ufeffship"],
    ["todo_x1:", ""],
    ["", ""],
  ])("A1: %j becomes %j", (text, expected) => {
    expect(normaliseActionText(text)).toBe(expected);
  });
});

describe("actionsAreProjectionAligned", () => {
  const words = "write the release notes for the spring edition";
  it.each([
    ["equal after normalising", "[P1] Fix it", "agent: fix IT", true],
    ["both short and different", "parser", "parsers", false],
    ["a label of 8 in the other", "Fix it now: carefully", "please fix it now", true],
    ["a label of 7 does not count", "Fix it.: carefully", "please fix it. then rest", false],
    ["a text of 8 inside the other, even behind a not", "fix build", "do not fix build", true],
    ["a text of 7 inside the other", "fix bug", "do not fix bug", false],
    ["six words up to the first stop", `${words}; then rest`, `first ${words.slice(0, 34)}`, true],
    [
      "three words up to the stop, 24 long",
      "internationalise everything quickly, later",
      "do internationalise everything quickly soon",
      true,
    ],
    ["a short prefix does not count", "ship it, then look at the numbers", "ship it and rest", false],
    [
      "a full-width stop",
      "把发布说明写好并且检查一遍再交给负责人看一看好吗谢谢：然后",
      "请把发布说明写好并且检查一遍再交给负责人看一看好吗谢谢",
      true,
    ],
    [
      "a whole text behind a bracket that the label loses",
      "Agent: [a rather long bracket, 32 or more] x",
      "see [a rather long bracket, 32 or more] x there",
      true,
    ],
    ["an empty side", "", "", false],
    ["a side that normalises to nothing", "todo_a1:", "todo_a1:", false],
    ["different work", "Publish the weekly report to the owner.", "[P1] Implement the parser module and add a unit test.", false],
    ["A2: role label before the priority", "Agent: [P1] deploy x", "then deploy x", true],
  ])("%s", (_, a, b, expected) => {
    expect(actionsAreProjectionAligned(a, b)).toBe(expected);
    expect(actionsAreProjectionAligned(b, a)).toBe(expected);
  });

  it("A3: counts code points, not UTF-16 units", () => {
    expect(actionsAreProjectionAligned("🙂🙂🙂🙂🙂", "look: 🙂🙂🙂🙂🙂")).toBe(false);
    expect(actionsAreProjectionAligned("🙂".repeat(8), `look at ${"🙂".repeat(8)}`)).toBe(true);
  });

  it("is symmetric, and whatever says something aligns with itself", () => {
    const text = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.array(fc.constantFrom("agent:", "[P1]", "fix", "the", "build", ",", "todo_a1:")).map((w) => w.join(" ")),
    );
    fc.assert(
      fc.property(text, text, (a, b) => {
        expect(actionsAreProjectionAligned(a, b)).toBe(actionsAreProjectionAligned(b, a));
        expect(actionsAreProjectionAligned(a, a)).toBe(normaliseActionText(a) !== "");
      }),
    );
  });
});

describe("nextActionProjectionWarning", () => {
  const sides = {
    activeStateNextAction: "[P1]  Sharpen the\nfirst draft of the guide.",
    latestRunRecommendedAction: "Order new chairs for the office.",
  };

  it("names the kind and shows both texts", () => {
    expect(nextActionProjectionWarning(sides)).toMatchObject({
      schema_version: "next_action_projection_warning_v0",
      kind: "next_action_projection_mismatch",
      severity: "warning",
      requires_state_writeback: true,
      active_state_next_action: "[P1] Sharpen the first draft of the guide.",
      latest_run_recommended_action: "Order new chairs for the office.",
      reason: expect.any(String),
      recommended_action: expect.any(String),
    });
    expect(nextActionProjectionWarning(sides)).not.toHaveProperty("agent_lane_next_action");
  });

  it.each([null, undefined, "", " \n\u0085 "])("says nothing when a side is %j", (nothing) => {
    expect(nextActionProjectionWarning({ ...sides, activeStateNextAction: nothing })).toBeNull();
    expect(nextActionProjectionWarning({ ...sides, latestRunRecommendedAction: nothing })).toBeNull();
  });

  it("says nothing when the two agree", () => {
    expect(
      nextActionProjectionWarning({ ...sides, latestRunRecommendedAction: "agent: sharpen the first draft of the guide." }),
    ).toBeNull();
  });

  it("only informs when the lane preserves the goal's Next Action", () => {
    const lane = { text: " Order  chairs ", preserves_goal_next_action: true };
    expect(nextActionProjectionWarning({ ...sides, laneNextAction: lane })).toMatchObject({
      severity: "info",
      requires_state_writeback: false,
      agent_lane_next_action: "Order chairs",
    });
    expect(nextActionProjectionWarning({ ...sides, laneNextAction: "Order chairs" })).toMatchObject({
      severity: "warning",
      agent_lane_next_action: "Order chairs",
    });
  });

  it("A4: shows and compares 320 code points", () => {
    const long = "🙂".repeat(400);
    const warning = nextActionProjectionWarning({ ...sides, latestRunRecommendedAction: long });
    expect(warning?.latest_run_recommended_action).toBe(`${"🙂".repeat(319)}…`);
  });
});
