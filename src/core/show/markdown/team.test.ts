import { expect, test } from "vitest";
import { LAUNCH_SPEC } from "../../../../test/fakes/team.ts";
import type { LaunchSpec } from "../../team/launch-spec.ts";
import { planPage } from "./team.ts";

test.each<[Partial<LaunchSpec>, string]>([
  [{}, "turns without limit, a turn at most 1800 s"],
  [{ turn_timeout_s: 60, turn_idle_timeout_s: 9 }, "turns without limit, a turn at most 60 s, without output at most 9 s"],
])("a plan says which limits hold: %j", (asked, caps) => {
  const plan = { spec: { ...LAUNCH_SPEC, ...asked }, goals: ["g"], registers: {}, runtime_root: "/r", folder: "/r/team" };
  expect(planPage(plan)).toContain(`- caps: ${caps}\n`);
});
