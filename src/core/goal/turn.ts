/**
 * Which facts follow when a turn is opened and written, when something is spent, and when an agent must wait.
 *
 * Does not own: what the turn may do (`core/next`), how much may be spent (`core/quota`): both are judged before, in the same
 * transaction.
 *
 * N1  A turn is decided once: the same turn with another request is refused while it is open.
 * N2  Only work that was accounted for is spent: a turn that was written with progress, or a recorded run that delivered.
 * N3  A turn is spent once, and for the todo that it was about.
 */
import type { DecidedTurn, Evidence, GoalFact, Units, WrittenTurn } from "../events.ts";
import type { AgentId, TodoId, TurnId } from "../id.ts";
import type { Instant } from "../instant.ts";
import { type Refusal, refuse } from "../result.ts";
import type { LeaseState } from "./lease.ts";

export type TurnCommand =
  | { readonly kind: "open-turn"; readonly turn: DecidedTurn }
  | { readonly kind: "write-turn"; readonly turn: WrittenTurn }
  | SpendCommand
  /** What a turn used that brought nothing: tokens, never slots. */
  | { readonly kind: "charge-turn"; readonly turn_id: TurnId; readonly todo_id: TodoId; readonly units: Units }
  | { readonly kind: "void-spend"; readonly spent_seq: number; readonly units: Units; readonly reason: string }
  | { readonly kind: "hold-agent"; readonly until: Instant; readonly reason: string }
  | { readonly kind: "release-agent"; readonly agent_id: AgentId; readonly reason: string }
  | { readonly kind: "record-evidence"; readonly evidence: Evidence }
  | { readonly kind: "measure-runtime"; readonly bytes: number };

export interface SpendCommand {
  readonly kind: "spend";
  readonly turn_id: TurnId | null;
  readonly agent_id: AgentId | null;
  readonly todo_id: TodoId | null;
  readonly units: Units;
  /** Used beyond the room that is left. */
  readonly over?: Units;
  readonly source: string;
}

export function handleTurn(state: LeaseState, command: TurnCommand): readonly GoalFact[] | Refusal {
  switch (command.kind) {
    case "open-turn":
      return openTurn(state, command.turn);
    case "write-turn":
      return [{ type: "turn.written", data: command.turn }];
    case "spend":
      return spend(state, command);
    case "charge-turn": {
      const { turn_id, todo_id, units } = command;
      return [{ type: "turn.spent", data: { turn_id, todo_id, units: { ...units, slots: 0 }, source: "turn_without_result" } }];
    }
    case "void-spend": {
      const { spent_seq, units, reason } = command;
      return [{ type: "turn.voided", data: { spent_seq, units, reason } }];
    }
    case "hold-agent":
      return [{ type: "agent.waits", data: { until: command.until, reason: command.reason } }];
    case "release-agent":
      return Object.hasOwn(state.head.waits, command.agent_id)
        ? [{ type: "agent.wait_ended", data: { agent_id: command.agent_id, reason: command.reason } }]
        : [];
    case "record-evidence":
      return [{ type: "evidence.recorded", data: command.evidence }];
    case "measure-runtime":
      return command.bytes === state.head.runtime_bytes ? [] : [{ type: "runtime.measured", data: { bytes: command.bytes } }];
  }
}

/** (N1) */
function openTurn({ head }: LeaseState, turn: DecidedTurn): readonly GoalFact[] | Refusal {
  const open = Object.hasOwn(head.turns, turn.turn_id) ? head.turns[turn.turn_id] : undefined;
  if (open === undefined) return [{ type: "turn.decided", data: turn }];
  if (open.request === turn.request) return [];
  return refuse("turn_open", `Turn ${turn.turn_id} was opened with another request.`, {
    details: { turn_instance_id: turn.turn_id, decided_at: open.decided_at, todo_id: open.todo_id },
  });
}

/** (N2, N3) */
function spend(
  { head }: LeaseState,
  { turn_id, agent_id, todo_id, units, over, source }: SpendCommand,
): readonly GoalFact[] | Refusal {
  const accountable = Object.hasOwn(head.unspent, agent_id ?? "") ? head.unspent[agent_id ?? ""] : undefined;
  if (accountable === undefined || (turn_id !== null && accountable.turn_id !== turn_id)) {
    return refuse("spend_without_turn", "There is no written turn with progress that was not spent yet.", {
      details: { agent_id, turn_instance_id: turn_id },
      fix: "loopx done",
    });
  }
  if (todo_id !== null && accountable.todo_id !== null && todo_id !== accountable.todo_id) {
    return refuse("spend_identity_conflict", `What is to be spent was written about ${accountable.todo_id}, not ${todo_id}.`, {
      details: { agent_id, turn_instance_id: accountable.turn_id, todo_id: accountable.todo_id },
    });
  }
  const spent = { todo_id: todo_id ?? accountable.todo_id, units, ...(over !== undefined && { over }), source };
  return [{ type: "turn.spent", data: { ...(turn_id !== null && { turn_id }), ...spent } }];
}
