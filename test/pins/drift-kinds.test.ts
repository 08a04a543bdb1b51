import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { DRIFT_RULES } from "../../src/core/drift/rules.ts";

it("docs/drift.md has a row for every kind, in the order of the rules", () => {
  const text = readFileSync(new URL("../../docs/drift.md", import.meta.url), "utf8");
  const rows = [...text.matchAll(/^\| `([a-z_]+)` \| (?:high|action|watch|info) \|/gm)].map((row) => row[1]);
  expect(rows).toEqual(DRIFT_RULES.flatMap((rule) => rule.kinds));
});
