/**
 * Questions whose time is up get the answer that they said they would then have.
 *
 * S1  Whoever polls, refreshes or answers meets them; a read only shows that they are due.
 * S2  It is recorded as decided by default, in a transaction of its own; one that was answered meanwhile stays as it was.
 */
import type { GoalEvent } from "../core/events.ts";
import { defaultAnswer } from "../core/goal/gate-expiry.ts";
import type { GoalId, TodoId } from "../core/id.ts";
import { done, type Problem, type Reply } from "../core/result.ts";
import type { Workspace, WritingWorkspace } from "./workspace.ts";
import { type Asking, writeTodos } from "./write-todos.ts";

export interface SettledGates {
  readonly decided: readonly { readonly todo_id: TodoId; readonly outcome: string }[];
  /** All that followed. */
  readonly events: number;
  readonly warnings: readonly Problem[];
}

const NONE: SettledGates = { decided: [], events: 0, warnings: [] };

export async function settleGates(workspace: WritingWorkspace, asking: Asking): Promise<Reply<SettledGates>> {
  const due = await dueGates(workspace, asking.registered.goal.goal_id);
  if (due.length === 0) return done(NONE);
  const written = await writeTodos(
    workspace,
    { ...asking, agent: null, turn: null },
    {
      todos: due,
      step: (state) => {
        return due.flatMap((id) => {
          const gate = state.todos.get(id);
          const answer = gate === undefined ? null : defaultAnswer(gate, state.at);
          return answer === null ? [] : [answer]; // (S2)
        });
      },
    },
  );
  if (written.kind !== "done") return written;
  const { events, warnings } = written.value;
  return done({ decided: events.flatMap(decidedBy), events: events.length, warnings });
}

/** A goal that waits for nobody costs one look-up: all of its questions are there whatever the limit (F1 of `core/next/frontier.ts`). */
export async function dueGates({ clock, store }: Workspace, goal_id: GoalId): Promise<readonly TodoId[]> {
  const now = clock.now();
  const frontier = { agent: null, now, limit: 1, only: "gates" } as const;
  const { frontier: found } = await store.load({ goal_id, todos: "none", base: "none", frontier });
  return (found?.gates ?? []).filter((gate) => defaultAnswer(gate, now) !== null).map(({ todo_id }) => todo_id);
}

function decidedBy(event: GoalEvent): SettledGates["decided"] {
  return event.type === "gate.decided" ? [{ todo_id: event.data.todo_id, outcome: event.data.outcome }] : [];
}
