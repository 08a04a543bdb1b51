import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { addMilliseconds, type Instant } from "../../core/instant.ts";
import type { PackageFolders } from "../../ports/verdict-cache.ts";
import { packageFolders } from "./package-folders.ts";

let root: string;
let now: Instant;
let packages: PackageFolders;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "loopx-packages-"));
  now = "2026-11-30T08:00:00.000Z" as Instant;
  packages = packageFolders({ runtime_root: root, clock: { now: () => now } });
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const folder = (name: string): string => join(root, "cache/packages", name);

function fill(path: string, bytes: number): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, "x".repeat(bytes));
}

test("package managers are led into a folder of the capability, and into no other", () => {
  expect(packages.environment("gpu:a")).toMatchObject({ npm_config_cache: `${folder("gpu=a")}/npm` });
  expect(existsSync(folder("gpu=a"))).toBe(true);
  const all = Object.values(packages.environment("gpu"));
  expect(all.every((path) => path.startsWith(`${folder("gpu")}/`))).toBe(true);
});

test("where there can be no such folder there are no variables", () => {
  expect(packages.environment("../x")).toEqual({});
  writeFileSync(join(root, "cache"), "a file stands here");
  expect(packages.environment("default")).toEqual({});
});

test("a link in the place of the folder leads nobody away", () => {
  mkdirSync(dirname(folder("x")), { recursive: true });
  symlinkSync(tmpdir(), folder("default"));
  expect(packages.environment("default")).toEqual({});
  expect(packages.clear(null)).toEqual({ entries: 0, bytes: 0 });
  expect(existsSync(tmpdir())).toBe(true);
});

test("what was not used for longest is pruned first, whole, and read-only files go too", () => {
  packages.environment("a");
  fill(join(folder("a"), "go-mod/m/f"), 100);
  chmodSync(join(folder("a"), "go-mod/m"), 0o500);
  packages.environment("a");
  now = addMilliseconds(now, 1000);
  packages.environment("b");
  fill(join(folder("b"), "npm/f"), 50);
  packages.environment("b");
  expect(packages.stats()).toMatchObject({
    entries: 2,
    bytes: 150,
    capabilities: [{ capability: "a", bytes: 100 }, { capability: "b" }],
  });
  expect(packages.prune({ max_bytes: 60 })).toEqual({ entries: 1, bytes: 100 });
  expect([existsSync(folder("a")), existsSync(folder("b"))]).toEqual([false, true]);
  expect(packages.clear("b")).toEqual({ entries: 1, bytes: 50 });
  expect(packages.stats()).toEqual({ entries: 0, bytes: 0, capabilities: [] });
});
