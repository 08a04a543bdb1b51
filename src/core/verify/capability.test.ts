import fc from "fast-check";
import { expect, test } from "vitest";
import { capabilityFolder, capabilityIn, DEFAULT_CAPABILITY, parseCapability } from "./capability.ts";

test("C1: a folder gives back its capability, and two never share one", () => {
  const capability = fc.stringMatching(/^[a-z][a-z0-9_:]{0,63}$/);
  fc.assert(
    fc.property(capability, capability, (a, b) => {
      expect(capabilityIn(capabilityFolder(a))).toBe(a);
      expect(capabilityFolder(a) === capabilityFolder(b)).toBe(a === b);
    }),
  );
});

test.each(["", "..", "A", "a/b", "a.b", "1a", "a=b", "x".repeat(65)])("%j is no capability", (text) => {
  expect(parseCapability(text)).toBeNull();
});

test("a dash is a low line", () => {
  expect(parseCapability("gpu-a:b")).toBe("gpu_a:b");
  expect(parseCapability(DEFAULT_CAPABILITY)).toBe(DEFAULT_CAPABILITY);
});

test.each(["", "..", "a:b", "a-b", "A"])("the folder %j is no capability's", (folder) => {
  expect(capabilityIn(folder)).toBeNull();
});
