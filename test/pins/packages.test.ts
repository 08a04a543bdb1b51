import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { VERSION } from "../../src/version.ts";

const ROOT = join(import.meta.dirname, "../..");

interface Locked {
  readonly hasInstallScript?: boolean;
  readonly optional?: boolean;
}

const manifest = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
const lockText = readFileSync(join(ROOT, "package-lock.json"), "utf8");
const locked: Readonly<Record<string, Locked>> = JSON.parse(lockText).packages;

test("what ships needs these packages and no others", () => {
  expect(Object.keys(manifest.dependencies)).toEqual([
    "@hono/node-server",
    "@hono/zod-openapi",
    "@photostructure/sqlite",
    "hono",
    "zod",
  ]);
});

test("every version is exact", () => {
  const versions: readonly string[] = Object.values({
    ...manifest.dependencies,
    ...manifest.devDependencies,
    ...manifest.overrides,
  });
  expect(versions.filter((version) => !/^\d+\.\d+\.\d+$/.test(version))).toEqual([]);
});

test("the lock file names no registry", () => {
  expect(lockText).not.toContain('"resolved"');
});

test("no package runs an install script", () => {
  const scripted = Object.entries(locked).filter(([, entry]) => entry.hasInstallScript === true && entry.optional !== true);
  const names = scripted.map(([path]) => path.replace(/^.*node_modules\//, ""));
  expect(manifest.allowScripts).toEqual(Object.fromEntries(names.sort().map((name) => [name, false])));
});

test("the version in the code is that of the package", () => {
  expect(VERSION).toBe(manifest.version);
});
