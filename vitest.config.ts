import { defineConfig } from "vitest/config";
import { plainCount } from "./scripts/reporter.ts";

const SUITES = [
  { name: "unit", include: ["src/**/*.test.ts"], testTimeout: 10_000 },
  { name: "contract", include: ["test/contract/**/*.test.ts"], testTimeout: 20_000 },
  { name: "replay", include: ["test/replay/**/*.test.ts"], testTimeout: 10_000 },
  { name: "pins", include: ["test/pins/**/*.test.ts"], testTimeout: 10_000 },
  { name: "e2e", include: ["test/e2e/**/*.test.ts"], testTimeout: 60_000, hookTimeout: 60_000 },
];

export default defineConfig({
  test: {
    allowOnly: false,
    reporters: ["default", plainCount()],
    projects: SUITES.map((suite) => ({ extends: true as const, test: suite })),
    coverage: {
      provider: "v8",
      include: ["src/**/*.ts"],
      exclude: ["src/**/*.test.ts"],
      thresholds: { "src/core/**": { branches: 100 } },
    },
  },
});
