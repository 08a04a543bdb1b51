/**
 * The host `command`: the program that the todo or goal names itself, `run`.
 *
 * Does not own: what a command may be (`core/host/run-argv.ts`), the lines that it may print (`core/host/command-events.ts`).
 *
 * C1  That it ended well is its result when it says nothing: a program need not know LoopX. Whether it is true is the validator's to say.
 */
import { commandEvents } from "../../core/host/command-events.ts";
import { parseRunArgv } from "../../core/host/run-argv.ts";
import { reject } from "../../core/result.ts";
import type { AgentHost } from "../../ports/agent-host.ts";

const MINUTE = 60_000;

export const commandHost: AgentHost = {
  name: "command",
  argv: ({ run, todo_id, goal_id }) =>
    run === null
      ? reject("run_missing", `${todo_id ?? goal_id} names no command to run.`, {
          problems: [{ path: "run", code: "run_missing", message: 'must be there, for example run: ["npm","test"]' }],
        })
      : parseRunArgv(run),
  inherits: [],
  env: () => ({}),
  stdin: () => null,
  events: commandEvents,
  silence: "completion", // (C1)
  limits: { idle_ms: null, hard_ms: 30 * MINUTE, grace_ms: 5000 },
};
