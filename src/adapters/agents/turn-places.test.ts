import { execFileSync } from "node:child_process";
import {
  chmodSync,
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
import { delimiter, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { isFault } from "../../errors.ts";
import { turnPlaces } from "./turn-places.ts";

let folder = "";
const at = (path: string): string => join(folder, path);

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "loopx-places-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function program(path: string, mode: number): void {
  mkdirSync(join(folder, path, ".."), { recursive: true });
  writeFileSync(at(path), "#!/bin/sh\n");
  chmodSync(at(path), mode);
}

test("a program is looked for as the system does", () => {
  program("bin/tool", 0o755);
  program("bin/plain", 0o644);
  program("work/own", 0o755);
  mkdirSync(at("bin/folder"));
  const where = { workspace: at("work"), env: { PATH: [at("nowhere"), at("bin")].join(delimiter) } };
  expect(turnPlaces.findProgram("tool", where)).toBe("found");
  expect(turnPlaces.findProgram("./own", where)).toBe("found");
  expect(turnPlaces.findProgram(at("bin/tool"), where)).toBe("found");
  expect(turnPlaces.findProgram("plain", where)).toBe("not_executable");
  expect(turnPlaces.findProgram("folder", where)).toBe("not_executable");
  expect(turnPlaces.findProgram("own", where)).toBe("missing");
  expect(turnPlaces.findProgram("own", { workspace: at("work"), env: {} })).toBe("found");
  expect(turnPlaces.findProgram("./none", where)).toBe("missing");
});

test("P1: a result is text, or nothing, or why it cannot be read", () => {
  expect(turnPlaces.readResult(at("none.json"))).toBeNull();
  writeFileSync(at("r.json"), '{"ü":1}');
  expect(turnPlaces.readResult(at("r.json"))).toEqual({ kind: "text", text: '{"ü":1}' });
  writeFileSync(at("bytes"), Buffer.from([0xff, 0xfe]));
  execFileSync("mkfifo", [at("pipe")]);
  for (const name of ["bytes", "pipe", "bytes/x", "."]) {
    expect(turnPlaces.readResult(at(name))).toMatchObject({ kind: "unreadable", problem: { code: "result_unreadable" } });
  }
});

test("P1: of a huge file no more is read than shows that it is too long", () => {
  writeFileSync(at("huge"), "x".repeat(1_000_000));
  const read = turnPlaces.readResult(at("huge"));
  expect(read?.kind === "text" ? read.text.length : 0).toBe(65_536);
});

test("P2: a result is written whole, for its owner alone, over what was there", () => {
  const path = at("turns/one/result.json");
  expect(turnPlaces.writeResult(path, "first")).toBeNull();
  expect(turnPlaces.writeResult(path, "second")).toBeNull();
  expect(readFileSync(path, "utf8")).toBe("second");
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(statSync(at("turns")).mode & 0o777).toBe(0o700);
  expect(readdirSync(at("turns/one"))).toEqual(["result.json"]);
  turnPlaces.discardResult(path);
  turnPlaces.discardResult(path);
  expect(turnPlaces.readResult(path)).toBeNull();
});

test("P2: a path that cannot be written is a problem, and nothing is left of the attempt", () => {
  writeFileSync(at("file"), "");
  mkdirSync(at("taken"));
  mkdirSync(at("taken/full"));
  for (const path of ["file/result.json", "taken"]) {
    expect(turnPlaces.writeResult(at(path), "x")).toMatchObject({ path: at(path), code: "result_unwritable" });
  }
  expect(readdirSync(folder).toSorted()).toEqual(["file", "taken"]);
});

test("a folder that cannot be written to is a fault", () => {
  writeFileSync(at("file"), "");
  turnPlaces.prepareResult(at("turns/result.json"));
  expect(statSync(at("turns")).isDirectory()).toBe(true);
  expect(faultOf(() => turnPlaces.prepareResult(at("file/turns/result.json")))).toBe("turn_folder_unwritable");
  symlinkSync(at("loop"), at("loop"));
  expect(faultOf(() => turnPlaces.discardResult(at("loop/result.json")))).toBe("turn_folder_unwritable");
  expect(faultOf(() => turnPlaces.discardResult(at("file/result.json")))).toBeNull();
});

function faultOf(work: () => void): string | null {
  try {
    work();
    return null;
  } catch (error) {
    return isFault(error) ? error.code : "no fault";
  }
}
