import fc from "fast-check";
import { expect, test } from "vitest";
import { followInput, parseInput } from "./input-pattern.ts";

function follow(input: string, path: string): string {
  const parsed = parseInput(input);
  if (parsed.kind === "flawed") throw new Error(parsed.saying);
  return followInput(parsed.pattern, path);
}

test.each([
  ["src", "src", "matched"],
  ["src", "src/deep/a.ts", "matched"],
  ["src/", "src/a.ts", "matched"],
  ["./src//deep", "src/deep/a.ts", "matched"],
  ["src", "srcs/a.ts", "dead"],
  ["src/a.ts", "src", "open"],
  ["src/a.ts", "src/b.ts", "dead"],
  [".", "anything/at/all", "matched"],
  ["*.ts", "a.ts", "matched"],
  ["*.ts", "src/a.ts", "dead"],
  ["*.ts", "src", "dead"],
  ["src/*.ts", "src/deep/a.ts", "dead"],
  ["src/*/a.ts", "src/deep/a.ts", "matched"],
  ["**/*.ts", "a.ts", "matched"],
  ["**/*.ts", "src/deep/a.ts", "matched"],
  ["**/*.ts", "src/deep", "open"],
  ["**/*.ts", "src/deep/a.js", "open"],
  ["src/**", "src/x", "matched"],
  ["src/**/test/*.ts", "src/test/a.ts", "matched"],
  ["src/**/test/*.ts", "src/a/b/test/a.ts", "matched"],
  ["src/**/test/*.ts", "lib/a/b/test/a.ts", "dead"],
  ["a?c", "abc", "matched"],
  ["a?c", "ac", "dead"],
  ["a*b*c", "aXXbYYbZc", "matched"],
  ["a*b*c", "aXXbYYbZ", "dead"],
  ["a**", "abc", "matched"],
  ["[id].tsx", "[id].tsx", "matched"],
  ["[id].tsx", "i.tsx", "dead"],
  ["-rf", "-rf", "matched"],
  ["ünï ☃", "ünï ☃", "matched"],
])("I2, I3: %s on %s is %s", (input, path, expected) => {
  expect(follow(input, path)).toBe(expected);
});

test.each([
  ["", "is empty"],
  ["  ", "is empty"],
  ["/etc", "is absolute"],
  ["../secret", "leads outside"],
  ["src/../../x", "leads outside"],
  ["a\0b", "control character"],
  ["a\nb", "control character"],
  ["x".repeat(1025), "longer"],
])("I1: %j is refused", (input, saying) => {
  expect(parseInput(input)).toEqual({ kind: "flawed", saying: expect.stringContaining(saying) });
});

test("a name that only begins with two dots is a name", () => {
  expect(follow("..a/b", "..a/b")).toBe("matched");
});

test("I2: a part agrees with the regular expression that it stands for", () => {
  const part = fc.stringMatching(/^[ab*?]{1,8}$/).filter((text) => text !== "**");
  fc.assert(
    fc.property(part, fc.stringMatching(/^[ab]{1,8}$/), (pattern, name) => {
      const expected = new RegExp(`^${pattern.replaceAll("*", ".*").replaceAll("?", ".")}$`).test(name);
      expect(follow(pattern, name) === "matched").toBe(expected);
    }),
    { numRuns: 500 },
  );
});

test("I4: a hostile pattern costs little", () => {
  const begun = performance.now();
  expect(follow("a*".repeat(400), `${"a".repeat(900)}b/`.repeat(2))).toBe("matched");
  expect(follow(`${"**/a*b/".repeat(100)}x`, "aab/".repeat(500))).toBe("open");
  expect(performance.now() - begun).toBeLessThan(2000);
});
