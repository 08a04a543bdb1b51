import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { systemTools } from "./tools.ts";

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "loopx-tools-"));
  mkdirSync(join(folder, "bin"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const LATER = (): number => Date.now() + 10_000;

function program(path: string, text: string): void {
  writeFileSync(join(folder, path), text);
  chmodSync(join(folder, path), 0o755);
}

function identify(name: string, now: () => number = LATER): Readonly<Record<string, string>> | null {
  return systemTools(now).identify(name, { cwd: folder, env: { PATH: join(folder, "bin") } });
}

test("T1: a program is found by PATH, or from the working folder", () => {
  program("bin/tool", "binary");
  program("own", "binary");
  expect(identify("tool")).toEqual({
    platform: `${process.platform} ${process.arch}`,
    tool: expect.stringContaining("bin/tool 6:"),
  });
  expect(identify("./own")).toMatchObject({ "./own": expect.stringContaining("/own 6:") });
  expect(identify("own")).toBeNull();
});

test("T1: what is not there, may not be run or is a folder is not found", () => {
  writeFileSync(join(folder, "bin/data"), "");
  mkdirSync(join(folder, "bin/folder"));
  symlinkSync("loop", join(folder, "bin/loop"));
  for (const name of ["none", "data", "folder", "loop", "./none"]) expect(identify(name)).toBeNull();
});

test("T2: an upgrade changes it, also behind a link", () => {
  program("v1", "one");
  program("v2", "two");
  symlinkSync("../v1", join(folder, "bin/tool"));
  const before = identify("tool");
  rmSync(join(folder, "bin/tool"));
  symlinkSync("../v2", join(folder, "bin/tool"));
  const after = identify("tool");
  expect(before).not.toBeNull();
  expect(after).not.toEqual(before);
  program("v2", "2.1");
  expect(identify("tool")).not.toEqual(after);
});

test("T2: what a script is run by counts too", () => {
  program("bin/interpreter", "binary");
  program("bin/env", "binary");
  program("bin/script", `#!${folder}/bin/interpreter -x\n`);
  program("bin/other", `#! ${folder}/bin/env -S A=b interpreter -y\n`);
  expect(Object.keys(identify("script") ?? {})).toEqual(["platform", "script", `${folder}/bin/interpreter`]);
  expect(Object.keys(identify("other") ?? {}).sort()).toEqual([`${folder}/bin/env`, "interpreter", "other", "platform"]);
  rmSync(join(folder, "bin/interpreter"));
  expect(identify("script")).toBeNull();
});

test("scripts that run each other come to an end", () => {
  program("bin/a", `#!${folder}/bin/b\n`);
  program("bin/b", `#!${folder}/bin/a\n`);
  expect(Object.keys(identify("a") ?? {})).toHaveLength(4);
  program("bin/plain", "#!\n");
  expect(Object.keys(identify("plain") ?? {})).toEqual(["platform", "plain"]);
});

test("T2: what changed a moment ago is not known yet", () => {
  program("bin/tool", "binary");
  expect(identify("tool", Date.now)).toBeNull();
});
