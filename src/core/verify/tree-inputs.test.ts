import { expect, test } from "vitest";
import { treeInputs } from "./tree-inputs.ts";

test("N1: without inputs it is all of the folder", () => {
  expect(treeInputs([])).toBeNull();
  expect(treeInputs([{ inputs: ["src"] }, { inputs: null }])).toBeNull();
});

test("the inputs of all checks together, once each and in one order", () => {
  const checks = [{ inputs: ["src", "b"] }, { inputs: ["a", "src"] }];
  expect(treeInputs(checks)).toEqual(["a", "b", "src"]);
  expect(treeInputs(checks.toReversed())).toEqual(["a", "b", "src"]);
});
