/**
 * What waits for a person: questions and things to do, and what an answer led to.
 *
 * G1  The list is at most 32 KiB; what stands beyond is counted, with the command that shows it.
 * G2  A question whose time is up is shown as expired, with the answer it will get, until that is recorded.
 */
import { loopxCommand } from "../command-line.ts";
import type { TodoRecord } from "../events.ts";
import { onReject } from "../goal/gate.ts";
import { expiresAtOf, type GateScope, gateScopeOf, kindOf } from "../goal/todo-traits.ts";
import type { Instant } from "../instant.ts";
import { parseInstant } from "../instant.ts";
import type { Problem } from "../result.ts";
import { cutter } from "./cutter.ts";
import { PAGE_BYTES, printCursor } from "./paging.ts";
import { entryBytes, printedBytes } from "./print-json.ts";
import { compareText } from "./rank.ts";
import { fitted, type ShownTodo, shownTodo, TODO_BYTES } from "./todo.ts";

/** One question or thing to do, as it was found. */
export interface Waiting {
  readonly goal_id: string;
  readonly todo: TodoRecord;
  /** Open todos that wait for it, as far as they were looked at. */
  readonly holds: readonly string[];
}

export interface ShownWaiting {
  readonly goal_id: string;
  readonly todo_id: string;
  readonly kind: "gate" | "action";
  readonly text: string;
  readonly priority: number | null;
  /** When it was asked; null where nobody wrote that down. */
  readonly since: string | null;
  readonly options: readonly string[];
  readonly holds_up: HoldsUp;
  readonly on_reject: "close" | "reopen" | "block" | null;
  readonly remind_at: string | null;
  readonly expires_at: string | null;
  readonly default_outcome: string | null;
  readonly expired: boolean;
  readonly commands: readonly string[];
}

export type HoldsUp =
  | { readonly scope: "goal" }
  | { readonly scope: "agents"; readonly agents: readonly string[] }
  | { readonly scope: "todos"; readonly todo_ids: readonly string[] }
  | { readonly scope: "decision"; readonly decision_scope: string; readonly todo_ids: readonly string[] }
  | { readonly scope: "nothing" };

const SHOWN_HELD = 10;

export function shownWaiting(
  { goal_id, todo, holds }: Waiting,
  { limit, now }: { readonly limit: number; readonly now: Instant },
): ShownWaiting {
  const { todo_id, priority, metadata } = todo;
  const isGate = kindOf(todo) === "gate";
  const expires = isGate ? expiresAtOf(todo) : null;
  const about = ["--goal-id", goal_id];
  return {
    goal_id,
    todo_id,
    kind: isGate ? "gate" : "action",
    text: cutter(limit).text(todo.text),
    priority,
    since: parseInstant(metadata["asked_at"]),
    options: isGate ? ["approve", "reject", "defer"] : ["complete"],
    holds_up: isGate ? heldUp(gateScopeOf(todo), holds.slice(0, SHOWN_HELD)) : { scope: "nothing" },
    on_reject: isGate ? onReject(todo) : null,
    remind_at: parseInstant(metadata["remind_at"]),
    expires_at: expires,
    default_outcome: metadata["default_outcome"] ?? null,
    expired: expires !== null && expires <= now, // (G2)
    commands: isGate
      ? [
          loopxCommand("gate", "approve", todo_id, ...about),
          loopxCommand("gate", "reject", todo_id, ...about, "--reason", "…"),
          loopxCommand("gate", "defer", todo_id, ...about, "--until", "…"),
        ]
      : [loopxCommand("todo", "complete", "--todo-id", todo_id, ...about)],
  };
}

function heldUp(scope: GateScope, todo_ids: readonly string[]): HoldsUp {
  switch (scope.kind) {
    case "goal":
      return { scope: "goal" };
    case "agents":
      return { scope: "agents", agents: scope.agents };
    case "todos":
      return { scope: "todos", todo_ids };
    case "decision":
      return { scope: "decision", decision_scope: scope.scope, todo_ids };
  }
}

/** Questions before things to do, then priority, then how long it was asked, then goal and id. */
export function compareWaiting(a: Waiting, b: Waiting): number {
  const isAction = ({ todo }: Waiting): number => Number(kindOf(todo) !== "gate");
  const rank = ({ todo }: Waiting): number => todo.priority ?? 9;
  const asked = ({ todo }: Waiting): string => parseInstant(todo.metadata["asked_at"]) ?? "~";
  return (
    isAction(a) - isAction(b) ||
    rank(a) - rank(b) ||
    compareText(asked(a), asked(b)) ||
    compareText(a.goal_id, b.goal_id) ||
    compareText(a.todo.todo_id, b.todo.todo_id)
  );
}

export interface GateListInput {
  readonly goal_filter: string | null;
  readonly waiting: readonly Waiting[];
  readonly count: number;
  readonly seen: number;
  readonly extent: "page" | "limit";
  readonly goals_looked_at: number;
  readonly problems: readonly Problem[];
  readonly now: Instant;
}

export interface GateListPayload {
  readonly ok: true;
  readonly goal_filter: string | null;
  readonly gates: readonly ShownWaiting[];
  readonly gate_count: number;
  readonly goals_looked_at: number;
  readonly left_out: { readonly gates: number; readonly cursor: string | null; readonly get: readonly string[] };
  readonly problems: readonly Problem[];
}

const SHOWN_TEXT = 400;

export function buildGateList(input: GateListInput): GateListPayload {
  const limit = input.extent === "limit" ? Number.POSITIVE_INFINITY : SHOWN_TEXT;
  const rows = input.waiting.map((each) => shownWaiting(each, { limit, now: input.now }));
  if (input.extent === "limit") return assemble(input, rows);
  let room = PAGE_BYTES - printedBytes(assemble(input, [])) - 400;
  const over = rows.findIndex((row) => {
    room -= entryBytes(row);
    return room < 0;
  });
  return assemble(input, over < 0 ? rows : rows.slice(0, Math.max(1, over))); // (G1)
}

function assemble(input: GateListInput, gates: readonly ShownWaiting[]): GateListPayload {
  const { goal_filter, count, goals_looked_at, problems } = input;
  const seen = input.seen + gates.length;
  const rest = Math.max(0, count - seen);
  const cursor = rest === 0 || gates.length === 0 ? null : printCursor({ list: "gates", seen, after: "" });
  const goal = goal_filter === null ? [] : ["--goal-id", goal_filter];
  const get = cursor === null ? [] : [loopxCommand("gate", "list", ...goal, "--cursor", cursor)];
  return { ok: true, goal_filter, gates, gate_count: count, goals_looked_at, left_out: { gates: rest, cursor, get }, problems };
}

export interface GateDecisionFacts {
  readonly goal_id: string;
  readonly todo: TodoRecord;
  readonly decision: GateDecision;
  /** Other todos that the answer changed. */
  readonly others: readonly TodoRecord[];
  readonly dry_run: boolean;
  readonly warnings: readonly Problem[];
}

export interface GateDecision {
  readonly outcome: string;
  readonly at: string;
  readonly reason: string | null;
  readonly by: string;
}

export interface GateDecisionPayload {
  readonly ok: true;
  readonly goal_id: string;
  readonly todo_id: string;
  readonly changed: boolean;
  readonly dry_run: boolean;
  readonly decision: GateDecision;
  readonly todo: ShownTodo;
  /** What became of what it held up: closed, blocked, or free to be taken up. */
  readonly affected: readonly {
    readonly todo_id: string;
    readonly status: string;
    readonly waits: boolean;
    readonly reason: string | null;
  }[];
  /** With those that are not shown. */
  readonly affected_count: number;
  readonly warnings: readonly Problem[];
}

const SHOWN_AFFECTED = 20;

export function gateDecisionPayload(facts: GateDecisionFacts): GateDecisionPayload {
  const { goal_id, todo, decision, others, dry_run, warnings } = facts;
  return fitted(TODO_BYTES, (cut) => ({
    ok: true,
    goal_id,
    todo_id: todo.todo_id,
    changed: !dry_run,
    dry_run,
    decision: { ...decision, reason: cut.textOrNull(decision.reason) },
    todo: shownTodo(todo, cut),
    affected: others.slice(0, SHOWN_AFFECTED).map(({ todo_id, status, waits_for, metadata }) => ({
      todo_id,
      status,
      waits: (waits_for ?? []).length > 0,
      reason: cut.textOrNull(metadata["reason"] ?? null),
    })),
    affected_count: others.length,
    warnings,
  }));
}

const CLASSIFICATIONS: Readonly<Record<string, string>> = {
  approve: "operator_gate_approved",
  reject: "operator_gate_rejected",
  defer: "operator_gate_deferred",
};

/** Under the reference's names as well. */
export function operatorGatePayload(payload: GateDecisionPayload): GateDecisionPayload & {
  readonly classification: string;
  readonly operator_gate_resume_contract: object;
} {
  return {
    ...payload,
    classification: CLASSIFICATIONS[payload.decision.outcome] ?? payload.decision.outcome,
    operator_gate_resume_contract: {
      schema_version: "operator_gate_resume_contract_v0",
      recheck: ["registry", "state", "quota", "policy"],
      rewind_repository: false,
    },
  };
}
