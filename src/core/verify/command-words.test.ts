import { execFileSync } from "node:child_process";
import fc from "fast-check";
import { expect, test } from "vitest";
import { splitCommand } from "./command-words.ts";

test.each([
  ["npm test", ["npm", "test"]],
  ["  npm   test  ", ["npm", "test"]],
  ["a 'b c' \"d e\"", ["a", "b c", "d e"]],
  ["a b'c'\"d\"e", ["a", "bcde"]],
  ["a '' \"\"", ["a", "", ""]],
  ["a '$x `y` \\ | * \"'", ["a", '$x `y` \\ | * "']],
  ['a "\\$x \\` \\" \\\\ \\n"', ["a", '$x ` " \\ \\n']],
  ["a b\\ c \\| \\$x \\'", ["a", "b c", "|", "$x", "'"]],
  ["a --x=~/y a#b a~b a!b a=b", ["a", "--x=~/y", "a#b", "a~b", "a!b", "a=b"]],
  ["a '~' \\# \"*\" '{}'", ["a", "~", "#", "*", "{}"]],
  ["ünï ☃😀", ["ünï", "☃😀"]],
  ["\\😀 x", ["😀", "x"]],
])("W1: %s", (line, words) => {
  expect(splitCommand(line)).toEqual({ kind: "words", words });
});

test.each([
  ["", "is empty"],
  ["   ", "is empty"],
  ["a | b", "pipe"],
  ["a || b", "pipe or an operator"],
  ["a && b", "operator"],
  ["a; b", "operator"],
  ["a &", "operator"],
  ["a > b", "redirection"],
  ["a 2>&1", "redirection"],
  ["a < b", "redirection"],
  ["(a)", "group"],
  ["a $(b)", "expansion"],
  ["a $b", "expansion"],
  ["a `b`", "expansion"],
  ['a "$b"', "between double quotes"],
  ['a "x`b`"', "between double quotes"],
  ["a *.ts", "pattern"],
  ["a b?", "pattern"],
  ["a [b]", "pattern"],
  ["a {b,c}", "braces"],
  ["a ~/b", "`~`"],
  ["a # b", "comment"],
  ["#a", "comment"],
  ["A=b c", "sets a variable"],
  ["A+=b c", "sets a variable"],
  ["cd x", "word of the shell"],
  ["! a", "word of the shell"],
  ["a 'b", "single quote that is not closed"],
  ['a "b', "double quote that is not closed"],
  ['a "$b', "double quote that is not closed"],
  ["a \\", "backslash"],
  [`a "${"\\x".repeat(20_000)}"`, "longer"],
])("W2: %s is refused", (line, saying) => {
  expect(splitCommand(line)).toEqual({ kind: "flawed", saying: expect.stringContaining(saying) });
});

test("W1, W2: a line that is taken gives what a POSIX shell makes of it", () => {
  const line = fc.stringMatching(/^[ab '"\\$`*?~#{}=!;|-]{1,12}$/).map((text) => `printf ${text}`);
  const taken = fc
    .sample(line, { numRuns: 4000, seed: 7 })
    .filter((text) => splitCommand(text).kind === "words")
    .slice(0, 400);
  expect(taken.length).toBeGreaterThan(100);
  const words = taken.map((text) => {
    const split = splitCommand(text);
    return split.kind === "words" ? split.words.slice(1) : [];
  });
  const script = taken.map((text) => `show ${text.slice("printf ".length)}\necho`).join("\n");
  const shown = execFileSync("sh", ["-c", `show() { for each do printf '[%s]' "$each"; done; }\n${script}`], {
    encoding: "utf8",
  });
  expect(shown.split("\n").slice(0, -1)).toEqual(words.map((each) => each.map((word) => `[${word}]`).join("")));
});
