import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { GoalId } from "../../core/id.ts";
import type { ArchiveExport } from "../../ports/goal-folders.ts";
import { type FolderSteps, folderSteps } from "./folder-steps.ts";
import { goalFolders } from "./goal-folders.ts";

let folder = "";
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "loopx-folders-")));
  mkdirSync(join(folder, "goals/g/runs"), { recursive: true });
  writeFileSync(join(folder, "goals/g/runs/index.jsonl"), "{}\n");
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const at = (name: string): string => join(folder, name);
const folders = (steps: Partial<FolderSteps> = {}) => goalFolders({ runtime_root: folder }, { ...folderSteps, ...steps });
const move = () => ({ source: at("goals/g"), target: at("archived/deep/g-1") });
const IDENTITY = {
  schema_version: "loopx_archive_v1",
  goal_id: "g",
  generation: 1,
  store_id: "s",
  at: "2026-01-01T00:00:00.000Z",
};
const added: ArchiveExport = {
  manifest: (contents) => JSON.stringify({ ...IDENTITY, ...contents }),
  journal: async function* () {
    yield '{"seq":1}\n';
    yield '{"seq":2}\n';
  },
};
const fail = (code: string) => () => {
  throw Object.assign(new Error(code), { code });
};

describe("goal folders", () => {
  it("F2 a goal's folder is a folder under goals/ itself", () => {
    symlinkSync(at("goals/g"), at("goals/link"));
    writeFileSync(at("goals/file"), "");
    const kinds = ["g", "link", "file", "none"].map((id) => folders().standing(id as GoalId).kind);
    expect(kinds).toEqual(["folder", "link", "not_folder", "missing"]);
  });

  it("F1 moves by one rename into folders that it makes, and never into what is there", () => {
    expect(folders().rename(move())).toBe("moved");
    expect([existsSync(at("goals/g")), readdirSync(at("archived/deep/g-1"))]).toEqual([false, ["runs"]]);
    expect(folders().rename(move())).toBe("taken");
    expect(folders().rename({ ...move(), target: at("other") })).toBe("gone");
    mkdirSync(at("goals/h"));
    expect(folders().rename({ source: at("goals/h"), target: at("archived") })).toBe("taken");
    expect(folders({ rename: fail("ENOTEMPTY") }).rename({ source: at("goals/h"), target: at("x") })).toBe("taken");
    expect(folders({ rename: fail("EXDEV") }).rename({ source: at("goals/h"), target: at("x") })).toBe("other_device");
    expect(readdirSync(at("goals"))).toEqual(["h"]);
  });

  it("F3 a disk that fails is a fault", async () => {
    expect(() => folders({ rename: fail("EIO") }).rename(move())).toThrow(expect.objectContaining({ code: "file_failed" }));
    await expect(folders({ copyFile: fail("ENOSPC") }).stage(move(), null)).rejects.toThrow(
      expect.objectContaining({ code: "disk_full" }),
    );
    await expect(folders({ append: fail("ENOSPC") }).addExport(at("goals/g"), added)).rejects.toThrow(
      expect.objectContaining({ code: "disk_full" }),
    );
    expect(readdirSync(at("goals/g"))).toEqual(["runs"]);
  });

  it("X1 X2 adds manifest and journal, again like once, and takes them away", async () => {
    for (const _ of [1, 2]) expect(await folders().addExport(at("goals/g"), added)).toBe(true);
    expect(readdirSync(at("goals/g"))).toEqual(["archive.json", "journal.jsonl", "runs"]);
    expect(readFileSync(at("goals/g/journal.jsonl"), "utf8")).toBe('{"seq":1}\n{"seq":2}\n');
    expect(JSON.parse(readFileSync(at("goals/g/archive.json"), "utf8"))).toMatchObject({
      file_count: 1,
      bytes: 3,
      entries: [
        { path: "runs", kind: "folder", size: 0 },
        { path: "runs/index.jsonl", kind: "file", size: 3 },
      ],
    });
    expect(folders().manifest(at("goals/g"))).toMatchObject({ goal_id: "g", generation: 1 });
    expect(folders().takenNames(at("goals/g"))).toEqual([]);
    folders().removeExport(at("goals/g"));
    expect(readdirSync(at("goals/g"))).toEqual(["runs"]);
    expect(await folders().addExport(at("goals/none"), added)).toBe(false);
    expect(existsSync(at("goals/none"))).toBe(false);
  });

  it("X1 a journal without a manifest is somebody's", () => {
    writeFileSync(at("goals/g/journal.jsonl"), "mine");
    expect(folders().takenNames(at("goals/g"))).toEqual(["journal.jsonl"]);
    folders().removeExport(at("goals/g"));
    expect(existsSync(at("goals/g/journal.jsonl"))).toBe(true);
    symlinkSync("/etc/hostname", at("goals/g/archive.json"));
    expect(folders().manifest(at("goals/g"))).toBeNull();
  });

  it("publishes a copy only of what the source still is", async () => {
    const staged = await folders().stage(move(), added);
    if (staged === null) throw new Error("nothing was staged");
    writeFileSync(at("goals/g/late"), "late");
    expect(folders().publish(move(), staged)).toBe("changed");
    folders().discard(staged);
    expect(readdirSync(at("archived/deep"))).toEqual([]);
    const again = await folders().stage(move(), added);
    if (again === null) throw new Error("nothing was staged");
    expect(folders().publish(move(), again)).toBe("moved");
    expect(folders().publish(move(), again)).toBe("gone");
    expect(folders().retire(move())).toBe("gone");
    folders().clearStage(move());
    expect([readdirSync(at("archived/deep")), readdirSync(at("goals"))]).toEqual([["g-1"], []]);
    expect(await folders().stage(move(), null)).toBeNull();
  });

  it("F4 deletes nothing that the copy lacks", async () => {
    const staged = await folders().stage(move(), null);
    if (staged === null) throw new Error("nothing was staged");
    folders().publish(move(), staged);
    writeFileSync(at("goals/g/runs/index.jsonl"), "{}\n{}\n");
    expect(folders().retire(move())).toBe("kept");
    expect(readFileSync(at("goals/g/runs/index.jsonl"), "utf8")).toBe("{}\n{}\n");
  });

  it("F4 puts back what was written to in the instant of its removal", async () => {
    const staged = await folders().stage(move(), null);
    if (staged === null) throw new Error("nothing was staged");
    folders().publish(move(), staged);
    const rename: FolderSteps["rename"] = (from, to) => {
      if (String(to).endsWith(".removed")) writeFileSync(at("goals/g/late"), "late");
      folderSteps.rename(from, to);
    };
    expect(folders({ rename }).retire(move())).toBe("kept");
    expect(readFileSync(at("goals/g/late"), "utf8")).toBe("late");
  });

  it("knows what cannot be copied", async () => {
    execFileSync("mkfifo", [at("goals/g/pipe")]);
    expect(folders().uncopyable(at("goals/g"))).toEqual(["pipe"]);
    await expect(folders().stage(move(), null)).rejects.toThrow("cannot be copied");
  });

  it("T2 refuses a copy that reads back otherwise", async () => {
    const copyFile: FolderSteps["copyFile"] = (from, to) => {
      const digest = folderSteps.copyFile(from, to);
      writeFileSync(to, "bits that turned");
      return digest;
    };
    await expect(folders({ copyFile }).stage(move(), null)).rejects.toThrow("does not read back");
  });

  it("T1 T2 a copy is the tree, whatever is in it, and its removal leaves nothing", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(ENTRY, { maxLength: 8 }), async (entries) => {
        rmSync(folder, { recursive: true, force: true });
        mkdirSync(at("goals/g"), { recursive: true });
        entries.reduce(plant, at("goals/g"));
        const staged = await folders().stage(move(), null);
        if (staged === null) throw new Error("nothing was staged");
        expect(listing(staged.path)).toEqual(listing(at("goals/g")));
        expect(folders().publish(move(), staged)).toBe("moved");
        expect(folders().retire(move())).toBe("gone");
        expect(readdirSync(at("goals"))).toEqual([]);
      }),
      { numRuns: 40 },
    );
  });
});

interface Planted {
  readonly name: string;
  readonly kind: "file" | "folder" | "link";
  readonly mode: number;
  readonly text: string;
}

const ENTRY: fc.Arbitrary<Planted> = fc.record({
  name: fc.string({ minLength: 1, maxLength: 12, unit: "binary" }).filter((text) => !/[/\0]|^\.\.?$/.test(text)),
  kind: fc.constantFrom("file", "folder", "link"),
  mode: fc.integer({ min: 0, max: 0o7777 }),
  text: fc.string(),
});

/** Answers the folder that the next entry goes into. */
function plant(inside: string, { name, kind, mode, text }: Planted): string {
  const path = join(inside, name);
  if (existsSync(path)) return inside;
  switch (kind) {
    case "link":
      symlinkSync(`../${text.replaceAll("\0", "")}`, path);
      return inside;
    case "file":
      writeFileSync(path, text);
      chmodSync(path, mode);
      return inside;
    case "folder":
      mkdirSync(path);
      return path;
  }
}

/** Path, kind, mode and, but for folders, size and content. */
function listing(path: string): readonly string[] {
  const lines = execFileSync("find", [".", "-printf", "%P\\t%y\\t%m\\t%l\\0"], { cwd: path, encoding: "latin1" })
    .split("\0")
    .sort();
  const sums = execFileSync("sh", ["-c", "find . -type f -print0 | sort -z | xargs -0r sha256sum -z"], {
    cwd: path,
    encoding: "latin1",
  });
  return [...lines, sums];
}
