import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { shorten, shortenPath } from "./shorten.ts";

const anyText = fc.string({ unit: "binary", maxLength: 60 });

describe("shorten", () => {
  it.each([
    ["abc", 3, "abc"],
    ["abcd", 3, "ab…"],
    ["a bcd", 3, "a…"],
    ["🙂🙂🙂", 3, "🙂🙂🙂"],
    ["🙂🙂🙂🙂", 3, "🙂🙂…"],
    ["", 3, ""],
  ])("cuts %j at %i code points", (text, limit, expected) => {
    expect(shorten(text, limit)).toBe(expected);
  });

  it("C1, C2: never exceeds the limit, marks what it cuts and keeps what fits", () => {
    fc.assert(
      fc.property(anyText, fc.integer({ min: 1, max: 40 }), (text, limit) => {
        const points = [...text];
        for (const short of [shorten(text, limit), shortenPath(text, limit)]) {
          expect([...short].length).toBeLessThanOrEqual(limit);
          expect(short === text || short.includes("…")).toBe(true);
          if (points.length <= limit) expect(short).toBe(text);
        }
      }),
    );
  });

  it("keeps the end of a path", () => {
    expect(shortenPath("/very/long/folder/STATE.md", 10)).toBe("…/STATE.md");
    expect(shortenPath("/🙂🙂🙂", 4)).toBe("/🙂🙂🙂");
  });
});
