/**
 * A goal's state while events are applied to it, and the events themselves.
 *
 * Does not own: what an event does (`evolve.ts`) and whether it may happen (`handle.ts`).
 *
 * G1  Events get their `seq` here and nowhere else: the next number of the draft's generation.
 */
import type { GoalEvent, GoalFact, TodoRecord } from "../events.ts";
import type { AgentId, GoalId, TodoId, TurnId } from "../id.ts";
import type { Instant } from "../instant.ts";
import { evolve } from "./evolve.ts";
import type { GoalHead, GoalState } from "./head.ts";

export interface GoalDraft {
  readonly goal_id: GoalId;
  head: GoalHead | null;
  readonly todos: Map<TodoId, TodoRecord>;
  readonly events: GoalEvent[];
  /** Todos that differ from what was loaded. */
  readonly touched: Set<TodoId>;
}

/** Who acts, when. */
export interface Act {
  readonly at: Instant;
  readonly agent_id?: AgentId;
  readonly turn_id?: TurnId;
}

export function draftOf(goalId: GoalId, state: GoalState): GoalDraft {
  return { goal_id: goalId, head: state.head, todos: new Map(state.todos), events: [], touched: new Set() };
}

/** Numbers the facts (G1) and folds them into the draft. */
export function append(draft: GoalDraft, facts: readonly GoalFact[], act: Act): void {
  for (const fact of facts) {
    const event = envelop(draft, fact, act);
    draft.events.push(event);
    evolve(draft, event);
  }
}

function envelop(draft: GoalDraft, fact: GoalFact, act: Act): GoalEvent {
  const opens = fact.type === "goal.opened";
  return {
    goal_id: draft.goal_id,
    generation: (draft.head?.generation ?? 0) + (opens ? 1 : 0),
    seq: opens ? 1 : (draft.head?.seq ?? 0) + 1,
    at: act.at,
    ...(act.agent_id === undefined ? {} : { agent_id: act.agent_id }),
    ...(act.turn_id === undefined ? {} : { turn_id: act.turn_id }),
    ...fact,
  };
}
