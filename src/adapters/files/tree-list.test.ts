import { execFileSync } from "node:child_process";
import { chmodSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { makeWorkingFolder, type WorkingFolder } from "./working-folder.sample.ts";

let work: WorkingFolder;
let folder: string;

beforeEach(() => {
  work = makeWorkingFolder();
  folder = work.folder;
});
afterEach(() => work.remove());

describe("H2", () => {
  const HIDDEN = [".git/x", "node_modules/p/x", "deep/node_modules/p/x", ".loopx/x", ".codex/goals/g/ACTIVE_GOAL_STATE.md"];

  test("what is not work never counts", async () => {
    work.put("a");
    for (const path of HIDDEN) expect([path, await work.changes(() => work.put(path))]).toEqual([path, false]);
    expect(await work.changes(() => work.put(".codex/config.toml"))).toBe(true);
    expect(await work.changes(() => work.put("my.loopx"))).toBe(true);
  });

  test("it does not count when Git tracks it either", async () => {
    work.git("init", "-q");
    for (const path of ["a", ...HIDDEN.slice(1)]) work.put(path);
    work.git("add", "-f", ".");
    for (const path of HIDDEN.slice(1))
      expect([path, await work.changes(() => work.put(path, "changed"))]).toEqual([path, false]);
  });

  test("what the caller names is left out, also through a link", async () => {
    work.put("a");
    work.put("goals/STATE.md");
    work.put("runtime/loopx.db");
    const exclude = [join(folder, "goals/STATE.md"), join(folder, "runtime"), "/elsewhere"];
    const write = (): void => {
      work.put("goals/STATE.md", "changed");
      work.put("runtime/deep/x");
    };
    expect(await work.changes(write, { exclude })).toBe(false);
    expect(await work.changes(() => work.put("runtimes"), { exclude })).toBe(true);
    const link = join(dirname(folder), "link");
    symlinkSync(folder, link);
    expect(await work.changes(() => work.put("goals/STATE.md", "again"), { folder: link, exclude })).toBe(false);
    expect(await work.changes(() => work.put("goals/STATE.md", "and again"), { exclude: [join(link, "goals/STATE.md")] })).toBe(
      false,
    );
  });

  test("naming the folder itself, or one above it, leaves nothing out", async () => {
    work.put("a");
    expect(await work.changes(() => work.put("a", "2"), { exclude: [folder, dirname(folder), "/"] })).toBe(true);
  });

  test("ignored files do not count, tracked and new ones do", async () => {
    work.git("init", "-q");
    work.put(".gitignore", "dist\n*.log\n");
    work.put("tracked.log", "1");
    work.put("new.txt", "1");
    work.git("add", "-f", "tracked.log");
    expect(await work.changes(() => work.put("dist/x"))).toBe(false);
    expect(await work.changes(() => work.put("a.log"))).toBe(false);
    expect(await work.changes(() => work.put("tracked.log", "2"))).toBe(true);
    expect(await work.changes(() => work.put("new.txt", "2"))).toBe(true);
    expect(await work.changes(() => rmSync(join(folder, "tracked.log")))).toBe(true);
  });

  test("committing does not change it", async () => {
    work.git("init", "-q");
    work.put("a");
    expect(
      await work.changes(() => {
        work.git("add", ".");
        work.git("commit", "-qm", "a");
      }),
    ).toBe(false);
  });

  test("a repository in the repository is looked into", async () => {
    work.git("init", "-q");
    work.put("nested/a", "1");
    work.put("nested/.gitignore", "*.log");
    execFileSync("git", ["-C", join(folder, "nested"), "init", "-q"]);
    expect(await work.changes(() => work.put("nested/a", "2"))).toBe(true);
    expect(await work.changes(() => work.put("nested/a.log"))).toBe(false);
  });

  test("a folder that the repository around it ignores is looked at all the same", async () => {
    execFileSync("git", ["-C", dirname(folder), "init", "-q"]);
    writeFileSync(join(dirname(folder), ".gitignore"), "work\n");
    work.put("a", "1");
    expect(await work.changes(() => work.put("a", "2"))).toBe(true);
  });

  test("a folder of a repository is looked at alone", async () => {
    work.git("init", "-q");
    work.put("sub/a", "1");
    work.put("b", "1");
    const asked = { folder: join(folder, "sub") };
    expect(await work.changes(() => work.put("b", "2"), asked)).toBe(false);
    expect(await work.changes(() => work.put("sub/a", "2"), asked)).toBe(true);
  });

  test("without Git ignored files count", async () => {
    work.git("init", "-q");
    work.put(".gitignore", "*.log\n");
    const env = { PATH: "/nowhere" };
    const before = await work.look({ env });
    work.put("a.log");
    const after = await work.look({ env });
    expect([before, after]).toMatchObject([
      { kind: "hashed", files: 1 },
      { kind: "hashed", files: 2 },
    ]);
  });

  test("a repository runs nothing", async () => {
    work.git("init", "-q");
    work.put("a");
    work.put("hook", `#!/bin/sh\ntouch '${folder}/ran'\n`);
    chmodSync(join(folder, "hook"), 0o755);
    work.git("config", "core.fsmonitor", join(folder, "hook"));
    expect(await work.look()).toMatchObject({ kind: "hashed", files: 2 });
    expect(statSync(join(folder, "ran"), { throwIfNoEntry: false })).toBeUndefined();
  });
});

describe("inputs", () => {
  beforeEach(() => {
    for (const path of ["src/a.ts", "src/deep/b.ts", "src/c.md", "docs/d.md"]) work.put(path);
  });

  test.each([false, true])("they alone count (in a repository: %s)", async (inRepository) => {
    if (inRepository) work.git("init", "-q");
    const inputs = ["src/**/*.ts"];
    expect(await work.look({ inputs })).toMatchObject({ kind: "hashed", files: 2 });
    expect(await work.changes(() => work.put("src/c.md", "2"), { inputs })).toBe(false);
    expect(await work.changes(() => work.put("src/deep/b.ts", "2"), { inputs })).toBe(true);
    expect(await work.changes(() => work.put("src/new.ts", "2"), { inputs })).toBe(true);
    expect(await work.look({ inputs: ["src", "docs/d.md"] })).toMatchObject({ kind: "hashed", files: 5 });
  });

  test("what Git ignores counts when an input names it", async () => {
    work.git("init", "-q");
    work.put(".gitignore", "dist\n");
    work.put("dist/out.js", "1");
    const inputs = ["src", "dist/out.js"];
    expect(await work.look({ inputs })).toMatchObject({ kind: "hashed", files: 4 });
    expect(await work.changes(() => work.put("dist/out.js", "2"), { inputs })).toBe(true);
  });

  test("H5: those that stand for nothing are told", async () => {
    const inputs = ["src", "scr/*.ts", "../x", "node_modules/p", "docs/d.md/x"];
    expect(await work.look({ inputs })).toEqual({ kind: "unmatched", inputs: inputs.slice(1) });
  });
});

describe("H4", () => {
  test("one file or byte too many is refused with the bounds", async () => {
    for (const name of ["a", "b", "c"]) work.put(name, "12345");
    expect(await work.look({ max_files: 3, max_bytes: 15 })).toMatchObject({ kind: "hashed", files: 3, bytes: 15 });
    expect(await work.look({ max_files: 2 })).toMatchObject({ kind: "too_large", max_files: 2 });
    expect(await work.look({ max_bytes: 14 })).toMatchObject({ kind: "too_large", max_bytes: 14 });
    expect(await work.look({ max_files: 2, inputs: ["a", "b"] })).toMatchObject({ kind: "hashed", files: 2 });
  });

  test("so are too many names that do not count", async () => {
    for (let at = 0; at < 30; at += 1) work.put(`many/${at}`);
    expect(await work.look({ max_files: 2, inputs: ["many/*/x"] })).toMatchObject({ kind: "too_large" });
  });
});
