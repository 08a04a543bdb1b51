import { mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, statSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { fileSteps } from "./file-steps.ts";
import { fingerprint } from "./fingerprint.ts";
import { createFile, writeAtomically } from "./write-file.ts";

let folder = "";
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "loopx-write-")));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const at = (name: string): string => join(folder, name);
const textOf = (name: string): string => readFileSync(at(name), "utf8");
const fail = (code: string) => () => {
  throw Object.assign(new Error(code), { code });
};

describe("createFile", () => {
  it("makes the file and the folders to it, and never touches what is there", () => {
    expect(createFile(at("a/b/f"), "text")).toEqual({ kind: "created", fingerprint: fingerprint(at("a/b/f")) });
    expect(statSync(at("a/b/f")).mode & 0o777).toBe(0o644 & ~process.umask());
    expect(createFile(at("a/b/f"), "other")).toEqual({ kind: "exists" });
    expect(textOf("a/b/f")).toBe("text");
    expect(readdirSync(at("a/b"))).toEqual(["f"]);
    symlinkSync(at("outside"), at("dangling"));
    expect(createFile(at("dangling"), "x")).toEqual({ kind: "exists" });
    expect(createFile(at("a/b/f/g"), "x")).toMatchObject({ kind: "refused", problem: { code: "file_parent_not_folder" } });
  });

  it("works where there are no hard links", () => {
    const steps = { ...fileSteps, link: fail("EPERM") };
    expect(createFile(at("f"), "text", steps).kind).toBe("created");
    expect(createFile(at("f"), "other", steps)).toEqual({ kind: "exists" });
    expect([textOf("f"), readdirSync(folder)]).toEqual(["text", ["f"]]);
  });

  it("throws a fault when the disk is full, and leaves nothing", () => {
    expect(() => createFile(at("f"), "x", { ...fileSteps, create: fail("ENOSPC") })).toThrow(
      expect.objectContaining({ code: "disk_full" }),
    );
    expect(readdirSync(folder)).toEqual([]);
  });
});

describe("writeAtomically", () => {
  it("writes new and over old, and makes folders", () => {
    writeAtomically(at("a/f"), "1");
    writeAtomically(at("a/f"), "2");
    expect([textOf("a/f"), readdirSync(at("a"))]).toEqual(["2", ["f"]]);
  });

  it("leaves the old one whole and nothing beside it when it fails", () => {
    writeAtomically(at("f"), "1");
    expect(() => writeAtomically(at("f"), "2", { ...fileSteps, rename: fail("EIO") })).toThrow(
      expect.objectContaining({ code: "file_failed" }),
    );
    expect([textOf("f"), readdirSync(folder)]).toEqual(["1", ["f"]]);
  });
});
