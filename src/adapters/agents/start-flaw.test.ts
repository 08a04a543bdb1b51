import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { isFault } from "../../errors.ts";
import { notStarted, workspaceFlaw } from "./start-flaw.ts";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "loopx-start-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function errorOf(code: string): Error {
  return Object.assign(new Error(`spawn ${code}`), { code });
}

test.each([
  ["ENOENT", "program_missing"],
  ["EACCES", "not_executable"],
  ["E2BIG", "too_long"],
])("%s is %s", (code, why) => {
  expect(notStarted(errorOf(code), folder)).toEqual({ kind: "not_started", why });
});

test("S1: where the folder is gone, that is the reason", () => {
  expect(notStarted(errorOf("ENOENT"), join(folder, "gone"))).toEqual({ kind: "not_started", why: "workspace_missing" });
  expect(notStarted(errorOf("E2BIG"), join(folder, "gone"))).toEqual({ kind: "not_started", why: "too_long" });
});

test.each([["EAGAIN"], ["EMFILE"], ["ENOMEM"]])("%s is a fault of the machine, and trying again may help", (code) => {
  let thrown: unknown = null;
  try {
    notStarted(errorOf(code), folder);
  } catch (error) {
    thrown = error;
  }
  expect(isFault(thrown) && thrown.retry && thrown.message.includes(code)).toBe(true);
});

test("a folder to work in", () => {
  writeFileSync(join(folder, "file"), "");
  expect(workspaceFlaw(folder)).toBeNull();
  expect(workspaceFlaw(join(folder, "file"))).toBe("not_folder");
  expect(workspaceFlaw(join(folder, "none"))).toBe("missing");
  expect(workspaceFlaw(`${folder}\0`)).toBe("missing");
});
