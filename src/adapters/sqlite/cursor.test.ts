import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decodeCursor, decodePosition, encodeCursor } from "./cursor.ts";

describe("cursors", () => {
  it("S4 give back the key, and can be typed on any command line", () => {
    const key = fc.array(
      fc.oneof(
        fc.integer(),
        fc.string().filter((text) => !text.includes("\0")),
      ),
      { minLength: 1, maxLength: 4 },
    );
    fc.assert(
      fc.property(key, (values) => {
        const cursor = encodeCursor(values);
        expect(cursor).toMatch(/^[A-Za-z0-9_-]+$/);
        expect(decodeCursor(cursor, values.length)).toEqual(values.map((value) => (Object.is(value, -0) ? 0 : value)));
      }),
    );
  });

  it.each([
    "",
    "garbage",
    "%%%",
    encodeCursor([1]),
    encodeCursor([1, "a", 2]),
    Buffer.from('["a\\u0000", 1]').toString("base64url"),
  ])("S4 refuse what they never gave: %j", (cursor) => {
    expect(() => decodeCursor(cursor, 2)).toThrow(expect.objectContaining({ code: "bad_cursor" }));
  });

  it("S4 read positions as decimal numbers", () => {
    expect([decodePosition(null), decodePosition("0"), decodePosition("123")]).toEqual([0, 0, 123]);
    for (const text of ["", "-1", "1.5", "1e3", "x", "9".repeat(16), " 1"]) {
      expect(() => decodePosition(text)).toThrow(expect.objectContaining({ code: "bad_cursor" }));
    }
  });
});
