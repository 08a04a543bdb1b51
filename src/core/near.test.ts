import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { nearest } from "./near.ts";

describe("nearest", () => {
  it.each([
    ["staus", ["status", "start", "refresh"], ["status"]],
    ["statsu", ["status"], ["status"]],
    ["gaol", ["goal", "gate"], ["goal"]],
    ["ALPHA", ["alpha", "beta"], ["alpha"]],
    ["alph", ["alpha", "alpine"], ["alpha"]],
    ["release", ["release-2026-spring", "other"], ["release-2026-spring"]],
    ["xy", ["release"], []],
    ["", ["a", "release"], ["a"]],
    ["goal1", ["goal2", "goal3", "goal0", "goal4"], ["goal0", "goal2", "goal3"]],
    ["goal", ["goal", "goal"], ["goal"]],
  ])("%j among %j is %j", (name, candidates, expected) => {
    expect(nearest(name, candidates)).toEqual(expected);
  });

  it("K2: finds a name with one slip in it, in any order of the candidates", () => {
    const word = fc.stringMatching(/^[a-z]{6,20}$/);
    fc.assert(
      fc.property(word, fc.nat(), fc.array(word), (name, place, others) => {
        const at = place % name.length;
        const slipped = name.slice(0, at) + name.slice(at + 1);
        const found = nearest(slipped, [name, ...others]);
        expect(nearest(slipped, [...others, name].toReversed())).toEqual(found);
        expect(found.length).toBeLessThanOrEqual(3);
        if (others.length < 3) expect(found).toContain(name);
      }),
    );
  });

  it("K1: looks at 10,000 long candidates and no more", () => {
    let asked = 0;
    function* endless(): Generator<string> {
      for (;;) {
        asked += 1;
        yield `${"n".repeat(120)}${asked}`;
      }
    }
    nearest("n".repeat(124), endless());
    expect(asked).toBeLessThanOrEqual(10_001);
  });
});
