import { expect, test } from "vitest";
import { loopxCommand } from "../../core/command-line.ts";
import type { Options } from "./given.ts";
import { type Parsed, parse } from "./parse.ts";
import { COMMANDS } from "./table.ts";

function parsed(line: string | readonly string[]): Parsed {
  return parse(typeof line === "string" ? line.split(" ").filter((word) => word !== "") : line, COMMANDS);
}

function run(line: string | readonly string[]): { readonly command: string; readonly options: Options } {
  const result = parsed(line);
  if (result.kind !== "run") throw new Error(JSON.stringify(result));
  return { command: result.spec.path.join(" "), options: result.options };
}

function no(line: string | readonly string[]): { code: string; fix: string | undefined; near: readonly string[] | undefined } {
  const result = parsed(line);
  if (result.kind !== "bad_input") throw new Error(`${result.kind}`);
  return { code: result.code, fix: result.fix, near: result.near };
}

test.each([
  "--registry P --json status",
  "status --registry P --json",
  "--registry P status --json",
  "--json --registry=P status",
  "status --registry-path P --json",
  "--registry-path=P status --json=true",
  "status --json yes --registry P",
])("P3: %s", (line) => {
  const { command, options } = run(line);
  expect(command).toBe("status");
  expect(options.text("registry")).toBe("P");
  expect(options.flag("json")).toBe(true);
});

test.each([
  ["runtime archive", "archive"],
  ["archive", "archive"],
  ["archive-runtime", "archive-runtime"],
])("seed.S07: loopx %s with every option as typed", (typed, command) => {
  const line = `${typed} --registry-path ~/.loopx/registry.json --goal-id my-goal --archive-root ~/loopx-archives --allow-registered --execute false`;
  const found = run(line);
  expect(found.command).toBe(command);
  expect(found.options.text("registry")).toBe("~/.loopx/registry.json");
  expect(found.options.text("goal-id")).toBe("my-goal");
  expect(found.options.text("archive-root")).toBe("~/loopx-archives");
  expect(found.options.flag("allow-registered")).toBe(true);
  expect(found.options.flagOrNull("execute")).toBe(false);
});

test.each(["runtime --registry P archive --goal-id g", "--goal-id g runtime archive --registry P"])(
  "P3: options between and before the words of a command: %s",
  (line) => {
    const { command, options } = run(line);
    expect(command).toBe("archive");
    expect(options.text("registry")).toBe("P");
    expect(options.text("goal-id")).toBe("g");
  },
);

test.each([
  ["refresh-state --goal-id g", "refresh"],
  ["serve-status", "serve"],
  ["goals list", "goal list"],
  ["goal list", "goal list"],
])("%s is loopx %s", (line, command) => {
  expect(run(line).command).toBe(command);
});

test.each([
  ["", null],
  ["--execute", true],
  ["--execute=true", true],
  ["--execute=false", false],
  ["--execute false", false],
  ["--execute FALSE", false],
  ["--execute no", false],
  ["--execute 0", false],
  ["--execute yes", true],
  ["--execute 1", true],
  ["--execute --dry-run=false", true],
])("a flag written %s", (written, value) => {
  expect(run(`archive --goal-id g ${written}`).options.flagOrNull("execute")).toBe(value);
});

test("L2: a flag leaves a word that is no boolean alone", () => {
  expect(run("goal remove --dry-run importer").options.text("goal-id")).toBe("importer");
  expect(no("status --all maybe").code).toBe("unexpected_word");
  expect(no("status --all=maybe").code).toBe("option_value_invalid");
});

test.each([
  ["status --watch", 5],
  ["status --watch 2", 2],
  ["status --watch=0.5", 0.5],
  ["status --watch --json", 5],
])("L2: %s", (line, seconds) => {
  expect(run(line).options.number("watch")).toBe(seconds);
});

test.each(["--status-projection-cache-ttl-seconds", "--projection-cache-ttl-seconds"])("seed.S18: %s", (spelling) => {
  expect(run(`status ${spelling} 60`).options.number("status-projection-cache-ttl-seconds")).toBe(60);
});

test("lists are split at commas and add up; other options are refused when they differ (P2)", () => {
  expect(run("status --fields a,b --fields c").options.list("fields")).toEqual(["a", "b", "c"]);
  expect(run("--format json status --format json").options.text("format")).toBe("json");
  expect(no("status --goal-id a --goal-id b").code).toBe("option_repeated");
  expect(no("status --registry a --registry-path b").code).toBe("option_repeated");
  expect(no("goal show a --goal-id b").code).toBe("option_repeated");
});

test("L1: a beginning of a name is no name", () => {
  expect(no("status --goal x")).toEqual({ code: "unknown_option", near: ["--goal-id"], fix: "loopx status --goal-id x" });
  expect(no("status --reg=x").fix).toBe("loopx status --registry=x");
});

test.each([
  ["statsu", "unknown_command", "loopx status"],
  ["--json statsu", "unknown_command", "loopx --json status"],
  ["goal lst", "unknown_command", "loopx goal list"],
  ["help statsu", "unknown_command", "loopx help status"],
  ["xyzzy", "unknown_command", "loopx --help"],
  ["goal", "command_incomplete", "loopx goal --help"],
  ["runtime", "command_incomplete", "loopx runtime --help"],
  ["--regsitry P status", "unknown_option", "loopx --registry P status"],
  ["status --zzzzzz", "unknown_option", "loopx status --help"],
  ["status --execute", "unknown_option", "loopx status --help"],
  ["status -x", "unknown_option", "loopx status --help"],
  ["status g", "unexpected_word", "loopx status --goal-id g"],
  ["registry g", "unexpected_word", "loopx registry"],
  ["archive", "option_missing", "loopx archive --goal-id importer --allow-registered"],
  ["history --limit", "option_value_missing", "loopx history --goal-id importer --limit 10"],
  ["history --limit 0", "option_value_out_of_range", "loopx history --limit 1"],
  ["history --limit=99999", "option_value_out_of_range", "loopx history --limit=10000"],
  ["history --limit ten", "option_value_invalid", "loopx history --goal-id importer --limit 10"],
  ["history --limit 1.5", "option_value_invalid", "loopx history --goal-id importer --limit 10"],
  ["status --format jsn", "option_value_invalid", "loopx status --format json"],
  ["status --goal-id --json", "option_value_missing", "loopx status --goal-id importer --json"],
  ["status --fields a,,b", "option_value_empty", "loopx status --goal-id importer --json"],
])("P1: loopx %s is %s, and the next command is %s", (line, code, fix) => {
  expect(no(line)).toMatchObject({ code, fix });
});

test("an empty value is refused, never taken for absent", () => {
  expect(no(["status", "--goal-id", ""]).code).toBe("option_value_empty");
  expect(no(["status", "--registry=", "--json"]).code).toBe("option_value_empty");
  expect(no(["--runtime-root", " ", "status"]).code).toBe("option_value_empty");
});

test("L3: a value that starts with dashes is joined; after -- everything is a word", () => {
  expect(run(["refresh", "--goal-id", "g", "--next-action=--fix it"]).options.text("next-action")).toBe("--fix it");
  expect(run(["refresh", "--goal-id", "g", "--next-action", "- first"]).options.text("next-action")).toBe("- first");
  expect(run("goal show -- --odd").options.text("goal-id")).toBe("--odd");
  expect(run(["status", "--goal-id=a=b"]).options.text("goal-id")).toBe("a=b");
});

test("all problems are told at once, the first one first", () => {
  const result = parsed("status --limit x --format y");
  expect(result).toMatchObject({ code: "option_value_invalid", problems: [{ path: "--limit" }, { path: "--format" }] });
});

test("the fix is quoted for a shell", () => {
  expect(no(["refresh", "--gaol-id", "it's"]).fix).toBe(loopxCommand("refresh", "--goal-id", "it's"));
});

test.each([
  ["--version", { kind: "version" }],
  ["-V", { kind: "version" }],
  ["-v", { kind: "version" }],
  ["status --version", { kind: "version" }],
  ["--help", { kind: "help", topic: [] }],
  ["help", { kind: "help", topic: [] }],
  ["help help", { kind: "help", topic: [] }],
  ["help options", { kind: "help", topic: ["options"] }],
  ["help archive", { kind: "help", topic: ["archive"] }],
  ["help runtime archive", { kind: "help", topic: ["archive"] }],
  ["refresh-state -h", { kind: "help", topic: ["refresh"] }],
  ["goal --help", { kind: "help", topic: ["goal"] }],
  ["goal add --help", { kind: "help", topic: ["goal", "add"] }],
  ["archive --help --goal-id", { kind: "help", topic: ["archive"] }],
])("loopx %s", (line, expected) => {
  expect(parsed(line)).toEqual(expected);
});

test("words of hostile names are words", () => {
  expect(no("__proto__").code).toBe("unknown_command");
  expect(no("--__proto__ x status").code).toBe("unknown_option");
  expect(no("status --constructor=1").code).toBe("unknown_option");
});
