import { isUtf8 } from "node:buffer";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, truncateSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Instant, instantFromEpoch } from "../../core/instant.ts";
import { fingerprint, isSettled } from "./fingerprint.ts";
import { decodeText, MAX_TEXT_BYTES, readText } from "./read-text.ts";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "loopx-read-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const at = (name: string): string => join(folder, name);
const instant = (milliseconds: number): Instant => instantFromEpoch(milliseconds) as Instant;

describe("readText", () => {
  it("T1: gives text with byte order mark and line endings, and the fingerprint of what was read", () => {
    writeFileSync(at("f"), "\ufeffä\r\nb\u2028🚀");
    expect(readText(at("f"))).toEqual({ kind: "text", text: "\ufeffä\r\nb\u2028🚀", fingerprint: fingerprint(at("f")) });
    writeFileSync(at("empty"), "");
    expect(readText(at("empty"))).toMatchObject({ kind: "text", text: "" });
  });

  it("T2: tells what a path can be", () => {
    writeFileSync(at("file"), "x");
    symlinkSync(at("loop"), at("loop"));
    symlinkSync(at("file"), at("link"));
    execFileSync("mkfifo", [at("pipe")]);
    expect(readText(at("nothing"))).toEqual({ kind: "missing" });
    expect(readText(at("link"))).toMatchObject({ kind: "text", text: "x" });
    const codeOf = (name: string) => {
      const read = readText(at(name));
      return read.kind === "unreadable" ? [read.problem.code, read.problem.path] : read.kind;
    };
    expect(codeOf(".")).toEqual(["file_is_folder", folder]);
    expect(codeOf("loop")).toEqual(["file_symlink_loop", at("loop")]);
    expect(codeOf("file/below")).toEqual(["file_parent_not_folder", at("file/below")]);
    expect(codeOf("pipe")).toEqual(["file_not_regular", at("pipe")]);
    expect(codeOf("n".repeat(300))).toEqual(["file_name_too_long", at("n".repeat(300))]);
  });

  it("T2: does not take in a file without bounds", () => {
    writeFileSync(at("big"), "");
    truncateSync(at("big"), MAX_TEXT_BYTES + 1);
    expect(readText(at("big"))).toMatchObject({ kind: "unreadable", problem: { code: "file_too_large" } });
    writeFileSync(at("f"), "12345");
    expect(readText(at("f"), 5)).toMatchObject({ kind: "text" });
    expect(readText(at("f"), 4)).toMatchObject({ kind: "unreadable", problem: { code: "file_too_large" } });
  });

  it.each([
    [[0x61, 0x0a, 0xc3, 0xa9, 0xff, 0x62], "file_not_utf8", 2, 2],
    [[0xef, 0xbb, 0xbf, 0x61, 0xff], "file_not_utf8", 1, 2],
    [[0x0d, 0x0a, 0x0d, 0xe2, 0x82], "file_not_utf8", 3, 1],
    [[0x61, 0x62, 0x0a, 0x63, 0x00], "file_has_nul", 2, 2],
    [[0xf0, 0x9f, 0x9a, 0x80, 0xc0, 0x80], "file_not_utf8", 1, 3],
    [[0xff, 0xfe, 0x61, 0x00], "file_not_utf8", 1, 1],
  ])("T3: bytes %j are %s at %i:%i", (bytes, code, line, column) => {
    writeFileSync(at("f"), Buffer.from(bytes));
    expect(readText(at("f"))).toMatchObject({ kind: "unreadable", problem: { path: at("f"), code, line, column } });
  });

  it("T3: names the first bad byte wherever it is", () => {
    const bytes = fc.array(
      fc.oneof(
        fc.constantFrom(..."aé€🚀\n").map((text) => [...Buffer.from(text)]),
        fc.constantFrom([0xff], [0x80], [0xe2, 0x82], [0xf0], [0xed, 0xa0, 0x80]),
      ),
      { maxLength: 60 },
    );
    fc.assert(
      fc.property(bytes, (parts) => {
        const all = Buffer.from(parts.flat());
        const decoded = decodeText(all, "/f");
        if (isUtf8(all)) {
          expect(decoded).toBe(all.toString("utf8"));
          return;
        }
        let good = all.length;
        while (!isUtf8(all.subarray(0, good))) good -= 1;
        // The longest good beginning ends before the first bad byte: what follows it starts no character.
        const starts = [1, 2, 3, 4].some((size) => good + size <= all.length && isUtf8(all.subarray(good, good + size)));
        expect(starts).toBe(false);
        expect(decoded).toMatchObject({ code: "file_not_utf8", message: expect.stringContaining(`byte ${firstBad(all)} `) });
      }),
      { numRuns: 500 },
    );
  });
});

/** Character by character, the slow way. */
function firstBad(bytes: Buffer): number {
  let at = 0;
  for (;;) {
    const size = [1, 2, 3, 4].find((count) => at + count <= bytes.length && isUtf8(bytes.subarray(at, at + count)));
    if (size === undefined) return at;
    at += size;
  }
}

describe("fingerprint", () => {
  it("F1: changes with content, times and inode, and stays when nothing happened", () => {
    writeFileSync(at("f"), "1");
    const first = fingerprint(at("f"));
    expect(fingerprint(at("f"))).toBe(first);
    utimesSync(at("f"), 1, 1);
    const second = fingerprint(at("f"));
    expect(second).not.toBe(first);
    rmSync(at("f"));
    writeFileSync(at("g"), "");
    writeFileSync(at("f"), "1");
    utimesSync(at("f"), 1, 1);
    expect(fingerprint(at("f"))).not.toBe(second);
    writeFileSync(at("f"), "22");
    expect(fingerprint(at("f"))?.startsWith("2:")).toBe(true);
  });

  it("is null for what is not there", () => {
    mkdirSync(at("d"));
    symlinkSync(at("loop"), at("loop"));
    writeFileSync(at("f"), "");
    expect([at("no"), at("d/no"), at("f/no"), at("loop")].map(fingerprint)).toEqual([null, null, null, null]);
  });

  it("F2: is not trusted until two seconds after the last change, nor for a file of the future", () => {
    writeFileSync(at("f"), "1");
    utimesSync(at("f"), 1000, 1000);
    const print = fingerprint(at("f")) ?? "";
    expect(statSync(at("f")).mtimeMs).toBe(1_000_000);
    expect(isSettled(print, instant(1_000_000))).toBe(false);
    expect(isSettled(print, instant(1_001_999))).toBe(false);
    expect(isSettled(print, instant(1_002_000))).toBe(true);
    expect(isSettled(print, instant(999_000))).toBe(false);
    expect(isSettled("nonsense", instant(9_000_000))).toBe(false);
  });
});
