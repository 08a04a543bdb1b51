import { chmodSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { PreparedText, ReplaceOutcome } from "../../ports/files.ts";
import { fileSteps } from "./file-steps.ts";
import { discardText, prepareText } from "./prepare-text.ts";
import { needsRecovery } from "./recover-file.ts";
import { replaceFile } from "./replace-file.ts";

let folder = "";
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "loopx-prepare-")));
  writeFileSync(at("f"), "old");
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const at = (name: string): string => join(folder, name);

function prepared(): PreparedText {
  const text = prepareText({ path: at("f"), next: "new" });
  if (text === null) throw new Error("nothing was prepared");
  return text;
}

function replaceWith(text: PreparedText, steps = fileSteps): ReplaceOutcome {
  return replaceFile({ path: at("f"), expected: { kind: "text", text: "old" }, next: "new", prepared: text }, steps);
}

test("X2 what was prepared gets the name: nothing is written or synced any more", () => {
  const text = prepared();
  const { ino } = statSync(text.temporary);
  const written: string[] = [];
  const create = (path: string): void => {
    written.push(path);
  };
  expect(replaceWith(text, { ...fileSteps, create })).toMatchObject({ kind: "replaced" });
  expect([statSync(at("f")).ino, readFileSync(at("f"), "utf8"), written]).toEqual([ino, "new", []]);
  discardText(text);
  expect(readdirSync(folder)).toEqual(["f"]);
});

test("R2 a mode that was changed meanwhile stays", () => {
  const text = prepared();
  chmodSync(at("f"), 0o640);
  expect(replaceWith(text)).toMatchObject({ kind: "replaced" });
  expect(statSync(at("f")).mode & 0o777).toBe(0o640);
  discardText(text);
  expect(readdirSync(folder)).toEqual(["f"]);
});

test("X1 what was prepared from another text than the file has is not used", () => {
  const text = prepared();
  writeFileSync(at("f"), "saved");
  expect(replaceWith(text)).toEqual({ kind: "changed", text: "saved" });
  expect(readFileSync(at("f"), "utf8")).toBe("saved");
  discardText(text);
  expect(readdirSync(folder)).toEqual(["f"]);
});

test("what was prepared and is gone is written once more", () => {
  const text = prepared();
  rmSync(text.temporary);
  expect(replaceWith(text)).toMatchObject({ kind: "replaced" });
  expect([readFileSync(at("f"), "utf8"), readdirSync(folder)]).toEqual(["new", ["f"]]);
});

test("where nothing can be written beside a file, nothing is prepared", () => {
  expect(prepareText({ path: at("missing"), next: "new" })).toBeNull();
  expect(prepareText({ path: at("f"), next: "new", within: at("elsewhere") })).toBeNull();
  const create = (): never => {
    throw Object.assign(new Error("ENOSPC"), { code: "ENOSPC" });
  };
  expect(prepareText({ path: at("f"), next: "new" }, { ...fileSteps, create })).toBeNull();
  expect(readdirSync(folder)).toEqual(["f"]);
});

test("Z2 a text that waits is no work for recovery", () => {
  prepared();
  expect(needsRecovery(at("f"))).toBe(false);
});
