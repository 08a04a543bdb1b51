import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { GoalId } from "../../core/id.ts";
import { addMilliseconds, type Instant } from "../../core/instant.ts";
import type { Verdict } from "../../core/verify/verdict.ts";
import type { VerdictCache } from "../../ports/verdict-cache.ts";
import { sha256 } from "./digest.ts";
import { fileVerdicts } from "./verdict-cache.ts";

const BEGUN = "2026-11-30T08:00:00.000Z" as Instant;
let root: string;
let now: Instant;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "loopx-verdicts-"));
  now = BEGUN;
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function cache(limits: { readonly max_entries?: number; readonly max_bytes?: number } = {}): VerdictCache {
  return fileVerdicts({ runtime_root: root, clock: { now: () => now }, ...limits });
}

function later(): void {
  now = addMilliseconds(now, 60_000);
}

function verdict(name: string, more: Partial<Verdict> = {}): Verdict {
  return {
    capability: "default",
    key: sha256(name),
    exit_code: 0,
    argv: ["make", name],
    duration_ms: 5,
    goal_id: "alpha" as GoalId,
    output: { sha256: sha256(""), bytes: 0 },
    at: BEGUN,
    ...more,
  };
}

const pathOf = (name: string, folder = "default"): string => join(root, "cache/verifier", folder, `${sha256(name)}.json`);
const found = (verdicts: VerdictCache, ...names: readonly string[]): readonly boolean[] =>
  names.map((name) => verdicts.find("default", sha256(name)) !== null);

test("what was saved is found by another process, in a file for its owner alone", () => {
  expect(cache().save(verdict("a"))).toBe(true);
  expect(cache().find("default", sha256("a"))).toEqual(verdict("a"));
  expect(statSync(pathOf("a")).mode & 0o777).toBe(0o600);
  expect(readdirSync(dirname(pathOf("a")))).toHaveLength(1);
});

test("Y2: no other capability finds it, not even with its file", () => {
  const verdicts = cache();
  verdicts.save(verdict("a", { capability: "gpu:a" }));
  expect(verdicts.find("default", sha256("a"))).toBeNull();
  expect(verdicts.find("gpu:a", sha256("a"))).not.toBeNull();
  mkdirSync(dirname(pathOf("a")));
  writeFileSync(pathOf("a"), readFileSync(pathOf("a", "gpu=a")));
  expect(verdicts.find("default", sha256("a"))).toBeNull();
  expect(existsSync(pathOf("a"))).toBe(false);
});

describe("Y1", () => {
  test.each([
    ["empty", ""],
    ["cut short", '{"capability":"default"'],
    ["of a check that failed", JSON.stringify({ ...verdict("a"), exit_code: 1 })],
    ["of another key", JSON.stringify(verdict("b"))],
    ["too large", JSON.stringify({ ...verdict("a"), more: "x".repeat(200_000) })],
  ])("an entry that is %s is none and is removed", (_, text) => {
    cache().save(verdict("a"));
    writeFileSync(pathOf("a"), text);
    expect(cache().find("default", sha256("a"))).toBeNull();
    expect(existsSync(pathOf("a"))).toBe(false);
    expect(cache().save(verdict("a"))).toBe(true);
    expect(found(cache(), "a")).toEqual([true]);
  });

  test("a link in its place is removed, what it leads to stays", () => {
    cache().save(verdict("a"));
    const outside = join(root, "outside");
    writeFileSync(outside, readFileSync(pathOf("a")));
    rmSync(pathOf("a"));
    symlinkSync(outside, pathOf("a"));
    expect(cache().save(verdict("a"))).toBe(false);
    expect(cache().find("default", sha256("a"))).toBeNull();
    expect(existsSync(outside)).toBe(true);
    expect(cache().save(verdict("a"))).toBe(true);
  });

  test("a folder in its place is no entry", () => {
    mkdirSync(pathOf("a"), { recursive: true });
    expect(cache().find("default", sha256("a"))).toBeNull();
    expect(cache().save(verdict("a"))).toBe(false);
    expect(cache().stats()).toMatchObject({ entries: 0 });
  });

  test("where nothing can be written it says so", () => {
    writeFileSync(join(root, "cache"), "a file stands here");
    expect(cache().save(verdict("a"))).toBe(false);
    expect(cache().find("default", sha256("a"))).toBeNull();
    expect(cache().stats()).toEqual({ entries: 0, bytes: 0, capabilities: [] });
    expect(cache().clear(null)).toEqual({ entries: 0, bytes: 0 });
  });

  test("what is no capability or key has no place", () => {
    expect(cache().save(verdict("a", { capability: "../../x" }))).toBe(false);
    expect(cache().save(verdict("a", { key: "../../x" }))).toBe(false);
    expect(cache().save(verdict("a", { argv: ["x".repeat(200_000)] }))).toBe(false);
    expect(cache().find("..", "../x")).toBeNull();
    expect(existsSync(join(root, "cache"))).toBe(false);
  });
});

describe("Y3", () => {
  test("what was not used for longest makes room, and being found is a use", () => {
    const verdicts = cache({ max_entries: 2 });
    for (const name of ["a", "b"]) {
      verdicts.save(verdict(name));
      later();
    }
    expect(found(verdicts, "a")).toEqual([true]);
    later();
    verdicts.save(verdict("c"));
    expect([pathOf("a"), pathOf("b"), pathOf("c")].map((path) => existsSync(path))).toEqual([true, false, true]);
  });

  test("bytes bind as well, over all capabilities", () => {
    const size = JSON.stringify(verdict("a")).length + 1;
    const verdicts = cache({ max_bytes: 2 * size + 10 });
    verdicts.save(verdict("a", { capability: "other" }));
    later();
    verdicts.save(verdict("b"));
    later();
    verdicts.save(verdict("c"));
    expect(verdicts.stats()).toEqual({
      entries: 2,
      bytes: 2 * size,
      capabilities: [{ capability: "default", entries: 2, bytes: 2 * size }],
    });
  });

  test("prune goes by age or size, clear by capability, and both say what went", () => {
    const verdicts = cache();
    verdicts.save(verdict("a"));
    later();
    verdicts.save(verdict("b"));
    verdicts.save(verdict("c", { capability: "other" }));
    expect(verdicts.prune({ used_since: Date.parse(now) })).toMatchObject({ entries: 1 });
    expect(found(verdicts, "a", "b")).toEqual([false, true]);
    expect(verdicts.prune({})).toEqual({ entries: 0, bytes: 0 });
    expect(verdicts.clear("other")).toMatchObject({ entries: 1 });
    expect(verdicts.stats()).toMatchObject({ entries: 1, capabilities: [{ capability: "default" }] });
    expect(verdicts.clear(null)).toMatchObject({ entries: 1 });
    expect(verdicts.stats()).toMatchObject({ entries: 0, bytes: 0 });
  });

  test("what a kill left is removed once it is old, and what is nobody's stays", () => {
    const verdicts = cache();
    verdicts.save(verdict("a"));
    const folder = dirname(pathOf("a"));
    const old = Date.parse(now) / 1000 - 3600;
    const [left, fresh, foreign] = [".loopx-1-0123456789ab.tmp", ".loopx-2-0123456789ab.tmp", "notes"].map((name) =>
      join(folder, name),
    );
    for (const path of [left, fresh, foreign]) writeFileSync(String(path), "");
    for (const path of [left, foreign]) utimesSync(String(path), old, old);
    verdicts.clear("none");
    verdicts.prune({});
    expect([left, fresh, foreign].map((path) => existsSync(String(path)))).toEqual([false, true, true]);
  });
});
