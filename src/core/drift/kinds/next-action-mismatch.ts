import type { Instant } from "../../instant.ts";
import { laterOf } from "../../instant.ts";
import type { RunSummary } from "../../runs/run.ts";
import { latestRunOf } from "../../show/now.ts";
import type { GoalView } from "../../show/view.ts";
import { nextActionProjectionWarning } from "../alignment.ts";
import type { DriftRule, Fix } from "../drift.ts";
import { goalCommand } from "../drift.ts";

/** Longer texts, and texts over more than a line, are no arguments to paste. */
const PASTEABLE = /^[^\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]{1,240}$/u;

/** The state file says one thing and the newest run another. */
export const nextActionMismatch: DriftRule = {
  kinds: ["next_action_projection_mismatch"],
  concerns: "running",
  find(view, now) {
    const run = latestRunOf(view, now);
    const declared = view.next_action;
    if (run === null || declared === null) return [];
    const warning = nextActionProjectionWarning({
      activeStateNextAction: declared.entries[0],
      latestRunRecommendedAction: run.recommended_action,
    });
    if (warning === null) return [];
    return [
      {
        kind: "next_action_projection_mismatch",
        severity: "action",
        declared: warning.active_state_next_action,
        observed: warning.latest_run_recommended_action,
        since: run.at === null ? declared.since : laterOf(declared.since, run.at),
        fix: fixFor(view, { run, declaredSince: declared.since }),
      },
    ];
  },
};

/** What was said last is taken to be meant: a newer plan wants a run that follows it, a newer run may be written back if a person agrees. */
function fixFor(view: GoalView, { run, declaredSince }: { readonly run: RunSummary; readonly declaredSince: Instant }): Fix {
  const agent = agentFor(view, run);
  const by = agent === null ? [] : ["--agent-id", agent];
  if (run.at === null || declaredSince >= run.at) return { command: goalCommand(view, "refresh", ...by), safe: agent === null };
  if (PASTEABLE.test(run.recommended_action)) {
    return { command: goalCommand(view, "refresh", ...by, "--next-action", run.recommended_action), safe: false };
  }
  return { person: `read both with \`${goalCommand(view, "goal show")}\` and write the right one under Next Action` };
}

/** Of several agents one has to be named, and nothing is recorded unasked under the name of somebody who did not act. */
function agentFor({ registered_agents: agents }: GoalView, run: RunSummary): string | null {
  const [first = null, second] = agents;
  return second === undefined ? null : (agents.find((agent) => agent === run.agent_id) ?? first);
}
