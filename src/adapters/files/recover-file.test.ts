import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { ReplaceOutcome } from "../../ports/files.ts";
import { sha256 } from "./digest.ts";
import { type FileSteps, fileSteps } from "./file-steps.ts";
import { leftoverName, nameDigest } from "./leftover-names.ts";
import { findLeftovers, needsRecovery, recoverFile } from "./recover-file.ts";
import { replaceFile } from "./replace-file.ts";

let folder = "";
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "loopx-recover-")));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const at = (name: string): string => join(folder, name);
const textOf = (name: string): string => readFileSync(at(name), "utf8");
const fail = (code: string) => () => {
  throw Object.assign(new Error(code), { code });
};

/** The names in the folder that are no leftovers, and the kinds of those that are. */
function inFolder(): readonly string[] {
  const leftovers = new Map(findLeftovers(folder).map(({ path, kind }) => [basename(path), kind]));
  return readdirSync(folder)
    .map((name) => leftovers.get(name) ?? name)
    .toSorted();
}

class Killed extends Error {}

/** Does the steps before that number, of those that change something, and nothing ever after. */
function killedAt(number: number): FileSteps {
  let taken = 0;
  const alive = <A extends unknown[], R>(step: (...args: A) => R) => {
    return (...args: A): R => {
      if (taken >= number) throw new Killed();
      taken += 1;
      return step(...args);
    };
  };
  return {
    ...fileSteps,
    create: alive(fileSteps.create),
    overwrite: alive(fileSteps.overwrite),
    link: alive(fileSteps.link),
    rename: alive(fileSteps.rename),
    remove: alive(fileSteps.remove),
    syncFolderOf: alive(fileSteps.syncFolderOf),
  };
}

function replaceOrDie(steps: FileSteps): ReplaceOutcome["kind"] | "killed" {
  try {
    return replaceFile({ path: at("f"), expected: { kind: "text", text: "old" }, next: "new" }, steps).kind;
  } catch (error) {
    expect(error).toBeInstanceOf(Killed);
    return "killed";
  }
}

/** Recovery a long time later, when temporary files count as old. */
function recoverAll(): readonly string[] {
  for (const { path, kind } of findLeftovers(folder)) if (kind === "temporary") rmSync(path);
  const isNeeded = needsRecovery(at("f"));
  const found = recoverFile(at("f")).map(({ kind }) => kind);
  expect(isNeeded).toBe(found.length > 0);
  return found;
}

const KILLS = Array.from({ length: 12 }, (_, number) => number);

describe("a kill between any two steps", () => {
  it.each([
    ["renamed", {}],
    ["in place", { link: fail("EPERM") }],
    ["in place, after a rename was refused", { rename: fail("EBUSY") }],
  ])("Z1: %s: the file is whole, and recovery leaves nothing but it", (_, world) => {
    const outcomes = KILLS.map((number) => {
      writeFileSync(at("f"), "old");
      const outcome = replaceOrDie({ ...killedAt(number), ...world });
      expect(["old", "new"]).toContain(textOf("f"));
      recoverAll();
      expect(outcome === "replaced" ? ["new"] : ["old", "new"]).toContain(textOf("f"));
      expect(inFolder()).toEqual(["f"]);
      return outcome;
    });
    expect(outcomes.slice(0, 4)).toEqual(["killed", "killed", "killed", "killed"]);
    expect(outcomes.at(-1)).toBe("replaced");
  });

  it("Z1: a save that was overtaken stands in the file again, wherever the kill was", () => {
    const recoveries = KILLS.map((number) => {
      writeFileSync(at("f"), "old");
      const steps = killedAt(number);
      let saved = "old";
      const rename: FileSteps["rename"] = (from, to) => {
        if (from.endsWith(".tmp")) {
          saved = "saved";
          writeFileSync(at("f"), saved);
        }
        steps.rename(from, to);
      };
      replaceOrDie({ ...steps, rename });
      const found = recoverAll();
      expect([textOf("f"), inFolder()]).toEqual([saved, ["f"]]);
      return found;
    });
    expect(recoveries.flat()).toContain("restored");
  });

  it("Z1: an overtaken save is kept for a person when the file has moved on", () => {
    const digests = [nameDigest("f"), sha256("old").slice(0, 16), sha256("new").slice(0, 16)];
    writeFileSync(at(leftoverName("old", digests)), "saved");
    writeFileSync(at("f"), "later");
    const [recovery] = recoverFile(at("f"));
    expect([recovery?.kind, textOf("f"), inFolder()]).toEqual(["kept", "later", ["f", "kept"]]);
    expect(readFileSync(recovery?.kind === "kept" ? recovery.kept : "", "utf8")).toBe("saved");
    expect(recoverFile(at("f"))).toEqual([]);
  });

  it.each([
    ["nld old text", "finished", "new text, longer"],
    ["new text, lon", "finished", "new text, longer"],
    ["old old text", "cleared", "old old text"],
    ["new text, longer", "cleared", "new text, longer"],
    ["a person's own", "kept", "a person's own"],
  ])("Y2: a file that says %j after a killed write in place is %s", (now, kind, wanted) => {
    writeFileSync(at("f"), "old old text");
    const overwrite = () => {
      throw new Killed();
    };
    const remove: FileSteps["remove"] = (path) => (path.endsWith(".journal") ? undefined : fileSteps.remove(path));
    const request = { path: at("f"), expected: { kind: "text", text: "old old text" }, next: "new text, longer" } as const;
    expect(() => replaceFile(request, { ...fileSteps, remove, overwrite, link: fail("EPERM") })).toThrow(Killed);
    writeFileSync(at("f"), now);
    expect(recoverFile(at("f")).map((recovery) => recovery.kind)).toEqual([kind]);
    expect(textOf("f")).toBe(wanted);
    expect(inFolder()).toEqual(kind === "kept" ? ["f", "kept"] : ["f"]);
  });

  it("Y1: takes a journal that was cut short for a write that had not begun", () => {
    writeFileSync(at("f"), "old");
    for (const text of ["", "3 ab", `3 ${sha256("oldnew")}\noldne`])
      writeFileSync(at(leftoverName("journal", [nameDigest("f")])), text);
    expect(recoverFile(at("f")).map(({ kind }) => kind)).toEqual(["cleared", "cleared", "cleared"]);
    expect([textOf("f"), inFolder()]).toEqual(["old", ["f"]]);
  });
});

describe("leftovers", () => {
  it("O1: leaves what belongs to other files, and files that only look alike", () => {
    writeFileSync(at("f"), "old");
    const names = [
      leftoverName("old", [nameDigest("g"), "0".repeat(16), "0".repeat(16)]),
      ".loopx-x.tmp",
      ".loopx-1-abc.old",
      "loopx.tmp",
    ];
    for (const name of names) writeFileSync(at(name), "x");
    expect(recoverFile(at("f"))).toEqual([]);
    expect(findLeftovers(folder)).toEqual([{ path: at(names[0] ?? ""), kind: "backup", pid: process.pid }]);
    expect(findLeftovers(at("nowhere"))).toEqual([]);
  });

  it("Z2: removes a temporary file only when it is old and its process is gone", () => {
    writeFileSync(at("f"), "old");
    const gone = `.loopx-${spawnSync("true").pid}-0123456789ab.tmp`;
    const mine = leftoverName("tmp");
    for (const name of [gone, mine]) writeFileSync(at(name), "");
    expect(recoverFile(at("f"))).toEqual([]);
    for (const name of [gone, mine]) utimesSync(at(name), 1, 1);
    expect(recoverFile(at("f"))).toEqual([{ kind: "cleared", leftover: at(gone) }]);
    expect(readdirSync(folder).toSorted()).toEqual([mine, "f"].toSorted());
  });
});
