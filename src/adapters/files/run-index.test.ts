import { appendFileSync, mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { GoalId } from "../../core/id.ts";
import type { IndexFacts, OpenIndex } from "../../ports/run-files.ts";
import { runFiles } from "./run-index.ts";

const GOAL = "alpha" as GoalId;
let folder: string;
let root: string;
let runs: string;
let index: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "loopx-index-"));
  root = join(folder, "runtime");
  runs = join(root, "goals", GOAL, "runs");
  index = join(runs, "index.jsonl");
  mkdirSync(runs, { recursive: true });
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const files = (): ReturnType<typeof runFiles> => runFiles({ runtime_root: root });

function facts(): IndexFacts {
  const probe = files().probe(GOAL);
  if (probe.kind !== "found") throw new Error(probe.kind);
  return probe.facts;
}

function opened(): OpenIndex {
  const open = files().open(GOAL);
  if (open.kind !== "open") throw new Error(open.kind);
  return open;
}

describe("what the file system says", () => {
  test("the version changes with each append, the file only when another one is put in its place", () => {
    writeFileSync(index, "{}\n");
    const before = facts();
    appendFileSync(index, "{}\n");
    const after = facts();
    expect(after.file).toBe(before.file);
    expect(after.version).not.toBe(before.version);
    expect([before.size, after.size]).toEqual([3, 6]);
    writeFileSync(`${index}.new`, "{}\n");
    renameSync(`${index}.new`, index);
    expect(facts().file).not.toBe(before.file);
  });

  test("no folder, no index and a link to nowhere are missing", () => {
    expect(files().probe(GOAL)).toEqual({ kind: "missing" });
    expect(files().open("beta" as GoalId)).toEqual({ kind: "missing" });
    symlinkSync(join(folder, "nowhere"), index);
    expect(files().probe(GOAL)).toEqual({ kind: "missing" });
  });
});

describe("reading", () => {
  test("gives the bytes that are there, and digests of any part", () => {
    writeFileSync(index, "0123456789");
    const open = opened();
    expect(Buffer.from(open.read(2, 4) as Uint8Array).toString()).toBe("2345");
    expect(Buffer.from(open.read(8, 100) as Uint8Array).toString()).toBe("89");
    expect(open.read(10, 5)).toHaveLength(0);
    expect(open.sha256(0, 0)).toBe("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    expect(open.sha256(2, 6)).toBe("38083c7ee9121e17401883566a148aa5c2e2d55dc53bc4a94a026517dbff3c6b");
    open.close();
  });
});

describe("what cannot be read is a value (X1, X2)", () => {
  const codeOf = (): readonly string[] =>
    [files().probe(GOAL), files().open(GOAL)].map((each) => (each.kind === "damaged" ? each.damage.code : each.kind));

  test("a folder in its place", () => {
    mkdirSync(index);
    expect(codeOf()).toEqual(["not_a_file", "not_a_file"]);
  });

  test("a file where the runs folder should be", () => {
    rmSync(runs, { recursive: true });
    writeFileSync(runs, "");
    expect(codeOf()).toEqual(["not_a_file", "not_a_file"]);
  });

  test("a goal folder, runs folder or index that is a link out of the goals folder", () => {
    const outside = join(folder, "outside", "runs");
    mkdirSync(outside, { recursive: true });
    writeFileSync(join(outside, "index.jsonl"), "{}\n");
    symlinkSync(join(outside, "index.jsonl"), index);
    expect(codeOf()).toEqual(["outside_root", "outside_root"]);
    rmSync(runs, { recursive: true });
    symlinkSync(outside, runs);
    expect(codeOf()).toEqual(["outside_root", "outside_root"]);
    rmSync(join(root, "goals", GOAL), { recursive: true });
    symlinkSync(join(folder, "outside"), join(root, "goals", GOAL));
    expect(codeOf()).toEqual(["outside_root", "outside_root"]);
  });

  test("links inside the goals folder, and a root that is a link, are followed", () => {
    writeFileSync(index, "{}\n");
    symlinkSync(join(root, "goals", GOAL), join(root, "goals", "beta"));
    symlinkSync(root, join(folder, "link"));
    expect(files().probe("beta" as GoalId).kind).toBe("found");
    expect(runFiles({ runtime_root: join(folder, "link") }).probe(GOAL).kind).toBe("found");
  });

  test("a link that names itself", () => {
    symlinkSync(index, index);
    expect(codeOf()).toEqual(["unreadable", "unreadable"]);
  });
});
