import { defineConfig } from "vitest/config";
import { plainCount } from "../../scripts/reporter.ts";

// Real processes that are killed and starved: one at a time, or they would disturb each other's clocks.
export default defineConfig({
  test: {
    name: "faults",
    include: ["test/faults/**/*.test.ts"],
    allowOnly: false,
    fileParallelism: false,
    maxWorkers: 1,
    testTimeout: 600_000,
    hookTimeout: 120_000,
    reporters: ["default", plainCount()],
  },
});
