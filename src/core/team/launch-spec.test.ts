import { expect, test } from "vitest";
import type { AgentId } from "../id.ts";
import { type LaunchSpec, relaunchArguments, workerArguments } from "./launch-spec.ts";

const PLACES = { registry: "/p/.loopx/registry.json", runtime_root: "/p/run time" };
const SPEC: LaunchSpec = {
  session: "team",
  agents: ["agent-1", "agent-2"] as AgentId[],
  goals: [],
  host: "command",
  host_command: '["make","-s"]',
  validation_command: null,
  accept_unvalidated: true,
  workspace: null,
  max_turns: 3,
  turn_timeout_s: null,
  turn_idle_timeout_s: 60,
  idle_exit_s: 5,
  grace_s: null,
  max_load: null,
  max_restarts: null,
  backoff_min_s: null,
  backoff_max_s: null,
};

test("L2: to launch a team again, all that it was launched with is said", () => {
  expect(relaunchArguments(SPEC, PLACES)).toEqual([
    "launch",
    "--agents=2",
    "--registry=/p/.loopx/registry.json",
    "--runtime-root=/p/run time",
    "--session=team",
    "--host=command",
    '--host-command-json=["make","-s"]',
    "--accept-unvalidated",
    "--turn-idle-timeout=60",
    "--max-turns=3",
    "--idle-exit=5",
  ]);
});

test("L2: agents with names of their own are named", () => {
  const args = relaunchArguments({ ...SPEC, agents: ["agent-1", "ada"] as AgentId[] }, PLACES);
  expect(args.filter((argument) => argument.startsWith("--agent"))).toEqual(["--agent=agent-1", "--agent=ada"]);
});

test("a worker is told the limits of its turns", () => {
  const names = { ...PLACES, agent_id: "agent-1" as AgentId, log_folder: "/l", turns_left: 2 };
  const args = workerArguments({ ...SPEC, turn_timeout_s: 9 }, names);
  expect(args).toEqual(expect.arrayContaining(["--turn-timeout=9", "--turn-idle-timeout=60", "--turns=2"]));
  expect(workerArguments({ ...SPEC, turn_idle_timeout_s: null }, names).join(" ")).not.toContain("idle-timeout");
});
