import { execFileSync } from "node:child_process";
import {
  chmodSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { FileDigests } from "../../ports/tree-hash.ts";
import { makeWorkingFolder, type WorkingFolder } from "./working-folder.sample.ts";

let work: WorkingFolder;
let folder: string;

beforeEach(() => {
  work = makeWorkingFolder();
  folder = work.folder;
});
afterEach(() => work.remove());

describe("H1", () => {
  beforeEach(() => {
    work.put("a.txt", "one");
    work.put("src/deep/b.txt", "two");
    symlinkSync("a.txt", join(folder, "link"));
  });

  test("the same content elsewhere has the same digest, whatever its times", async () => {
    const before = await work.hash();
    utimesSync(join(folder, "a.txt"), 1, 1);
    mkdirSync(join(folder, "empty"));
    expect(await work.hash()).toBe(before);
    const moved = join(dirname(folder), "moved");
    renameSync(folder, moved);
    expect(await work.hash({ folder: moved })).toBe(before);
  });

  test("a byte, a name, a mode, a link target, a new file and a lost one each change it", async () => {
    expect(await work.changes(() => work.put("a.txt", "onf"))).toBe(true);
    expect(await work.changes(() => renameSync(join(folder, "a.txt"), join(folder, "a.tyt")))).toBe(true);
    expect(await work.changes(() => chmodSync(join(folder, "a.tyt"), 0o755))).toBe(true);
    expect(await work.changes(() => chmodSync(join(folder, "a.tyt"), 0o750))).toBe(false);
    rmSync(join(folder, "link"));
    symlinkSync("b", join(folder, "link"));
    expect(
      await work.changes(() => {
        rmSync(join(folder, "link"));
        symlinkSync("c", join(folder, "link"));
      }),
    ).toBe(true);
    expect(await work.changes(() => work.put("new"))).toBe(true);
    expect(await work.changes(() => rmSync(join(folder, "new")))).toBe(true);
  });

  test("content that moves from one file to another changes it", async () => {
    work.put("x", "1");
    work.put("y", "2");
    expect(
      await work.changes(() => {
        work.put("x", "2");
        work.put("y", "1");
      }),
    ).toBe(true);
  });

  test("a file and a link to what the file says are two things", async () => {
    work.put("x", "target");
    expect(
      await work.changes(() => {
        rmSync(join(folder, "x"));
        symlinkSync("target", join(folder, "x"));
      }),
    ).toBe(true);
  });
});

test("names may hold anything", async () => {
  for (const name of ["-rf", "a b", "new\nline", "ünï☃", "'\"$(x)", "\\", "*"]) work.put(name, "1");
  const bytes = Buffer.concat([Buffer.from(`${folder}/`), Buffer.from([0x66, 0xff, 0xfe])]);
  writeFileSync(bytes, "1");
  expect(await work.look()).toMatchObject({ kind: "hashed", files: 8 });
  expect(await work.changes(() => work.put("new\nline", "2"))).toBe(true);
  expect(await work.changes(() => writeFileSync(bytes, "2"))).toBe(true);
  work.git("init", "-q");
  expect(await work.look()).toMatchObject({ kind: "hashed", files: 8 });
  expect(await work.changes(() => work.put("-rf", "2"))).toBe(true);
  expect(await work.changes(() => writeFileSync(bytes, "3"))).toBe(true);
});

test("H3: links that lead in circles, nowhere or out of the folder count by their text", async () => {
  symlinkSync("b", join(folder, "a"));
  symlinkSync("a", join(folder, "b"));
  symlinkSync(".", join(folder, "self"));
  symlinkSync("nowhere", join(folder, "dangling"));
  const outside = join(dirname(folder), "outside");
  writeFileSync(outside, "1");
  symlinkSync(outside, join(folder, "out"));
  expect(await work.look()).toMatchObject({ kind: "hashed", files: 5, bytes: 0 });
  expect(await work.changes(() => writeFileSync(outside, "2"))).toBe(false);
  work.git("init", "-q");
  expect(await work.look()).toMatchObject({ kind: "hashed", files: 5 });
});

test("a pipe is not opened", async () => {
  execFileSync("mkfifo", [join(folder, "pipe")]);
  expect(await work.look()).toMatchObject({ kind: "hashed", files: 1, bytes: 0 });
});

describe("a second look", () => {
  const LATER = (): number => Date.now() + 10_000;

  function remembering(): FileDigests & { readonly found: string[] } {
    const noted = new Map<string, string>();
    const found: string[] = [];
    return {
      found,
      find: (path, fingerprint) => {
        const digest = noted.get(`${path} ${fingerprint}`) ?? null;
        if (digest !== null) found.push(path);
        return digest;
      },
      note: (path, fingerprint, sha256) => noted.set(`${path} ${fingerprint}`, sha256),
    };
  }

  test("takes the digests of settled files from the first", async () => {
    work.put("a");
    work.put("b");
    const digests = remembering();
    const first = await work.hash({ digests, now: LATER });
    expect(digests.found).toEqual([]);
    expect(await work.hash({ digests, now: LATER })).toBe(first);
    expect(digests.found).toEqual([join(folder, "a"), join(folder, "b")]);
  });

  test("reads again what had changed less than two seconds before it was read, however old it says it is", async () => {
    work.put("a");
    utimesSync(join(folder, "a"), 1000, 1000);
    const digests = remembering();
    await work.hash({ digests });
    await work.hash({ digests });
    expect(digests.found).toEqual([]);
  });

  test("sees a change that keeps size and time of modification", async () => {
    work.put("a", "one");
    utimesSync(join(folder, "a"), 1000, 1000);
    const asked = { digests: remembering(), now: LATER };
    const change = (): void => {
      work.put("a", "two");
      utimesSync(join(folder, "a"), 1000, 1000);
    };
    const { size, mtimeMs } = statSync(join(folder, "a"));
    expect(await work.changes(change, asked)).toBe(true);
    expect(statSync(join(folder, "a"))).toMatchObject({ size, mtimeMs });
  });
});

test("a folder that is gone, or is a file, is missing", async () => {
  work.put("file");
  expect(await work.look({ folder: join(folder, "file") })).toEqual({ kind: "missing" });
  rmSync(folder, { recursive: true });
  expect(await work.look()).toEqual({ kind: "missing" });
});

test("an empty folder has a digest", async () => {
  expect(await work.look()).toMatchObject({ kind: "hashed", files: 0, bytes: 0 });
});

test("looking changes nothing", async () => {
  work.git("init", "-q");
  work.put("a");
  work.git("add", ".");
  const index = readFileSync(join(folder, ".git/index"));
  await work.hash();
  expect(readFileSync(join(folder, ".git/index")).equals(index)).toBe(true);
});
