import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const CORE = join(import.meta.dirname, "../../src/core");

// What the compiler cannot hide from the core: both are part of ECMAScript, not of Node's types.
const IMPURE: readonly (readonly [what: string, pattern: RegExp])[] = [
  ["Math.random", /\bMath\s*\.\s*random\b/],
  ["Math taken apart or renamed", /\bMath\s*\[|=\s*Math\s*[;,\n]/],
  ["Date", /\bDate\s*[.(;,)]/],
  ["globalThis", /\bglobalThis\b/],
  ["eval or Function", /\beval\s*\(|\bnew\s+Function\b/],
  ["a Node import", /\bfrom\s+["']node:|\bimport\s*\(|\brequire\s*\(/],
  ["an import that leaves the core", /\bfrom\s+["'](?:\.\.\/)+(?:schema|ports|commands|adapters|surfaces|compose|errors)\b/],
  ["an npm package", /\bfrom\s+["'][^."']/],
  ["the locale", /\bIntl\b|\.toLocale\w*\(|\.localeCompare\(/],
];

/** The code alone: comments may speak of clocks. */
function withoutComments(source: string): string {
  return source.replace(/\/\*[\s\S]*?\*\//g, "").replace(/(^|\s)\/\/.*$/gm, "$1");
}

const files = readdirSync(CORE, { recursive: true, encoding: "utf8" })
  .filter((file) => /(?<!\.test|\.sample)\.ts$/.test(file))
  .sort();

test("the scan sees the core", () => {
  expect(files).toContain("instant.ts");
});

test.each(IMPURE)("no core file uses %s", (_what, pattern) => {
  const guilty = files.filter((file) => pattern.test(withoutComments(readFileSync(join(CORE, file), "utf8"))));
  expect(guilty).toEqual([]);
});

test("the scan finds what it looks for", () => {
  const samples = ["Math.random()", "const m = Math;", "Date.now()", "globalThis.x", "eval('1')", 'import fs from "node:fs"'];
  for (const sample of samples) expect(IMPURE.some(([, pattern]) => pattern.test(withoutComments(sample)))).toBe(true);
});
