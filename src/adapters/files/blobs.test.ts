import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { GoalId } from "../../core/id.ts";
import { type Blobs, MAX_BLOB_BYTES, type StoredBlob } from "../../ports/blobs.ts";
import { fileBlobs } from "./blobs.ts";
import { sha256 } from "./digest.ts";

const GOAL = "alpha" as GoalId;
let root: string;
let blobs: Blobs;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "loopx-blobs-"));
  blobs = fileBlobs({ runtime_root: root });
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const folder = (): string => join(root, "goals", GOAL, "evidence");
const pathOf = (digest: string): string => join(folder(), `${digest}.gz`);

async function stored(bytes: Uint8Array): Promise<StoredBlob> {
  const put = await blobs.put(GOAL, bytes);
  if (put.kind !== "stored") throw new Error(put.problem.message);
  return put;
}

test("B1: a blob is a gzip named by the digest of its bytes, for its owner alone", async () => {
  const bytes = Buffer.from("all green\n".repeat(100));
  const blob = await stored(bytes);
  expect(blob).toMatchObject({ sha256: sha256(bytes), bytes: bytes.length, dropped_bytes: 0, is_new: true });
  expect(gunzipSync(readFileSync(pathOf(blob.sha256)))).toEqual(bytes);
  expect(blob.stored_bytes).toBe(statSync(pathOf(blob.sha256)).size);
  expect(statSync(pathOf(blob.sha256)).mode & 0o777).toBe(0o600);
  expect(statSync(folder()).mode & 0o777).toBe(0o700);
  expect(readdirSync(folder())).toHaveLength(1);
});

test("B1: the same bytes are written once", async () => {
  const first = await stored(Buffer.from("same"));
  const before = statSync(pathOf(first.sha256), { bigint: true });
  expect(await stored(Buffer.from("same"))).toEqual({ ...first, is_new: false });
  expect(statSync(pathOf(first.sha256), { bigint: true }).ino).toBe(before.ino);
});

test("the file depends on the bytes alone", async () => {
  const { sha256: digest } = await stored(Buffer.from("same"));
  expect([...readFileSync(pathOf(digest)).subarray(0, 10)]).toEqual([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 2, 0xff]);
});

test.each([0, 1, MAX_BLOB_BYTES])("B4: %i bytes come back as they were", async (length) => {
  const bytes = new Uint8Array(length).map((_, at) => (at * 7919) % 256);
  const { sha256: digest } = await stored(bytes);
  const read = await blobs.get(GOAL, digest);
  expect(read.kind === "blob" && Buffer.from(read.bytes).equals(bytes)).toBe(true);
});

test("B3: a longer one is cut, and the cut is told in the answer and in the blob", async () => {
  const bytes = Buffer.concat([Buffer.from("begin"), Buffer.alloc(MAX_BLOB_BYTES * 2, "."), Buffer.from("end")]);
  const blob = await stored(bytes);
  expect(blob.bytes).toBeLessThanOrEqual(MAX_BLOB_BYTES);
  expect(blob.dropped_bytes).toBeGreaterThan(MAX_BLOB_BYTES);
  const read = await blobs.get(GOAL, blob.sha256);
  const text = read.kind === "blob" ? Buffer.from(read.bytes).toString() : "";
  expect(text).toMatch(new RegExp(`^begin[^]*\\[loopx left out ${blob.dropped_bytes} bytes here\\][^]*end$`));
});

test("B4: a file that holds something else is told, and put right by the next put", async () => {
  const { sha256: digest } = await stored(Buffer.from("truth"));
  for (const damage of [gzipSync("lie"), Buffer.from("no gzip"), Buffer.alloc(0), gzipSync(Buffer.alloc(MAX_BLOB_BYTES + 1))]) {
    writeFileSync(pathOf(digest), damage);
    expect(await blobs.get(GOAL, digest)).toMatchObject({
      kind: "unreadable",
      problem: { code: "blob_damaged", path: pathOf(digest) },
    });
    expect(await stored(Buffer.from("truth"))).toMatchObject({ is_new: true });
    expect(await blobs.get(GOAL, digest)).toMatchObject({ kind: "blob" });
  }
});

test("what is not there is missing, and so is a name that is no digest", async () => {
  expect(await blobs.get(GOAL, "0".repeat(64))).toEqual({ kind: "missing" });
  expect(await blobs.get(GOAL, "../../../../etc/passwd")).toEqual({ kind: "missing" });
});

test("a link in its place is refused and what it leads to is neither read nor written", async () => {
  const { sha256: digest } = await stored(Buffer.from("truth"));
  const outside = join(root, "outside");
  writeFileSync(outside, gzipSync("truth"));
  rmSync(pathOf(digest));
  symlinkSync(outside, pathOf(digest));
  const before = readFileSync(outside);
  expect(await blobs.put(GOAL, Buffer.from("truth"))).toMatchObject({ kind: "refused", problem: { code: "file_is_link" } });
  expect(await blobs.get(GOAL, digest)).toMatchObject({ kind: "unreadable", problem: { code: "file_is_link" } });
  expect(readFileSync(outside)).toEqual(before);
});

test("a folder in its place is refused", async () => {
  mkdirSync(pathOf(sha256("truth")), { recursive: true });
  expect(await blobs.put(GOAL, Buffer.from("truth"))).toMatchObject({ kind: "refused", problem: { code: "file_is_folder" } });
  expect(readdirSync(folder())).toHaveLength(1);
});

test.each(["goal", "evidence"])("a link in the place of the %s folder is refused", async (which) => {
  const outside = join(root, "outside");
  mkdirSync(outside);
  mkdirSync(join(root, "goals", ...(which === "evidence" ? [GOAL] : [])), { recursive: true });
  symlinkSync(outside, which === "evidence" ? folder() : join(root, "goals", GOAL));
  expect(await blobs.put(GOAL, Buffer.from("x"))).toMatchObject({ kind: "refused", problem: { code: "file_is_link" } });
  expect(readdirSync(outside)).toEqual([]);
});

test("a file in the place of the folder is refused", async () => {
  mkdirSync(join(root, "goals", GOAL), { recursive: true });
  writeFileSync(folder(), "");
  expect(await blobs.put(GOAL, Buffer.from("x"))).toMatchObject({ kind: "refused" });
});

test("reading makes no folder", async () => {
  await blobs.get(GOAL, "0".repeat(64));
  expect(existsSync(join(root, "goals"))).toBe(false);
});
