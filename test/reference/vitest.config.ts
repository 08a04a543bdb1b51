import { resolve } from "node:path";
import { defineConfig } from "vitest/config";
import { plainCount } from "../../scripts/reporter.ts";

// Cases recorded from the reference implementation. They are not part of this repository.
export default defineConfig({
  test: {
    name: "reference",
    include: ["test/reference/**/*.test.ts"],
    globalSetup: ["test/reference/require-cases.ts"],
    env: { LOOPX_REFERENCE_CASES: resolve(import.meta.dirname, "../../../shared/fixtures") },
    allowOnly: false,
    testTimeout: 120_000,
    reporters: ["default", plainCount()],
  },
});
