import { describe, expect, test } from "vitest";
import { type CheckFlaw, parseAcceptance } from "./acceptance.ts";

const json = JSON.stringify;

function flawsOf(metadata: Readonly<Record<string, string>>): readonly CheckFlaw[] {
  const parsed = parseAcceptance(metadata);
  return parsed.kind === "flawed" ? parsed.flaws : [];
}

describe("A1", () => {
  test("a todo that declares nothing has no checks", () => {
    expect(parseAcceptance({ todo_id: "todo_a", note: "x" })).toEqual({ kind: "checks", checks: [] });
  });

  test("a command line is one check with the reference's default time", () => {
    expect(parseAcceptance({ validation_command: "npm test -- 'a b'" })).toEqual({
      kind: "checks",
      checks: [
        {
          label: "npm test -- a b",
          argv: ["npm", "test", "--", "a b"],
          timeout_seconds: 20,
          inputs: null,
          capability: "default",
        },
      ],
    });
  });

  test("arguments, label and time limit are taken as they are", () => {
    const metadata = {
      validation_command_argv: json(["sh", "-c", "a | b"]),
      validation_label: "Pipes",
      validation_timeout_seconds: "3600",
    };
    expect(parseAcceptance(metadata)).toMatchObject({
      checks: [{ label: "Pipes", argv: ["sh", "-c", "a | b"], timeout_seconds: 3600 }],
    });
  });

  test("several checks come after the one of the reference's keys", () => {
    const checks = [
      { argv: ["make", "lint"] },
      { argv: ["make"], label: "Build", timeout_seconds: 600, inputs: ["src/**", "Makefile"], capability: "c-build" },
    ];
    expect(parseAcceptance({ validation_command: "true", validation_checks: json(checks) })).toMatchObject({
      kind: "checks",
      checks: [
        { argv: ["true"] },
        { argv: ["make", "lint"], label: "make lint", timeout_seconds: 20, inputs: null, capability: "default" },
        { argv: ["make"], label: "Build", timeout_seconds: 600, inputs: ["src/**", "Makefile"], capability: "c_build" },
      ],
    });
    expect(parseAcceptance({ validation_checks: "[]" })).toEqual({ kind: "checks", checks: [] });
  });

  test("a long command gets a short label", () => {
    const parsed = parseAcceptance({ validation_command: `true ${"x".repeat(500)}` });
    expect(parsed.kind === "checks" && parsed.checks[0]?.label.length).toBe(120);
  });
});

describe("A2", () => {
  test.each([
    [{ validation_command: "a | b" }, "bad_check_command", "pipe"],
    [{ validation_command: "" }, "bad_check_command", "empty"],
    [{ validation_command: "a\nb" }, "bad_check_command", "control character"],
    [{ validation_command: "a\0" }, "bad_check_command", "control character"],
    [{ validation_command: "-rf x" }, "bad_check_command", "begins with a dash"],
    [{ validation_command: "a ''" }, "bad_check_command", "empty argument"],
    [{ validation_command: `a ${"b ".repeat(200)}` }, "bad_check_command", "more than 200"],
    [{ validation_command: `a ${"b".repeat(9000)}` }, "bad_check_command", "longer than 8192"],
    [{ validation_command: "a", validation_command_argv: '["a"]' }, "bad_check_command", "keep one"],
    [{ validation_command: "a", validation_timeout_seconds: "0" }, "bad_check_field", "1 to 3600"],
    [{ validation_command: "a", validation_timeout_seconds: "3601" }, "bad_check_field", "1 to 3600"],
    [{ validation_command: "a", validation_timeout_seconds: "1e2" }, "bad_check_field", "1 to 3600"],
    [{ validation_command: "a", validation_label: " " }, "bad_check_field", "empty"],
    [{ validation_command: "a", validation_label: "x\u202ey" }, "bad_check_field", "control character"],
    [{ validation_command: "a", validation_label: "x".repeat(121) }, "bad_check_field", "longer than 120"],
    [{ validation_label: "x" }, "check_without_command", "no validation_command"],
    [{ validation_timeout_seconds: "5" }, "check_without_command", "no validation_command"],
  ])("%j is a flaw", (metadata, code, message) => {
    const [flaw, ...more] = flawsOf({ ...metadata });
    expect(flaw).toMatchObject({ code, message: expect.stringContaining(message) });
    expect(Object.keys(metadata)).toContain(flaw?.key);
    expect(more).toEqual([]);
  });

  test.each([
    ["nonsense", "bad_check_json"],
    ["[]", "bad_check_command"],
    ['"npm test"', "bad_check_command"],
    ['["a",7]', "bad_check_command"],
    ['["a",""]', "bad_check_command"],
    ['["-a"]', "bad_check_command"],
    ['["a\\u0000"]', "bad_check_command"],
    ['["a\\ud800"]', "bad_check_command"],
  ])("arguments %s are a flaw", (validation_command_argv, code) => {
    expect(flawsOf({ validation_command_argv })).toMatchObject([{ key: "validation_command_argv", code }]);
  });

  test.each([
    ["nonsense", "validation_checks", "bad_check_json"],
    ["{}", "validation_checks", "bad_check_json"],
    ["[7]", "validation_checks[0]", "bad_check_json"],
    ["[[]]", "validation_checks[0]", "bad_check_json"],
    ["[null]", "validation_checks[0]", "bad_check_json"],
    ["[{}]", "validation_checks[0].argv", "bad_check_command"],
    ['[{"argv":["a"],"timeout":5}]', "validation_checks[0].timeout", "bad_check_field"],
    ['[{"argv":["a"],"label":7}]', "validation_checks[0].label", "bad_check_field"],
    ['[{"argv":["a"],"timeout_seconds":"5"}]', "validation_checks[0].timeout_seconds", "bad_check_field"],
    ['[{"argv":["a"],"timeout_seconds":1.5}]', "validation_checks[0].timeout_seconds", "bad_check_field"],
    ['[{"argv":["a"],"inputs":[]}]', "validation_checks[0].inputs", "bad_check_field"],
    ['[{"argv":["a"],"inputs":"src"}]', "validation_checks[0].inputs", "bad_check_field"],
    [json([{ argv: ["a"], inputs: Array(101).fill("a") }]), "validation_checks[0].inputs", "bad_check_field"],
    ['[{"argv":["a"],"inputs":["src","../x"]}]', "validation_checks[0].inputs[1]", "bad_check_field"],
    ['[{"argv":["a"],"capability":"../x"}]', "validation_checks[0].capability", "bad_check_field"],
    ['[{"argv":["a"],"capability":7}]', "validation_checks[0].capability", "bad_check_field"],
    [json(Array(21).fill({ argv: ["a"] })), "validation_checks", "too_many_checks"],
  ])("checks %s are a flaw", (validation_checks, key, code) => {
    expect(flawsOf({ validation_checks })).toMatchObject([{ key, code }]);
  });

  test("all flaws are told, and one of them is enough for no check", () => {
    const flaws = flawsOf({ validation_command: "a | b", validation_checks: '[{"argv":["a"]},{"argv":[]},{"argv":["-x"]}]' });
    expect(flaws.map(({ key }) => key)).toEqual(["validation_command", "validation_checks[1].argv", "validation_checks[2].argv"]);
  });
});
