import { expect, test } from "vitest";
import { isSecretName, maskSecrets } from "./secret.ts";

test.each([
  ["token=abc123", "token=***"],
  ['{"api_key":"abc","goal_id":"g"}', '{"api_key":"***","goal_id":"g"}'],
  ["Authorization: Bearer abcdefghij", "Authorization: ***"],
  ["--password=hunter2 next", "--password=*** next"],
  [String.raw`{"text":"{\"api_key\": \"abc\"}"}`, String.raw`{"text":"{\"api_key\": \"***\"}"}`],
  ["aws_secret_access_key = wJalrXUtnFEMI/K7MDENG", "aws_secret_access_key = ***"],
])("S1: the value beside a credential's name is masked in %s", (text, masked) => {
  expect(maskSecrets(text)).toBe(masked);
});

test.each([
  "sk-abcdefgh12345678",
  "ghp_abcdefghijklmnop1234",
  "AKIAABCDEFGHIJKL1234",
  "ASIAABCDEFGHIJKL1234",
  `AIza${"x".repeat(35)}`,
  `npm_${"x".repeat(36)}`,
  `hf_${"x".repeat(34)}`,
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

test("S2: a private key is masked to its end, or to the end of the text", () => {
  const key = "-----BEGIN RSA PRIVATE KEY-----\nMIIEow\n-----END RSA PRIVATE KEY-----";
  expect(maskSecrets(`a ${key} b`)).toBe("a *** b");
  expect(maskSecrets("-----BEGIN PRIVATE KEY-----\nMIIEow")).toBe("***");
});

test.each([
  ["eyJ-"],
  ["eyJaaaaaaaa."],
  ["token"],
  ["token = "],
  ["bearer "],
  ["a://a:"],
  ["-----BEGIN PRIVATE KEY-----"],
  [`token${"\\".repeat(50)}`],
  ["sk-"],
])("S3: a long line of %j takes no longer than its length", (part) => {
  const time = (text: string): number => {
    const begun = performance.now();
    maskSecrets(text);
    return performance.now() - begun;
  };
  // Quadratic time would be minutes.
  expect(time(part.repeat(Math.ceil(400_000 / part.length)))).toBeLessThan(1000);
});

test("other text stays as it is", () => {
  const text = "Rotate the tokens of goal risk-review, then sk-8 and https://example.com/a:b@c";
  expect(maskSecrets(text)).toBe(text);
});

test("names that mean a credential", () => {
  expect(["api_key", "Access-Key", "GITHUB_TOKEN", "password"].every(isSecretName)).toBe(true);
  expect(["goal_id", "tokens_left", "key"].some(isSecretName)).toBe(false);
});
