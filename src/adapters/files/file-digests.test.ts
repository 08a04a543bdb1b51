import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { sha256 } from "./digest.ts";
import { fileDigests } from "./file-digests.ts";

let root: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "loopx-digests-"));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const file = (): string => join(root, "cache", "file-digests.json");
const A = sha256("a");
const B = sha256("b");

test("what was saved is found by the next process, under the same fingerprint alone", () => {
  const digests = fileDigests({ runtime_root: root });
  digests.note("/w/a\nü", "1:2:3:4", A);
  expect(digests.save()).toBe(true);
  const next = fileDigests({ runtime_root: root });
  expect(next.find("/w/a\nü", "1:2:3:4")).toBe(A);
  expect(next.find("/w/a\nü", "1:2:3:5")).toBeNull();
  expect(next.find("/w/b", "1:2:3:4")).toBeNull();
  expect(statSync(file()).mode & 0o777).toBe(0o600);
});

test("nothing new is not saved", () => {
  const digests = fileDigests({ runtime_root: root });
  expect(digests.find("/w/a", "1")).toBeNull();
  expect(digests.save()).toBe(false);
  expect(readdirSync(root)).toEqual([]);
});

test("D2: those not used for longest go first", () => {
  const digests = fileDigests({ runtime_root: root, max_entries: 2 });
  digests.note("/w/a", "1", A);
  digests.note("/w/b", "1", B);
  expect(digests.find("/w/a", "1")).toBe(A);
  digests.note("/w/c", "1", A);
  expect(["/w/a", "/w/b", "/w/c"].map((path) => digests.find(path, "1"))).toEqual([A, null, A]);
  digests.save();
  expect(JSON.parse(readFileSync(file(), "utf8")).files).toHaveLength(2);
});

test.each([
  ["cut short", '{"version":1,"files":[["/w/a","1"'],
  ["no JSON", "\0\0"],
  ["null", "null"],
  ["a list", "[]"],
  ["of another version", `{"version":2,"files":[["/w/a","1","${A}"]]}`],
  ["without files", '{"version":1,"files":7}'],
  ["with entries that are none", '{"version":1,"files":[["/w/a","1","nonsense"],["/w/a"],null,["/w/a",1,2]]}'],
])("D1: a file that is %s is as if it were not there, and is replaced", (_, text) => {
  mkdirSync(join(root, "cache"));
  writeFileSync(file(), text);
  const digests = fileDigests({ runtime_root: root });
  expect(digests.find("/w/a", "1")).toBeNull();
  digests.note("/w/a", "1", A);
  expect(digests.save()).toBe(true);
  expect(fileDigests({ runtime_root: root }).find("/w/a", "1")).toBe(A);
});

test("D1: a link or a folder in its place is left alone", () => {
  mkdirSync(join(root, "cache"));
  const outside = join(root, "outside");
  writeFileSync(outside, `{"version":1,"files":[["/w/a","1","${A}"]]}`);
  symlinkSync(outside, file());
  const digests = fileDigests({ runtime_root: root });
  expect(digests.find("/w/a", "1")).toBeNull();
  digests.note("/w/b", "1", B);
  expect(digests.save()).toBe(false);
  expect(readFileSync(outside, "utf8")).toContain(A);
  rmSync(file());
  mkdirSync(file());
  expect(digests.save()).toBe(false);
});

test("D1: where nothing can be written saving says so", () => {
  writeFileSync(join(root, "cache"), "a file stands here");
  const digests = fileDigests({ runtime_root: root });
  digests.note("/w/a", "1", A);
  expect(digests.save()).toBe(false);
});
