import { expect, test } from "vitest";
import { limitsOf } from "./run.ts";

test("the limits of a turn are those that were given; without them the host's own hold", () => {
  expect(limitsOf({ turnTimeoutSeconds: null, turnIdleTimeoutSeconds: null, graceSeconds: null })).toEqual({});
  expect(limitsOf({ turnTimeoutSeconds: 9, turnIdleTimeoutSeconds: 0.5, graceSeconds: 0 })).toEqual({
    hard_ms: 9000,
    idle_ms: 500,
    grace_ms: 0,
  });
});
