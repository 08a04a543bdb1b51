import {
  chmodSync,
  linkSync,
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
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { serveTokenAt } from "./token-file.ts";

const GOOD = "A".repeat(43);
let folder = "";
let path = "";

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "loopx-token-"));
  path = join(folder, "root", "serve-token");
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

function tokenOf(): string {
  const reply = serveTokenAt(path);
  if (reply.kind !== "done") throw new Error(reply.code);
  return reply.value.value;
}

function place(text: string, mode = 0o600): void {
  mkdirSync(join(folder, "root"), { recursive: true });
  writeFileSync(path, text, { mode });
  chmodSync(path, mode);
}

describe("the token's file", () => {
  it("K1: holds 32 random bytes, for its owner alone, and stays", () => {
    const token = tokenOf();
    expect(Buffer.from(token, "base64url")).toHaveLength(32);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(readFileSync(path, "utf8")).toBe(`${token}\n`);
    expect(readdirSync(join(folder, "root"))).toEqual(["serve-token"]);
    expect(tokenOf()).toBe(token);
    rmSync(path);
    expect(tokenOf()).not.toBe(token);
  });

  it("K1: is read with and without a line feed at its end, also when its owner may only read it", () => {
    place(GOOD, 0o400);
    expect(tokenOf()).toBe(GOOD);
  });

  it.each([0o644, 0o640, 0o604, 0o620, 0o601])("K2: mode %o is refused, and the file stays as it was", (mode) => {
    place(`${GOOD}\n`, mode);
    expect(serveTokenAt(path)).toMatchObject({ kind: "refusal", code: "token_file_not_private", fix: `rm ${path}` });
    expect([statSync(path).mode & 0o777, readFileSync(path, "utf8")]).toEqual([mode, `${GOOD}\n`]);
  });

  it.each([
    ["empty", ""],
    ["a line feed", "\n"],
    ["short", "abc\n"],
    ["two lines", `${GOOD}\n${GOOD}\n`],
    ["spaces", ` ${GOOD}`],
    ["long", "A".repeat(10_000)],
    ["binary", "\u0000".repeat(43)],
  ])("K2, K3: a text that is no token (%s) is refused", (_, text) => {
    place(text);
    const reply = serveTokenAt(path);
    expect(reply).toMatchObject({ kind: "refusal", code: "token_file_damaged", fix: `rm ${path}` });
    expect(JSON.stringify(reply)).not.toContain("AAAA");
    expect(readFileSync(path, "utf8")).toBe(text);
  });

  it("K2: a link is refused, wherever it leads", () => {
    place(GOOD);
    const target = join(folder, "elsewhere");
    linkSync(path, target);
    for (const to of [target, join(folder, "nowhere")]) {
      rmSync(path);
      symlinkSync(to, path);
      expect(serveTokenAt(path)).toMatchObject({ kind: "refusal", code: "token_file_is_link", fix: `rm ${path}` });
    }
    expect(readdirSync(folder).sort()).toEqual(["elsewhere", "root"]);
  });

  it("K2: a folder in its place is refused", () => {
    mkdirSync(path, { recursive: true });
    expect(serveTokenAt(path)).toMatchObject({ kind: "refusal", code: "token_file_damaged" });
  });

  it("says that none can be made where a file stands in the way of its folder", () => {
    writeFileSync(join(folder, "root"), "");
    expect(serveTokenAt(path)).toMatchObject({
      kind: "refusal",
      code: expect.stringMatching(/^token_(file_unreadable|unwritable)$/),
    });
  });
});
