import { expect, test } from "vitest";
import type { AgentId } from "../../id.ts";
import type { LaunchSpec } from "../../team/launch-spec.ts";
import { planPage } from "./team.ts";

const SPEC: LaunchSpec = {
  session: "team",
  agents: ["agent-1"] as AgentId[],
  goals: [],
  host: "command",
  host_command: null,
  validation_command: null,
  accept_unvalidated: false,
  workspace: null,
  max_turns: null,
  turn_timeout_s: null,
  turn_idle_timeout_s: null,
  idle_exit_s: null,
  grace_s: null,
  max_load: null,
  max_restarts: null,
  backoff_min_s: null,
  backoff_max_s: null,
};

test.each<[Partial<LaunchSpec>, string]>([
  [{}, "turns without limit, a turn at most 1800 s"],
  [{ turn_timeout_s: 60, turn_idle_timeout_s: 9 }, "turns without limit, a turn at most 60 s, without output at most 9 s"],
])("a plan says which limits hold: %j", (asked, caps) => {
  const plan = { spec: { ...SPEC, ...asked }, goals: ["g"], registers: {}, runtime_root: "/r", folder: "/r/team" };
  expect(planPage(plan)).toContain(`- caps: ${caps}\n`);
});
