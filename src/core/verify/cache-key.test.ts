import { expect, test } from "vitest";
import { type VerdictFacts, verdictKey } from "./cache-key.ts";

const FACTS: VerdictFacts = {
  capability: "a",
  argv: ["make", "test"],
  inputs_hash: "t1",
  environment: "e1",
  tools: { make: "4", sh: "5" },
};
const key = (facts: Partial<VerdictFacts>): string => verdictKey({ ...FACTS, ...facts }, (text) => text);

test("K1: the order of the tools does not count", () => {
  expect(key({ tools: { sh: "5", make: "4" } })).toBe(key({}));
});

test.each<[string, Partial<VerdictFacts>]>([
  ["an argument", { argv: ["make", "tesu"] }],
  ["where an argument ends", { argv: ["make test"] }],
  ["an argument more", { argv: ["make", "test", ""] }],
  ["the inputs", { inputs_hash: "t2" }],
  ["the environment", { environment: "e2" }],
  ["a tool", { tools: { make: "5", sh: "5" } }],
  ["the name of a tool", { tools: { make: "4", bash: "5" } }],
  ["a tool less", { tools: { make: "4" } }],
])("K1: %s changes it", (_, facts) => {
  expect(key(facts)).not.toBe(key({}));
});

test("K2: the capability changes it, however its parts are divided", () => {
  expect(key({ capability: "b" })).not.toBe(key({}));
  expect(key({ capability: 'a",["make","test"]' })).not.toBe(key({}));
});
