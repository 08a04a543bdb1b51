import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { sha1Hex } from "./sha1.ts";

describe("sha1Hex", () => {
  test.each([
    ["", "da39a3ee5e6b4b0d3255bfef95601890afd80709"],
    ["abc", "a9993e364706816aba3e25717850c26c9cd0d89d"],
    ["abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", "84983e441c3bd26ebaae4aa1f95129e5e54670f1"],
    ["a".repeat(1_000_000), "34aa973cd4c4daa4f61eeb2bdbad27316534016f"],
  ])("published vector %#", (text, digest) => {
    expect(sha1Hex(text)).toBe(digest);
  });

  test("equals the platform's for any text, also with halves of surrogate pairs", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 200 }), (text) => {
        expect(sha1Hex(text)).toBe(createHash("sha1").update(text, "utf8").digest("hex"));
      }),
    );
    expect(sha1Hex("\ud83d")).toBe(createHash("sha1").update("\ud83d", "utf8").digest("hex"));
  });
});
