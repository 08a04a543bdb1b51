import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { defineConfig } from "vitest/config";
import { plainCount } from "../../scripts/reporter.ts";

// Cases recorded from the reference implementation. They are not part of this repository.
const CASES = resolve(import.meta.dirname, "../../../shared/fixtures");
if (!existsSync(CASES)) throw new Error(`No recorded cases in ${CASES}: put them there, or leave out this suite.`);

export default defineConfig({
  test: {
    name: "reference",
    include: ["test/reference/**/*.test.ts"],
    allowOnly: false,
    testTimeout: 120_000,
    env: { LOOPX_REFERENCE_CASES: CASES },
    reporters: ["default", plainCount()],
  },
});
