/**
 * What holds for every host: real processes of scripted programs, run as turns.
 *
 * A host brings its row, the lines in which it words its events, and how a turn makes it run one script; nothing here waits for
 * a time to pass, only for what happens.
 */
import { outcomeSuite } from "./agent-host-outcomes.ts";
import { processSuite } from "./agent-host-processes.ts";
import type { HostUnderTest } from "./agent-host-runner.ts";

export function agentHostSuite(name: string, under: HostUnderTest): void {
  outcomeSuite(name, under);
  processSuite(name, under);
}
