import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { DecisionPayload } from "./decision.ts";
import { printedBytes } from "./print-json.ts";
import { COMPAT_BYTES, type ShouldRunFacts, shouldRunPayload, turnEnvelope } from "./should-run.ts";
import { SHOULD_RUN } from "./should-run-table.ts";

const TODO = { todo_id: "todo_a", text: "Build", priority: 1, task_class: null, claimed_by: "a" };

function answerOf(act: string, why: string, more: Partial<DecisionPayload> = {}): DecisionPayload {
  return {
    ok: true,
    goal_id: "g",
    agent_id: "a",
    act,
    why,
    because: "it is so",
    todo: TODO,
    tell: null,
    then: ["loopx next"],
    wait: null,
    quota: { spent: 1, reserved: 0, allowed: 1440, next_eligible_at: null },
    token: "0123456789abcdef",
    ...more,
  };
}

function factsOf(answer: DecisionPayload, more: Partial<ShouldRunFacts> = {}): ShouldRunFacts {
  return {
    answer,
    todo: null,
    settings: null,
    spent: { slots: 3, tokens: 0, wall_ms: 0 },
    write_scope: ["src/**"],
    explanation: null,
    runtime_profile: null,
    turn_instance_id: null,
    ...more,
  };
}

const tell = (command: string): NonNullable<DecisionPayload["tell"]> => ({
  todo_ids: [],
  text: "May it?",
  commands: [command],
  token: "t",
});

// A row a rule. Every expectation is a literal: a red row asks whether programs that read the reference's words were thought of.
describe("R1 the answer of each rule", () => {
  test.each([
    ["repair", "state_unreadable", "self_repair", true, "control_plane_health_repair", "control_plane_self_repair"],
    ["repair", "quota_invalid", "self_repair", true, "control_plane_repair", "control_plane_self_repair"],
    ["stop", "stopped", "skip", false, "quota_skip", "skip"],
    ["stop", "archived", "skip", false, "quota_skip", "skip"],
    ["stop", "paused", "skip", false, "quota_skip", "skip"],
    ["wait", "rate_limited", "skip", false, "blocked_wait", "blocked_wait"],
    ["wait", "throttled", "skip", false, "throttled_skip", "quota_throttled"],
    ["replan", "stalled", "autonomous_replan_required", true, "autonomous_replan_required", "autonomous_replan"],
    ["run", "continue", "run", true, "normal_run", "bounded_delivery"],
    ["poll", "monitor_due", "run", true, "normal_run", "bounded_delivery"],
    ["wait", "monitor_only", "skip", false, "agent_monitor_only", "agent_monitor_only"],
    ["repair", "workspace", "workspace_guard", true, "agent_workspace_repair", "agent_workspace_repair"],
    ["repair", "scope", "self_repair", true, "boundary_projection_repair", "boundary_projection_repair"],
    ["run", "work", "run", true, "normal_run", "bounded_delivery"],
    ["replan", "gap", "autonomous_replan_required", true, "autonomous_replan_required", "autonomous_replan"],
    ["run", "woke", "run", true, "normal_run", "bounded_delivery"],
    ["repair", "capability", "repair_bridge", true, "capability_bridge_repair", "capability_bridge_repair"],
    ["ask", "gate", "skip", false, "operator_gate_notify", "user_gate"],
    ["ask", "owner_capability", "skip", false, "quota_skip", "user_action_required"],
    ["ask", "user_action", "skip", false, "operator_gate_notify", "user_action_required"],
    ["wait", "peers_own", "reassignment_required", false, "reassignment_required", "reassignment_required"],
    ["wait", "waiting_on", "agent_scope_wait", false, "agent_scope_wait", "agent_scope_wait"],
    ["wait", "next_due", "skip", false, "monitor_quiet_skip", "monitor_quiet_skip"],
    ["stop", "complete", "skip", false, "terminal_no_followup", "terminal_no_followup"],
    ["replan", "empty", "autonomous_replan_required", true, "autonomous_replan_required", "autonomous_replan"],
  ])("%s %s", (act, why, decision, should_run, effective_action, mode) => {
    const answer = shouldRunPayload(factsOf(answerOf(act, why)));
    expect(answer).toMatchObject({ act, why, decision, should_run, effective_action, interaction_contract: { mode } });
    expect(SHOULD_RUN[why as keyof typeof SHOULD_RUN].act).toBe(act);
  });

  test("no rule is without a row", () => {
    expect(Object.keys(SHOULD_RUN)).toHaveLength(25);
  });

  test.each([
    ["active_work", "run_now", ["continue", "monitor_due", "work", "woke", "gap", "stalled", "empty", "capability", "scope"]],
    ["human_gate", "backoff_waiting_for_user", ["gate", "owner_capability", "user_action"]],
    ["agent_scope_wait", "backoff_until_reassigned", ["peers_own", "waiting_on"]],
    ["monitor_wait", "backoff_until_material_transition", ["next_due"]],
    ["quiet_wait", "backoff_until_state_change", ["throttled", "rate_limited"]],
    ["agent_monitor_only", "backoff_agent_monitor_only", ["monitor_only"]],
    ["quota_paused", "stop_until_explicit_resume", ["paused"]],
    ["goal_stopped", "stop_until_explicit_resume", ["stopped", "archived"]],
    ["terminal_no_followup", "stop_until_explicit_resume", ["complete"]],
  ])("cadence %s: %s", (cadence_class, action, whys) => {
    for (const why of whys) expect(SHOULD_RUN[why as keyof typeof SHOULD_RUN]).toMatchObject({ cadence_class, action });
  });
});

test.each(Object.entries(SHOULD_RUN))("R2 the fields of %s do not contradict each other", (why, row) => {
  const answer = shouldRunPayload(factsOf(answerOf(row.act, why)));
  const { agent_channel, user_channel, cli_channel } = answer.interaction_contract;
  expect(agent_channel.must_attempt).toBe(answer.should_run);
  expect(agent_channel.delivery_allowed && !answer.should_run).toBe(false);
  expect(cli_channel.spend_after_validation && !answer.should_run).toBe(false);
  expect(answer.scheduler_hint.action === "run_now").toBe(answer.should_run);
  expect(user_channel.action_required).toBe(answer.requires_user_action);
  expect(user_channel.notify).toBe(answer.requires_user_action ? "NOTIFY" : "DONT_NOTIFY");
  expect(answer.state === "eligible").toBe(answer.should_run && answer.state !== "blocked_health");
  expect(answer.quota.state).toBe(answer.state);
});

test("V2 a todo is told only where it may be worked on", () => {
  const told = (act: string, why: string): unknown => shouldRunPayload(factsOf(answerOf(act, why))).selected_todo;
  expect(told("run", "work")).toMatchObject({ todo_id: "todo_a", priority: "P1", selected_by: "current_agent_claimed_todo" });
  expect(told("repair", "capability")).toMatchObject({ todo_id: "todo_a" });
  for (const [act, why] of [
    ["ask", "gate"],
    ["wait", "peers_own"],
    ["replan", "gap"],
  ] as const)
    expect(told(act, why)).toBeNull();
});

test("V3 work beside an open question says both", () => {
  const beside = shouldRunPayload(factsOf(answerOf("run", "work", { tell: tell("loopx gate approve todo_g") })));
  expect(beside).toMatchObject({
    decision: "safe_bypass_user_gate_fallback",
    effective_action: "scoped_user_gate_fallback",
    should_run: true,
    requires_user_action: true,
    interaction_contract: {
      mode: "scoped_user_gate_fallback",
      user_channel: { notify: "NOTIFY", actions: ["May it?"] },
      agent_channel: { must_attempt: true },
    },
  });
  const action = shouldRunPayload(factsOf(answerOf("run", "work", { tell: tell("loopx todo complete --todo-id todo_u") })));
  expect(action).toMatchObject({
    decision: "run",
    effective_action: "normal_run",
    interaction_contract: { mode: "bounded_delivery_with_user_notice", user_channel: { notify: "NOTIFY" } },
  });
});

test("V1 at most 8 KiB, whole and as an envelope with the same signature", () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...Object.entries(SHOULD_RUN)),
      fc.string({ unit: "binary", maxLength: 900 }),
      ([why, row], text) => {
        const todo = { ...TODO, text };
        const answer = answerOf(row.act, why, { because: text, todo, tell: { ...tell("loopx gate approve x"), text } });
        const whole = shouldRunPayload(factsOf(answer, { write_scope: Array(99).fill(text) }));
        expect(printedBytes(whole)).toBeLessThanOrEqual(COMPAT_BYTES);
        const envelope = turnEnvelope(whole);
        expect(printedBytes(envelope)).toBeLessThanOrEqual(COMPAT_BYTES);
        expect(envelope).toMatchObject({ decision: whole.decision, action_signature: whole.action_signature });
      },
    ),
    { numRuns: 200 },
  );
});
