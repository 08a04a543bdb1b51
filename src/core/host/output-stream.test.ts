import fc from "fast-check";
import { expect, test } from "vitest";
import { type OutputLimits, type OutputLine, OutputSplitter } from "./output-stream.ts";

const WIDE: OutputLimits = { line_bytes: 1000, total_bytes: 100_000 };
const decode = (bytes: Uint8Array): string => new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);

function linesOf(pieces: readonly Uint8Array[], limits: OutputLimits = WIDE): { lines: OutputLine[]; dropped: number } {
  const splitter = new OutputSplitter(limits, decode);
  const lines = pieces.flatMap((piece) => splitter.feed(piece));
  return { lines: [...lines, ...splitter.end()], dropped: splitter.dropped };
}

function bytes(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

function split(whole: Uint8Array, size: number): Uint8Array[] {
  return Array.from({ length: Math.ceil(whole.length / size) }, (_, at) => whole.subarray(at * size, (at + 1) * size));
}

test("lines end in LF or CR LF, and the last one needs no end", () => {
  const { lines } = linesOf([bytes("one\r\ntwo\n\nfour")]);
  expect(lines.map(({ text }) => text)).toEqual(["one", "two", "", "four"]);
  expect(linesOf([bytes("one\n")]).lines).toHaveLength(1);
  expect(linesOf([]).lines).toEqual([]);
});

test("O1: any split into pieces gives the same lines, drops included", () => {
  const piece = fc.oneof(
    fc.constantFrom("a", "é", "漢", "🙂", "\n", "\r\n").map(bytes),
    fc.uint8Array({ maxLength: 3 }),
    fc.string({ maxLength: 20 }).map(bytes),
  );
  const limits = fc.record({ line_bytes: fc.integer({ min: 1, max: 12 }), total_bytes: fc.integer({ min: 0, max: 60 }) });
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 30 }), fc.integer({ min: 1, max: 9 }), limits, (pieces, size, limit) => {
      const whole = Uint8Array.from(pieces.flatMap((each) => [...each]));
      expect(linesOf(split(whole, size), limit)).toEqual(linesOf([whole], limit));
      expect(linesOf(split(whole, size), limit)).toEqual(linesOf(split(whole, 1), limit));
    }),
    { numRuns: 500 },
  );
});

test("O1: a character between two pieces is whole, and bytes that are no UTF-8 are replaced", () => {
  expect(linesOf(split(bytes("añ漢🙂\n"), 1)).lines).toEqual([{ text: "añ漢🙂", cut: false }]);
  expect(linesOf([Uint8Array.of(0x61, 0xff, 0x62, 0x0a)]).lines).toEqual([{ text: "a\ufffdb", cut: false }]);
});

test.each([
  ["🙂🙂\n", 6, "🙂", 4],
  ["ab漢\n", 4, "ab", 3],
  ["abcdef\n", 4, "abcd", 2],
  ["漢\n", 2, "", 3],
])("O2: of %j no more than %i bytes are held", (text, line_bytes, kept, dropped) => {
  const { lines, dropped: counted } = linesOf([bytes(`${text}next\n`)], { ...WIDE, line_bytes });
  expect(lines[0]).toEqual({ text: kept, cut: true });
  expect(counted).toBe(dropped + Math.max(0, 4 - line_bytes));
});

test("O2: stray continuation bytes after a plain letter take nothing from it", () => {
  const { lines } = linesOf([Uint8Array.of(0x61, 0x62, 0x80, 0x80, 0x0a)], { ...WIDE, line_bytes: 2 });
  expect(lines).toEqual([{ text: "ab", cut: true }]);
});

test("a line in many pieces is whole however long it grows", () => {
  const text = "abcdefghij".repeat(90);
  expect(linesOf(split(bytes(`${text}\n`), 7)).lines).toEqual([{ text, cut: false }]);
});

test("O2: after a cut line the next one is whole", () => {
  const { lines } = linesOf([bytes(`${"x".repeat(50)}\nshort\n`)], { ...WIDE, line_bytes: 10 });
  expect(lines).toEqual([
    { text: "x".repeat(10), cut: true },
    { text: "short", cut: false },
  ]);
});

test("O3: what comes after the last byte that is read is counted", () => {
  const { lines, dropped } = linesOf(split(bytes("one\ntwo\nthree\n"), 3), { ...WIDE, total_bytes: 6 });
  expect(lines).toEqual([
    { text: "one", cut: false },
    { text: "tw", cut: true },
  ]);
  expect(dropped).toBe(8);
  expect(linesOf([bytes("one\ntwo\n")], { ...WIDE, total_bytes: 4 })).toEqual({
    lines: [{ text: "one", cut: false }],
    dropped: 4,
  });
});
