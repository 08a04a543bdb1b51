/**
 * The journal of one turn: how far it is, so that whoever comes after a kill goes on from there.
 *
 * Does not own: keeping it (`ports/turn-records.ts`), the steps themselves (`commands/run-turn.ts`), what the goal is told (its events).
 *
 * R1  Each phase is written before the step that it names begins: what a step may have done is never unknown.
 * R2  From `hosting` on the host may have run: it is not run again for that turn, unless that is asked for.
 * R3  From `judged` on what the host came to is in the record, and every later step can be taken again.
 * R4  A record that cannot be understood is a problem with its place, never no record.
 */
import type { AgentId, GoalId, TodoId, TurnId } from "../id.ts";
import { parseAgentId, parseGoalId, parseTodoId, parseTurnId } from "../id.ts";
import { type Instant, parseInstant } from "../instant.ts";
import type { JsonObject } from "../registry/json-node.ts";
import { parseJsonText } from "../registry/json-text.ts";
import { done, type Reply, reject } from "../result.ts";
import type { HostFailure } from "./failure.ts";
import type { TurnResult } from "./turn-result.ts";
import type { TurnUsage } from "./usage.ts";
import type { ReportedFailure } from "./worker-protocol.ts";

export const TURN_RECORD_SCHEMA = "loopx_turn_v1";

/** What the host's part of a turn came to. */
export type HostWord =
  | { readonly kind: "result"; readonly result: TurnResult; readonly usage: TurnUsage }
  | { readonly kind: "failed"; readonly failure: HostFailure; readonly usage: TurnUsage }
  /** Somebody else may have the todo. */
  | { readonly kind: "lease_lost"; readonly usage: TurnUsage }
  /** We ended it. */
  | { readonly kind: "stopped"; readonly usage: TurnUsage }
  /** The host was not asked. */
  | { readonly kind: "not_started"; readonly code: string; readonly message: string; readonly usage: TurnUsage };

export type TurnEnd = "completed" | "progress" | "repair" | "replan" | "ask" | "wait" | "failed" | "lease_lost" | "stopped";

/** What a turn came to, once it is stored. */
export interface SettledTurn {
  readonly end: TurnEnd;
  /** One sentence. */
  readonly summary: string;
  readonly usage: TurnUsage;
  readonly failure: ReportedFailure | null;
  /** Not before; null: at once. */
  readonly until: Instant | null;
}

export type TurnPhase =
  | { readonly kind: "claiming" }
  | { readonly kind: "hosting"; readonly epoch: number }
  | { readonly kind: "judged"; readonly epoch: number; readonly word: HostWord }
  | { readonly kind: "settled"; readonly settled: SettledTurn };

export interface TurnRecord {
  readonly schema_version: typeof TURN_RECORD_SCHEMA;
  readonly turn_id: TurnId;
  readonly goal_id: GoalId;
  readonly agent_id: AgentId;
  readonly todo_id: TodoId;
  readonly text: string;
  /** `poll`: it looked after a monitor, and closes nothing. */
  readonly act: "run" | "poll";
  readonly host: string;
  readonly session_marker: string;
  /** Whose turn it is while that process lives. */
  readonly runner: { readonly pid: number; readonly started: string; readonly boot_id: string };
  readonly begun_at: Instant;
  readonly phase: TurnPhase;
}

export function turnRecordText(record: TurnRecord): string {
  return `${JSON.stringify(record)}\n`;
}

const PHASES: readonly TurnPhase["kind"][] = ["claiming", "hosting", "judged", "settled"];

/** R4. Written by this program alone: names and phase are checked, what hangs on them is as it was written. */
export function readTurnRecord(text: string): Reply<TurnRecord> {
  const parsed = parseJsonText(text);
  if (!parsed.ok) return unreadable(parsed.problem.message);
  const record = parsed.value as JsonObject;
  if (record?.["schema_version"] !== TURN_RECORD_SCHEMA) return unreadable(`it is no ${TURN_RECORD_SCHEMA}`);
  if (!namesAreThere(record)) return unreadable("it does not name its turn");
  const phase = record["phase"] as JsonObject | undefined;
  if (!PHASES.some((known) => known === phase?.["kind"])) return unreadable("it has no phase");
  return done(record as unknown as TurnRecord);
}

function namesAreThere({ turn_id, goal_id, agent_id, todo_id, begun_at, runner }: JsonObject): boolean {
  return (
    parseTurnId(String(turn_id)) !== null &&
    parseGoalId(goal_id).ok &&
    parseAgentId(String(agent_id)) !== null &&
    parseTodoId(todo_id) !== null &&
    parseInstant(begun_at) !== null &&
    typeof runner === "object"
  );
}

function unreadable(why: string): Reply<never> {
  return reject("turn_record_unreadable", `The record of a turn cannot be understood: ${why}.`);
}
