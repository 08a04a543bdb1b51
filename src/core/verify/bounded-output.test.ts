import fc from "fast-check";
import { expect, test } from "vitest";
import { boundOutput, keepOutput } from "./bounded-output.ts";

const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString("latin1");
const numbered = (length: number): Uint8Array => Uint8Array.from({ length }, (_, at) => 97 + (at % 26));

test("K3: what fits is kept byte for byte, however it is cut into chunks", () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 200 }), { maxLength: 6 }), (chunks) => {
      const keeper = keepOutput(1200);
      for (const chunk of chunks) keeper.add(chunk);
      const all = Buffer.concat(chunks);
      const kept = keeper.kept();
      expect(Buffer.from(kept.bytes).equals(all)).toBe(true);
      expect(kept).toMatchObject({ total_bytes: all.length, dropped_bytes: 0 });
    }),
  );
});

test("K1, K2: of a longer one the head, the tail and the number of bytes between them are kept", () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 900 }), { minLength: 1, maxLength: 12 }), (sizes) => {
      const all = numbered(sizes.reduce((sum, size) => sum + size, 0) + 400);
      const keeper = keepOutput(400);
      let at = 0;
      for (const size of [...sizes, 400]) {
        keeper.add(all.subarray(at, at + size));
        at += size;
      }
      const { bytes, total_bytes, dropped_bytes } = keeper.kept();
      expect(bytes.length).toBeLessThanOrEqual(400);
      expect(total_bytes).toBe(all.length);
      const [, head = "", dropped, tail = ""] =
        /^([a-z]*)\n\[loopx left out (\d+) bytes here\]\n([a-z]*)$/.exec(text(bytes)) ?? [];
      expect(Number(dropped)).toBe(dropped_bytes);
      expect(head.length + tail.length + dropped_bytes).toBe(all.length);
      expect(text(all).startsWith(head) && text(all).endsWith(tail)).toBe(true);
      expect(Math.min(head.length, tail.length)).toBeGreaterThan(100);
    }),
  );
});

test("K1: a chunk that its owner uses again changes nothing that was kept", () => {
  const keeper = keepOutput(300);
  const chunk = new Uint8Array(280).fill(120);
  keeper.add(chunk);
  chunk.fill(121);
  expect(text(keeper.kept().bytes)).toBe("x".repeat(280));
});

test("exactly as long as allowed is not cut, one byte more is", () => {
  expect(boundOutput(numbered(300), 300).dropped_bytes).toBe(0);
  const { bytes, dropped_bytes } = boundOutput(numbered(301), 300);
  expect(dropped_bytes).toBe(65);
  expect(bytes.length).toBeLessThan(300);
});

test("a bound that leaves no room for the mark is raised", () => {
  expect(boundOutput(numbered(256), 0).dropped_bytes).toBe(0);
});
