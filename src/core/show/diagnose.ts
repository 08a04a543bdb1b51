/** The reference's `diagnose`: one signal for a machine and the commands that go on from it, of the same decision. */
import type { DecisionPayload } from "./decision.ts";
import { SHOULD_RUN } from "./should-run-table.ts";
import type { WhyPayload } from "./why.ts";

export interface DiagnosisPayload {
  readonly ok: true;
  readonly schema_version: "loopx_agent_diagnosis_packet_v0";
  readonly goal_id: string | null;
  readonly agent_id: string | null;
  /** What the decision is called in `quota should-run`. */
  readonly machine_signal: string;
  readonly decision: string;
  readonly state: string;
  readonly reason: string;
  readonly act: DecisionPayload["act"];
  readonly why: DecisionPayload["why"];
  readonly rule: string;
  readonly evidence: WhyPayload["facts"];
  readonly commands: readonly string[];
  /** Facts and commands; what to think of them is the reader's. */
  readonly verdict: null;
}

export function diagnosisPayload(answer: WhyPayload): DiagnosisPayload {
  const { goal_id, agent_id, act, why, because, rule, facts, then } = answer;
  const { effective_action, decision, state } = SHOULD_RUN[why as keyof typeof SHOULD_RUN];
  return {
    ok: true,
    schema_version: "loopx_agent_diagnosis_packet_v0",
    goal_id,
    agent_id,
    machine_signal: effective_action,
    decision,
    state,
    reason: because,
    act,
    why,
    rule,
    evidence: facts,
    commands: then,
    verdict: null,
  };
}
