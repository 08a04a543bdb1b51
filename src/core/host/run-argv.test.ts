import { expect, test } from "vitest";
import type { JsonValue } from "../registry/json-node.ts";
import { checkRunArgv, MAX_ARGUMENT_LENGTH, MAX_ARGUMENTS, MAX_RUN_LENGTH, parseRunArgv } from "./run-argv.ts";

test.each([
  ['["npm","test"]'],
  ['["node","-e","console.log(1); $(id)","a\\nb","; rm -rf /","ü 漢"]'],
  ['["./a folder/pro gram"]'],
])("A1: %s is taken as it stands", (text) => {
  expect(parseRunArgv(text)).toEqual({ kind: "done", value: JSON.parse(text) });
});

test.each<[JsonValue, string, string]>([
  ["npm test", "run_not_list", "run"],
  [{ 0: "npm" }, "run_not_list", "run"],
  [null, "run_not_list", "run"],
  [[], "run_empty", "run"],
  [["npm", 3], "argument_not_text", "run[1]"],
  [["npm", ["x"]], "argument_not_text", "run[1]"],
  [[""], "argument_empty", "run[0]"],
  [["npm", ""], "argument_empty", "run[1]"],
  [["-c", "id"], "program_is_option", "run[0]"],
  [["npm", "a\0b"], "text_holds_nul", "run[1]"],
  [["npm", "\ud800"], "text_not_unicode", "run[1]"],
  [["npm", "x".repeat(MAX_ARGUMENT_LENGTH + 1)], "argument_too_long", "run[1]"],
  [Array.from({ length: MAX_ARGUMENTS + 1 }, () => "x"), "run_too_long", "run"],
  [Array.from({ length: 5 }, () => "x".repeat(MAX_ARGUMENT_LENGTH)), "run_too_long", "run"],
])("A1 A2 A3: %j is refused as %s at %s", (value, code, path) => {
  const checked = checkRunArgv(value);
  expect(checked).toMatchObject({ kind: "bad_input", code: "run_invalid", problems: [{ code, path }] });
});

test("each argument that is wrong is named with its line and column", () => {
  expect(parseRunArgv('["-x",\n  ""]', "--host-command-json")).toMatchObject({
    problems: [
      { path: "--host-command-json[0]", line: 1, column: 2, code: "program_is_option" },
      { path: "--host-command-json[1]", line: 2, column: 3, code: "argument_empty" },
    ],
  });
});

test.each(["npm test", "['npm']", "", '["npm"', "[".repeat(500)])("A1: %j is no list in JSON, and the place is named", (text) => {
  const parsed = parseRunArgv(text);
  expect(parsed).toMatchObject({ kind: "bad_input", problems: [{ code: "run_not_json", line: 1, column: expect.any(Number) }] });
});

test("A1: a text in JSON is no list", () => {
  expect(parseRunArgv('"npm test"')).toMatchObject({ problems: [{ code: "run_not_list" }] });
});

test("a list that is too long is not read at all", () => {
  expect(parseRunArgv(" ".repeat(MAX_RUN_LENGTH + 1))).toMatchObject({ problems: [{ code: "run_too_long" }] });
});

test("A2: whole pairs are no halves", () => {
  expect(checkRunArgv(["echo", "🙂"]).kind).toBe("done");
});
