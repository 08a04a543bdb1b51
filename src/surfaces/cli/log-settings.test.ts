import { expect, test } from "vitest";
import { logChoice } from "./log-settings.ts";

test.each([
  [undefined, "warn", null],
  ["", "warn", null],
  ["debug", "debug", null],
  ["off", null, null],
  ["/tmp/x.log", "debug", "/tmp/x.log"],
  ["info:/tmp/x.log", "info", "/tmp/x.log"],
  ["error:", "error", null],
  ["odd:name", "debug", "odd:name"],
])("LOOPX_LOG=%s", (variable, level, file) => {
  expect(logChoice(variable)).toEqual({ level, file });
});
