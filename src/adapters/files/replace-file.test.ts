import {
  chmodSync,
  chownSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { ReplaceOutcome } from "../../ports/files.ts";
import { sha256 } from "./digest.ts";
import { type FileSteps, fileSteps } from "./file-steps.ts";
import { fingerprint } from "./fingerprint.ts";
import { findLeftovers, recoverFile } from "./recover-file.ts";
import { replaceFile } from "./replace-file.ts";

let folder = "";
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "loopx-replace-")));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const at = (name: string): string => join(folder, name);
const textOf = (name: string): string => readFileSync(at(name), "utf8");
const fail = (code: string) => () => {
  throw Object.assign(new Error(code), { code });
};

function replace(name: string, next: string, steps: Partial<FileSteps> = {}): ReplaceOutcome {
  return replaceFile({ path: at(name), expected: { kind: "text", text: "old" }, next }, { ...fileSteps, ...steps });
}

/** The names in the folder that are no leftovers, and the kinds of those that are. */
function inFolder(): readonly string[] {
  const leftovers = new Map(findLeftovers(folder).map(({ path, kind }) => [basename(path), kind]));
  return readdirSync(folder)
    .map((name) => leftovers.get(name) ?? name)
    .toSorted();
}

describe("replacing", () => {
  it("gives the new text, and nothing else is left", () => {
    writeFileSync(at("f"), "old");
    expect(replace("f", "new\r\n")).toEqual({ kind: "replaced", fingerprint: fingerprint(at("f")) });
    expect(textOf("f")).toBe("new\r\n");
    expect(inFolder()).toEqual(["f"]);
  });

  it("takes a digest for the expected text", () => {
    writeFileSync(at("f"), "old");
    expect(replaceFile({ path: at("f"), expected: { kind: "sha256", sha256: sha256("old") }, next: "n" }).kind).toBe("replaced");
    expect(replaceFile({ path: at("f"), expected: { kind: "sha256", sha256: sha256("old") }, next: "m" })).toEqual({
      kind: "changed",
      text: "n",
    });
  });

  it("X1: leaves a text that is not the expected one", () => {
    writeFileSync(at("f"), "\ufeffmine");
    expect(replace("f", "new")).toEqual({ kind: "changed", text: "\ufeffmine" });
    expect(textOf("f")).toBe("\ufeffmine");
    expect(inFolder()).toEqual(["f"]);
  });

  it("X1: leaves what is no text", () => {
    writeFileSync(at("f"), Buffer.from([0xff]));
    expect(replace("f", "new")).toMatchObject({ kind: "unreadable", problem: { code: "file_not_utf8" } });
    expect(inFolder()).toEqual(["f"]);
  });

  it("X2: the new text is on the disk, whole, before it has the name", () => {
    writeFileSync(at("f"), "old");
    const events: string[] = [];
    replace("f", "new", {
      create: (path, bytes, options) => {
        events.push(`create ${options.keep}`);
        fileSteps.create(path, bytes, options);
      },
      rename: (from, to) => {
        events.push(`rename ${readFileSync(from, "utf8")} over ${readFileSync(to, "utf8")}`);
        fileSteps.rename(from, to);
      },
      syncFolderOf: () => events.push("sync folder"),
    });
    expect(events).toEqual(["create durable", "rename new over old", "sync folder"]);
  });

  it("X4: keeps symlink, mode and owner", () => {
    mkdirSync(at("real"));
    writeFileSync(at("real/f"), "old");
    chmodSync(at("real/f"), 0o640);
    if (process.getuid?.() === 0) chownSync(at("real/f"), 1234, 1235);
    const before = statSync(at("real/f"));
    symlinkSync("real/f", at("link"));
    expect(replace("link", "new").kind).toBe("replaced");
    expect(readlinkSync(at("link"))).toBe("real/f");
    const after = statSync(at("real/f"));
    expect([textOf("real/f"), after.mode, after.uid, after.gid]).toEqual(["new", before.mode, before.uid, before.gid]);
    expect(readdirSync(at("real"))).toEqual(["f"]);
  });

  it("X4: writes nothing outside the tree that it may write in", () => {
    mkdirSync(at("tree"));
    mkdirSync(at("tree-beside"));
    writeFileSync(at("tree-beside/f"), "old");
    symlinkSync(at("tree-beside/f"), at("tree/f"));
    symlinkSync(at("tree"), at("alias"));
    const request = { path: at("tree/f"), expected: { kind: "text", text: "old" } as const, next: "new" };
    expect(replaceFile({ ...request, within: at("tree") })).toMatchObject({
      kind: "refused",
      problem: { code: "file_outside_tree" },
    });
    expect(textOf("tree-beside/f")).toBe("old");
    writeFileSync(at("tree/g"), "old");
    expect(replaceFile({ ...request, path: at("tree/g"), within: at("alias") }).kind).toBe("replaced");
  });

  it("tells what the path is when it is no file", () => {
    mkdirSync(at("d"));
    symlinkSync(at("loop"), at("loop"));
    symlinkSync(at("gone"), at("dangling"));
    writeFileSync(at("f"), "old");
    expect(replace("no", "new")).toEqual({ kind: "missing" });
    expect(replace("d", "new")).toMatchObject({ kind: "refused", problem: { code: "file_is_folder" } });
    expect(replace("loop", "new")).toMatchObject({ kind: "refused", problem: { code: "file_symlink_loop" } });
    expect(replace("dangling", "new")).toMatchObject({ kind: "refused", problem: { code: "file_symlink_loop" } });
    expect(replace("f/below", "new")).toMatchObject({ kind: "refused", problem: { code: "file_parent_not_folder" } });
  });

  it.each([
    ["ENOSPC", "disk_full"],
    ["EROFS", "read_only"],
    ["EIO", "file_failed"],
  ])("throws a fault for %s and leaves everything as it was", (errno, code) => {
    writeFileSync(at("f"), "old");
    expect(() => replace("f", "new", { create: fail(errno) })).toThrow(expect.objectContaining({ code }));
    expect(() => replace("f", "new", { rename: fail(errno) })).toThrow(expect.objectContaining({ code }));
    expect(textOf("f")).toBe("old");
    expect(readdirSync(folder).filter((name) => name.endsWith(".tmp"))).toEqual([]);
    expect(recoverFile(at("f")).map(({ kind }) => kind)).toEqual(["cleared"]);
    expect(inFolder()).toEqual(["f"]);
  });
});

describe("a person saves at the same instant", () => {
  const inPlace = (text: string) => writeFileSync(at("f"), text);
  const byRename = (text: string) => {
    writeFileSync(at("editor"), text);
    renameSync(at("editor"), at("f"));
  };

  it.each([
    ["in place", inPlace],
    ["by a rename", byRename],
  ])("X1: %s, before the file is read again", (_, save) => {
    writeFileSync(at("f"), "old");
    const create: FileSteps["create"] = (...step) => {
      fileSteps.create(...step);
      save("saved");
    };
    expect(replace("f", "new", { create })).toEqual({ kind: "changed", text: "saved" });
    expect([textOf("f"), inFolder()]).toEqual(["saved", ["f"]]);
  });

  it.each([
    ["before the old file has its second name", "before"],
    ["after it", "after"],
  ])("X1: by a rename, %s", (_, when) => {
    writeFileSync(at("f"), "old");
    const link: FileSteps["link"] = (from, to) => {
      if (when === "before") byRename("saved");
      fileSteps.link(from, to);
      if (when === "after") byRename("saved");
    };
    expect(replace("f", "new", { link })).toEqual({ kind: "changed", text: "saved" });
    expect([textOf("f"), inFolder()]).toEqual(["saved", ["f"]]);
  });

  it("X1: by a rename while the old file is given its second name", () => {
    writeFileSync(at("f"), "old");
    const link: FileSteps["link"] = () => {
      byRename("saved");
      fail("ENOENT")(); // what Linux says of an inode that has just lost its last name
    };
    expect(replace("f", "new", { link })).toEqual({ kind: "changed", text: "saved" });
    expect([textOf("f"), inFolder()]).toEqual(["saved", ["f"]]);
  });

  it("X3: in place, just before the rename: their text gets its name back", () => {
    writeFileSync(at("f"), "old");
    const rename: FileSteps["rename"] = (from, to) => {
      if (from.endsWith(".tmp")) inPlace("saved");
      fileSteps.rename(from, to);
    };
    expect(replace("f", "new", { rename })).toEqual({ kind: "overtaken", text: "saved" });
    expect([textOf("f"), inFolder()]).toEqual(["saved", ["f"]]);
  });

  it("X3: in place, while the folder is synced", () => {
    writeFileSync(at("f"), "old");
    linkSync(at("f"), at("their-view"));
    let saves = 1;
    const syncFolderOf: FileSteps["syncFolderOf"] = (path) => {
      if (saves-- > 0) writeFileSync(at("their-view"), "saved");
      fileSteps.syncFolderOf(path);
    };
    expect(replace("f", "new", { syncFolderOf })).toEqual({ kind: "overtaken", text: "saved" });
    rmSync(at("their-view"));
    expect([textOf("f"), inFolder()]).toEqual(["saved", ["f"]]);
  });

  it("X3: through a descriptor that was open before: later writes reach the file too", () => {
    writeFileSync(at("f"), "old");
    linkSync(at("f"), at("their-view"));
    const rename: FileSteps["rename"] = (from, to) => {
      if (from.endsWith(".tmp")) writeFileSync(at("their-view"), "");
      fileSteps.rename(from, to);
    };
    expect(replace("f", "new", { rename })).toEqual({ kind: "overtaken", text: "" });
    writeFileSync(at("their-view"), "saved");
    expect(textOf("f")).toBe("saved");
  });

  it("X3: twice, the second time after the rename: the last save stands, the first is kept", () => {
    writeFileSync(at("f"), "old");
    const rename: FileSteps["rename"] = (from, to) => {
      if (from.endsWith(".tmp")) inPlace("first");
      fileSteps.rename(from, to);
      if (from.endsWith(".tmp")) inPlace("second");
    };
    expect(replace("f", "new", { rename })).toEqual({ kind: "overtaken", text: "second" });
    const [kept] = findLeftovers(folder);
    expect([textOf("f"), kept?.kind, readFileSync(kept?.path ?? "", "utf8")]).toEqual(["second", "kept", "first"]);
  });
});

describe("X5: where names cannot be exchanged", () => {
  it.each([
    ["link", "EPERM"],
    ["rename", "EBUSY"],
    ["rename", "EXDEV"],
  ] as const)("writes in place when %s says %s, on the same inode", (step, errno) => {
    writeFileSync(at("f"), "old");
    const { ino } = lstatSync(at("f"));
    expect(replace("f", "a longer text", { [step]: fail(errno) })).toEqual({
      kind: "replaced",
      fingerprint: fingerprint(at("f")),
    });
    expect([textOf("f"), lstatSync(at("f")).ino, inFolder()]).toEqual(["a longer text", ino, ["f"]]);
  });

  it("leaves a text that was saved meanwhile", () => {
    writeFileSync(at("f"), "old");
    const create: FileSteps["create"] = (path, ...rest) => {
      fileSteps.create(path, ...rest);
      if (path.endsWith(".journal")) writeFileSync(at("f"), "saved");
    };
    expect(replace("f", "new", { link: fail("EPERM"), create })).toEqual({ kind: "changed", text: "saved" });
    expect([textOf("f"), inFolder()]).toEqual(["saved", ["f"]]);
  });

  it("takes the write back when the disk fails in the middle", () => {
    writeFileSync(at("f"), "old");
    let failures = 1;
    const overwrite: FileSteps["overwrite"] = (path, bytes) => {
      if (failures-- === 0) return fileSteps.overwrite(path, bytes);
      writeFileSync(path, bytes.subarray(0, 2), { flag: "r+" });
      fail("ENOSPC")();
    };
    expect(() => replace("f", "new", { link: fail("EPERM"), overwrite })).toThrow(expect.objectContaining({ code: "disk_full" }));
    expect([textOf("f"), inFolder()]).toEqual(["old", ["f"]]);
  });

  it("keeps the journal when it cannot even be taken back, and ends it later", () => {
    writeFileSync(at("f"), "old");
    const overwrite: FileSteps["overwrite"] = (path, bytes) => {
      writeFileSync(path, bytes.subarray(0, 2), { flag: "r+" });
      fail("EIO")();
    };
    expect(() => replace("f", "new", { link: fail("EPERM"), overwrite })).toThrow();
    expect(inFolder()).toEqual(["f", "journal"]);
    expect(recoverFile(at("f")).map(({ kind }) => kind)).toEqual(["cleared"]);
    expect([textOf("f"), inFolder()]).toEqual(["old", ["f"]]);
  });
});
