/**
 * A decision as `next` prints it, within the bytes of one decision (design 6).
 *
 * Does not own: the decision (`core/next`).
 *
 * P1  At most 2 KiB as `printJson` writes it, whatever the goal says: texts are shortened until it fits, then commands, what warnings
 *     say and ids of what is to be told are left out. What is shown of ids and commands is whole.
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
  readonly tell: ShownTell | null;
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

export interface ShownTell extends Tell {
  /** How many more there are; absent: none. */
  readonly todo_ids_left_out?: number;
}

export interface Asked {
  readonly goal_id: string;
  readonly agent_id: string | null;
  /** Of an answer about the past. */
  readonly at?: { readonly seq: number; readonly time: Instant };
}

/** (P1) */
export function decisionPayload(decision: Decision, asked: Asked): DecisionPayload {
  return firstThatFits(decisionForms(decision, asked), DECISION_BYTES);
}

/** The last form where none fits. */
export function firstThatFits<Payload extends object>(forms: readonly (() => Payload)[], bytes: number): Payload {
  const [form, ...smaller] = forms;
  if (form === undefined) throw new Error("an answer has no form");
  const payload = form();
  return smaller.length === 0 || printedBytes(payload) <= bytes ? payload : firstThatFits(smaller, bytes);
}

const LIMITS = [1200, 600, 300, 160, 80, 40] as const;
const LEAST = [16, 1] as const;

/** From the fullest to the smallest. */
export function decisionForms(decision: Decision, asked: Asked): readonly (() => DecisionPayload)[] {
  const within = (limit: number): DecisionPayload => shown(decision, asked, cutter(limit));
  const brief = (limit: number): DecisionPayload => withoutWarningTexts(withFewCommands(within(limit)));
  return [
    ...LIMITS.map((limit) => () => within(limit)),
    () => withFewCommands(within(40)),
    () => brief(40),
    () => withToldIds(brief(40), 3),
    () => withToldIds(brief(40), 1),
    ...LEAST.map((limit) => () => withToldIds(brief(limit), 1)),
    () => ({ ...withToldIds(brief(1), 1), then: [] }),
  ];
}

function withFewCommands(payload: DecisionPayload): DecisionPayload {
  const { then, tell } = payload;
  return { ...payload, then: then.slice(0, 1), tell: tell === null ? null : { ...tell, commands: [] } };
}

/** The code says what is near or reached. */
function withoutWarningTexts(payload: DecisionPayload): DecisionPayload {
  const { warnings } = payload;
  return warnings === undefined ? payload : { ...payload, warnings: warnings.map(({ code }) => ({ code, message: "…" })) };
}

function withToldIds(payload: DecisionPayload, most: number): DecisionPayload {
  const { tell } = payload;
  if (tell === null || tell.todo_ids.length <= most) return payload;
  const { todo_ids, ...told } = tell;
  return {
    ...payload,
    tell: { todo_ids: todo_ids.slice(0, most), todo_ids_left_out: todo_ids.length - most, ...told },
  };
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
