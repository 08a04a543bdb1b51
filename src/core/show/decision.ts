/**
 * A decision as `next` prints it, within the bytes of one decision (design 6).
 *
 * Does not own: the decision (`core/next`).
 *
 * P1  At most 2 KiB, whatever the goal says: texts are shortened until it fits, ids and commands are never cut.
 */
import type { TodoRecord } from "../events.ts";
import type { Instant } from "../instant.ts";
import type { Decision, QuotaState, Tell, Waiting } from "../next/decision.ts";
import type { Problem } from "../result.ts";
import { type Cutter, cutter } from "./cutter.ts";
import { printedBytes } from "./print-json.ts";

export const DECISION_BYTES = 2048;

export interface DecisionPayload {
  readonly ok: true;
  readonly goal_id: string | null;
  readonly agent_id: string | null;
  /** The event after which this was the answer; absent: now. */
  readonly at?: { readonly seq: number; readonly time: Instant };
  readonly act: string;
  readonly why: string;
  readonly because: string;
  readonly todo: ShownDecisionTodo | null;
  readonly tell: Tell | null;
  readonly then: readonly string[];
  readonly wait: (Waiting & { readonly token: string }) | null;
  readonly quota: Pick<QuotaState, "spent" | "reserved" | "allowed" | "next_eligible_at"> | null;
  readonly token: string;
  /** Only where there are any. */
  readonly warnings?: readonly Problem[];
}

export interface ShownDecisionTodo {
  readonly todo_id: string;
  readonly text: string;
  readonly priority: number | null;
  readonly task_class: string | null;
  readonly claimed_by: string | null;
  readonly lease_epoch?: number;
}

export interface Asked {
  readonly goal_id: string;
  readonly agent_id: string | null;
  /** Of an answer about the past. */
  readonly at?: { readonly seq: number; readonly time: Instant };
}

const LIMITS = [600, 300, 160, 80, 40];

/** (P1) */
export function decisionPayload(decision: Decision, asked: Asked): DecisionPayload {
  let payload = shown(decision, asked, cutter(1200));
  for (const limit of LIMITS) {
    if (printedBytes(payload) <= DECISION_BYTES) return payload;
    payload = shown(decision, asked, cutter(limit));
  }
  if (printedBytes(payload) <= DECISION_BYTES) return payload;
  return { ...payload, then: payload.then.slice(0, 1), tell: payload.tell === null ? null : { ...payload.tell, commands: [] } };
}

function shown(decision: Decision, { goal_id, agent_id, at }: Asked, cut: Cutter): DecisionPayload {
  const { act, why, because, todo, tell, commands, wait, quota, token, warnings } = decision;
  return {
    ok: true,
    goal_id,
    agent_id,
    ...(at !== undefined && { at }),
    act,
    why,
    because: cut.text(because),
    todo: todo === null ? null : shownTodo(todo, cut),
    tell: tell === null ? null : { ...tell, text: cut.text(tell.text) },
    then: commands,
    wait: wait === null ? null : { ...wait, reason: cut.text(wait.reason), token },
    quota: quota === null ? null : shownQuota(quota),
    token,
    ...(warnings.length > 0 && { warnings: warnings.map(({ code, message }) => ({ code, message: cut.text(message) })) }),
  };
}

function shownTodo({ todo_id, text, priority, task_class, metadata, lease_epoch }: TodoRecord, cut: Cutter): ShownDecisionTodo {
  return {
    todo_id,
    text: cut.text(text),
    priority,
    task_class,
    claimed_by: cut.textOrNull(metadata["claimed_by"] ?? null),
    ...(lease_epoch !== undefined && { lease_epoch }),
  };
}

function shownQuota({ spent, reserved, allowed, next_eligible_at }: QuotaState): NonNullable<DecisionPayload["quota"]> {
  return { spent, reserved, allowed, next_eligible_at };
}
