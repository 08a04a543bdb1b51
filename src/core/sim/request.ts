/**
 * What somebody in a simulated world asks of the goal: data, so that it can be sent again and printed.
 *
 * Does not own: which commands follow from it (`commands/sim-commands.ts`).
 */
import type { Units } from "../events.ts";
import type { GoalCommand } from "../goal/command.ts";
import type { AgentId, TodoId, TurnId } from "../id.ts";
import type { Instant } from "../instant.ts";
import type { Act, Why } from "../next/decision.ts";

export interface Asker {
  readonly agent: AgentId;
  readonly instance: string;
  readonly capabilities: readonly string[];
}

/** Who writes about a todo, with the number the lease had when they got it. */
export interface Hand {
  readonly agent: AgentId;
  readonly turn: TurnId;
  readonly todo_id: TodoId;
  readonly epoch: number;
}

/** What a turn used, and the ids of the questions that it may leave to a person: about the quota, and its own. */
export interface Cost {
  readonly used: Units;
  readonly gate_id: TodoId;
  readonly question_id: TodoId;
}

export type SimRequest =
  | ({ readonly kind: "next" } & Asker)
  | ({ readonly kind: "open_turn"; readonly turn: TurnId } & Asker)
  | ({ readonly kind: "claim"; readonly turn: TurnId; readonly ttl_ms: number; readonly todo_id: TodoId | null } & Asker)
  | ({ readonly kind: "renew" | "release" } & Hand)
  | ({ readonly kind: "hand_over"; readonly to: AgentId } & Hand)
  | ({ readonly kind: "done"; readonly checks: "pass" | "fail"; readonly next: readonly NextTodo[] } & Cost & Hand)
  /** The end of a turn that finished nothing. */
  | ({
      readonly kind: "end";
      readonly outcome: "progress" | "repair" | "failed" | "ask";
      readonly observation: string;
      /** The provider's limit, until when the agent takes up nothing. */
      readonly hold_until: Instant | null;
    } & Cost &
      Hand)
  /** The end of a turn that looked after a monitor. */
  | ({ readonly kind: "poll"; readonly seen: string } & Cost & Hand)
  /** A second bill for the same work. */
  | { readonly kind: "bill"; readonly agent: AgentId; readonly turn: TurnId; readonly units: Units }
  /** What the requester worked out on the goal as it stood when they looked. */
  | { readonly kind: "plan"; readonly by: AgentId | "person"; readonly does: string; readonly commands: readonly GoalCommand[] };

export interface NextTodo {
  readonly todo_id: TodoId;
  readonly text: string;
}

export interface Told {
  readonly act: Act;
  readonly why: Why;
  readonly todo_id: TodoId | null;
  readonly until: Instant | null;
}

export type SimAnswer =
  /** The store failed, or the answer was lost on its way: it may have happened or not. */
  | { readonly kind: "unknown" }
  | { readonly kind: "refused"; readonly code: string }
  | { readonly kind: "told"; readonly told: Told }
  | { readonly kind: "claimed"; readonly todo_id: TodoId; readonly epoch: number; readonly is_monitor: boolean }
  | { readonly kind: "written" };

/** One line about it. */
export function wordsOf(request: SimRequest): string {
  switch (request.kind) {
    case "next":
      return `next ${request.agent}/${request.instance}`;
    case "open_turn":
      return `next ${request.agent}/${request.instance} turn ${request.turn}`;
    case "claim":
      return `claim ${request.agent}/${request.instance} turn ${request.turn}${request.todo_id === null ? "" : ` ${request.todo_id}`}`;
    case "bill":
      return `spend ${request.agent} turn ${request.turn}`;
    case "plan":
      return `${request.by}: ${request.does}`;
    default:
      return `${request.kind}${detail(request)} ${request.agent} turn ${request.turn} ${request.todo_id} epoch ${request.epoch}`;
  }
}

function detail(request: Extract<SimRequest, Hand>): string {
  if (request.kind === "end") return ` (${request.outcome})`;
  return request.kind === "done" && request.checks === "fail" ? " (checks fail)" : "";
}
