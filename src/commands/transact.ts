/**
 * The one way to write (T3): load, judge, fold, store.
 *
 * Does not own: the judgement (`core/goal`) and durability (the store).
 *
 * W1  Commands of one transaction are judged in order, each on the state that the ones before it left.
 * W2  A refusal of any of them leaves intent and journal as they were.
 * W3  `now` is one instant per goal and transaction (`goal-clock.ts`).
 * W4  What a command asks to be recorded fits in the goal's limits (`core/quota/write-bar.ts`), or nothing of it is.
 */

import type { GoalFact } from "../core/events.ts";
import type { GoalCommand } from "../core/goal/command.ts";
import { type Act, append, draftOf, type GoalDraft } from "../core/goal/draft.ts";
import { handle } from "../core/goal/handle.ts";
import type { AgentId, TurnId } from "../core/id.ts";
import type { Instant } from "../core/instant.ts";
import type { LimitedGoal } from "../core/quota/limits.ts";
import { factBar } from "../core/quota/write-bar.ts";
import type { Refusal } from "../core/result.ts";
import type { GoalChange, LoadedGoal, PlanBase, Receipt } from "../ports/store.ts";
import { nowFor } from "./goal-clock.ts";

export interface Actor {
  readonly agent_id?: AgentId;
  readonly turn_id?: TurnId;
}

export interface Judged {
  readonly draft: GoalDraft;
  readonly act: Act;
}

export function beginJudging(loaded: LoadedGoal, wall: Instant, actor: Actor = {}): Judged {
  const draft = draftOf(loaded.goal_id, { head: loaded.head, todos: loaded.todos });
  return { draft, act: { at: nowFor(loaded.head, wall), ...actor } };
}

/** W1, W2: null when all commands were accepted. `limited` (W4) is null for what was not asked for: people's own edits. */
export function judge(judged: Judged, commands: readonly GoalCommand[], limited: LimitedGoal | null = null): Refusal | null {
  for (const command of commands) {
    const handled = handle({ head: judged.draft.head, todos: judged.draft.todos }, command, judged.act.at);
    if ("kind" in handled) return handled;
    const bar = limited === null ? null : firstBar(judged, handled, limited);
    if (bar !== null) return bar;
    append(judged.draft, handled, judged.act);
  }
  return null;
}

/** (W4) */
function firstBar({ draft }: Judged, facts: readonly GoalFact[], limited: LimitedGoal): Refusal | null {
  for (const fact of facts) {
    const bar = factBar(limited, fact, draft.head?.runtime_bytes ?? 0);
    if (bar !== null) return bar;
  }
  return null;
}

/** What the store is to write for a judged goal; null when nothing moved. */
export function changeOf(
  judged: Judged,
  extra: { readonly base?: PlanBase; readonly receipt?: Receipt } = {},
): GoalChange | null {
  const { head, events, todos, touched, goal_id } = judged.draft;
  if (head === null || (events.length === 0 && extra.base === undefined && extra.receipt === undefined)) return null;
  const put = [...touched].map((id) => todos.get(id)).filter((todo) => todo !== undefined);
  const removed = [...touched].filter((id) => !todos.has(id));
  return { goal_id, events, head, todos_put: put, todos_removed: removed, ...extra };
}
