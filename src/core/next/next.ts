/**
 * The one answer to "may I act, on what, and why?" (T4 of the design).
 *
 * Does not own: gathering the state (`commands/decision-state.ts`), printing the answer (`core/show/decision.ts`).
 *
 * X1  A pure function of state, request and `now`; every answer names the rule it comes from.
 * X2  The first rule of the list that says something answers; the last one always does.
 * X3  The token is equal for equal answers, so that a caller sees that nothing is new.
 */
import type { Instant } from "../instant.ts";
import { limitWarnings } from "../quota/limits.ts";
import type { Problem } from "../result.ts";
import { sha1Hex } from "../sha1.ts";
import type { Situation } from "./asking.ts";
import { waitingFor } from "./back-off.ts";
import { commandsAfter } from "./commands-after.ts";
import type { Decision, DecisionRequest, DecisionState, Finding } from "./decision.ts";
import { concerningGates } from "./gates.ts";
import { RULES } from "./rules.ts";
import { situationOf } from "./situation.ts";
import { tellOf } from "./tell.ts";

/** X1. */
export function next(state: DecisionState, request: DecisionRequest, now: Instant): Decision {
  const situation = situationOf(state, request, now);
  return decisionOf(situation, findingIn(situation));
}

/** (X2) */
function findingIn(situation: Situation): Finding {
  for (const rule of RULES) {
    const found = rule(situation);
    if (found !== null) return found;
  }
  throw new Error("no rule of the decision answered");
}

function decisionOf(situation: Situation, finding: Finding): Decision {
  const { state, request, now } = situation;
  const { act, why, because, todo = null, until = null } = finding;
  const gates = concerningGates(situation).map((gate) => gate.todo_id);
  const tell = state.goal.activation === "active" ? tellOf(situation) : null;
  return {
    act,
    why,
    because,
    todo,
    tell,
    commands: commandsAfter(situation, finding),
    wait: waitingFor({ act, why, because, until }, { since: state.head?.last_at ?? now, now }),
    warnings: warningsOf(state),
    quota: state.quota.kind === "set" ? state.quota.state : null,
    token: tokenOf([act, why, todo?.todo_id ?? "", request.agent ?? "", ...gates]),
  };
}

function warningsOf({ goal, head, quota }: DecisionState): readonly Problem[] {
  if (head === null || quota.kind === "invalid" || quota.limits === undefined) return [];
  const { todo_counts, runtime_bytes } = head;
  return limitWarnings({ goal_id: goal.goal_id, limits: quota.limits }, { open: todo_counts.open, bytes: runtime_bytes });
}

/** (X3) */
function tokenOf(parts: readonly string[]): string {
  return sha1Hex(parts.join("\n")).slice(0, 16);
}
