/**
 * The last line of every test run: `N passed, N failed`, alone on its line.
 *
 * A file that could not be loaded and an error outside of a test count as failures. Where `CI` is set, so does every test
 * that did not run.
 */
import type { Reporter, TestModule } from "vitest/node";

export function plainCount(): Reporter {
  return {
    onTestRunEnd(modules, errors, reason) {
      const states = modules.flatMap(statesOf);
      const count = (state: string): number => states.filter((each) => each === state).length;
      const notRun = count("skipped") + count("pending");
      const strict = Boolean(process.env["CI"]) && notRun > 0;
      if (strict) {
        process.exitCode = 1;
        console.error(`${notRun} tests did not run; in CI each of them is a failure.`);
      }
      const failed = count("failed") + count("broken") + errors.length + (strict ? notRun : 0);
      // Nothing ran at all, for example because a global set-up failed: that is no success either.
      const unexplained = failed === 0 && reason === "failed" ? 1 : 0;
      console.log(`${count("passed")} passed, ${failed + unexplained} failed`);
    },
  };
}

function statesOf(module: TestModule): string[] {
  const tests = [...module.children.allTests()].map((test): string => test.result().state);
  return module.errors().length > 0 ? [...tests, "broken"] : tests;
}
