import { expect, test } from "vitest";
import { LineMasker } from "./mask.ts";

function masked(...lines: readonly string[]): readonly string[] {
  const masker = new LineMasker();
  return lines.map((line) => masker.mask(line)).filter((line) => line !== null);
}

const BEGIN = "-----BEGIN OPENSSH PRIVATE KEY-----";
const END = "-----END OPENSSH PRIVATE KEY-----";

test.each([
  ["export OPENAI_API_KEY=sk-abcdef123456", "export OPENAI_API_KEY=***"],
  ["Authorization: Bearer abc.def.ghi", "Authorization: ***"],
  ["pushed with ghp_abcdefghijklmnop1234 to main", "pushed with *** to main"],
  ["key AKIAABCDEFGHIJKL1234", "key ***"],
  ["password=hunter2", "password=***"],
  ["all 12 tests passed", "all 12 tests passed"],
])("%s", (line, kept) => {
  expect(masked(line)).toEqual([kept]);
});

test("M1: a private key over several lines is one mask, and what follows is shown", () => {
  expect(masked("a", `key: ${BEGIN}`, "Proc-Type: 4,ENCRYPTED", "", "b3BlbnNzaC1rZXk=", "abc+/9==", END, "z")).toEqual([
    "a",
    "key: ***",
    "z",
  ]);
  expect(masked(BEGIN, "b3Bl", `${END} and more`)).toEqual(["***", " and more"]);
});

test("M1: a key that is whole in one line leaves the next one alone", () => {
  expect(masked(`${BEGIN}\\nb3Bl\\n${END}`, "b3Bl")).toEqual(["***", "b3Bl"]);
});

test("M1: a key in quoted and prefixed lines", () => {
  expect(masked(`+"${BEGIN}\\n" +`, '+"b3Bl\\n" +', `+"${END}\\n"`, "z")).toEqual(['+"***', '\\n"', "z"]);
});

test("M2: without an end, the first line that is no part of a key is shown", () => {
  expect(masked(BEGIN, "b3Bl", "Error: not a key!", "b3Bl")).toEqual(["***", "Error: not a key!", "b3Bl"]);
});

test("a hostile line inside of a key takes no longer than its length", () => {
  const begun = performance.now();
  expect(masked(BEGIN, `${"+".repeat(300_000)}!`)).toHaveLength(2);
  expect(performance.now() - begun).toBeLessThan(1000);
});
