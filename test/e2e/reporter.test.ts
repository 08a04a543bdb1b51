import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";

const REPOSITORY = join(import.meta.dirname, "../..");

let root = "";

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "loopx-reporter-"));
  const reporter = JSON.stringify(join(REPOSITORY, "scripts/reporter.ts"));
  const config = `import { plainCount } from ${reporter};
    export default { test: { globals: true, include: ["*.test.mjs"], reporters: ["default", plainCount()] } };`;
  writeFileSync(join(root, "vitest.config.mjs"), config);
});

afterEach(() => rmSync(root, { recursive: true, force: true }));

function run(ci: string, files: Readonly<Record<string, string>>): { readonly status: number | null; readonly last: string } {
  for (const [name, text] of Object.entries(files)) writeFileSync(join(root, name), text);
  const argv = [join(REPOSITORY, "node_modules/vitest/vitest.mjs"), "run", "--root", root];
  const { status, stdout } = spawnSync(process.execPath, argv, { encoding: "utf8", env: { ...process.env, CI: ci } });
  return { status, last: stdout.trimEnd().split("\n").at(-1) ?? "" };
}

const PASSES = "test('passes', () => {});";
const FAILS = "test('fails', () => { throw new Error('no'); });";
const NOT_RUN = "test.skip('waits', () => {}); test.todo('later');";

test("counts what passed and what failed, broken files and stray errors too", () => {
  const files = {
    "a.test.mjs": PASSES + FAILS,
    "broken.test.mjs": "throw new Error('cannot be loaded');",
    "stray.test.mjs":
      "test('strays', () => { setTimeout(() => { throw new Error('stray'); }, 0); return new Promise((r) => setTimeout(r, 50)); });",
  };
  expect(run("", files)).toEqual({ status: 1, last: "2 passed, 3 failed" });
});

test("a run that came to no test failed", () => {
  expect(run("", {})).toEqual({ status: 1, last: "0 passed, 1 failed" });
});

test("outside of CI a test may wait", () => {
  expect(run("", { "a.test.mjs": PASSES + NOT_RUN })).toEqual({ status: 0, last: "1 passed, 0 failed" });
});

test("in CI a test that did not run is a failure", () => {
  expect(run("true", { "a.test.mjs": PASSES + NOT_RUN })).toEqual({ status: 1, last: "1 passed, 2 failed" });
});
