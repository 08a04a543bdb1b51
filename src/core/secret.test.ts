import { expect, test } from "vitest";
import { isSecretName, maskSecrets } from "./secret.ts";

test.each([
  ["token=abc123", "token=***"],
  ['{"api_key":"abc","goal_id":"g"}', '{"api_key":"***","goal_id":"g"}'],
  ["Authorization: Bearer abcdefghij", "Authorization: ***"],
  ["--password=hunter2 next", "--password=*** next"],
])("S1: the value beside a credential's name is masked in %s", (text, masked) => {
  expect(maskSecrets(text)).toBe(masked);
});

test.each([
  "sk-abcdefgh12345678",
  "ghp_abcdefghijklmnop1234",
  "AKIAABCDEFGHIJKL1234",
  "glpat-abcdefghijkl1",
  "xoxb-12345678-abc",
  "eyJhbGciOiJI.eyJzdWIiOiIx.c2ln",
])("S2: %s is masked inside a sentence", (secret) => {
  expect(maskSecrets(`use ${secret} here`)).toBe("use *** here");
});

test("S2: credentials in a header or an address are masked", () => {
  expect(maskSecrets("sent bearer abcdefgh12")).toBe("sent bearer ***");
  expect(maskSecrets("postgres://loop:pw@db/x")).toBe("postgres://***@db/x");
});

test("other text stays as it is", () => {
  const text = "Rotate the tokens of goal risk-review, then sk-8 and https://example.com/a:b@c";
  expect(maskSecrets(text)).toBe(text);
});

test("names that mean a credential", () => {
  expect(["api_key", "Access-Key", "GITHUB_TOKEN", "password"].every(isSecretName)).toBe(true);
  expect(["goal_id", "tokens_left", "key"].some(isSecretName)).toBe(false);
});
