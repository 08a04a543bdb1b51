/**
 * What the rules look at, worked out once for one agent at one moment.
 *
 * Does not own: whether one todo can be done (`doable.ts`), the order of the rules (`rules.ts`).
 */
import type { TodoRecord } from "../events.ts";
import type { Instant } from "../instant.ts";
import type { Situation } from "./asking.ts";
import type { DecisionRequest, DecisionState } from "./decision.ts";
import { hindranceOf } from "./doable.ts";
import { takenUp } from "./frontier.ts";
import { isLapsed } from "./gates.ts";

export function situationOf(state: DecisionState, request: DecisionRequest, now: Instant): Situation {
  const bare: Situation = { state, request, now, work: null, mine: null };
  const situation = { ...bare, mine: mineOf(bare) };
  return { ...situation, work: workOf(situation) };
}

function workOf(situation: Situation): TodoRecord | null {
  const { passes_over } = situation.request;
  const offered = candidates(situation).filter(({ todo_id }) => passes_over?.has(todo_id) !== true);
  return offered.find((todo) => hindranceOf(situation, todo) === null) ?? null;
}

/** A gate that ran out leaves what it held up where the store finds what waits. */
function candidates({ state: { frontier, head }, request: { agent }, now }: Situation): readonly TodoRecord[] {
  if (!frontier.gates.some((gate) => isLapsed(gate, now))) return frontier.work;
  return takenUp([...frontier.work, ...frontier.waiting], { agent, now }, head);
}

function mineOf({ state, request }: Situation): Situation["mine"] {
  const { head, todos } = state;
  if (head === null || request.agent === null) return null;
  const leases = Object.values(head.leases).filter(
    (lease) =>
      lease.owner === request.agent &&
      (request.instance === null || lease.instance === undefined || lease.instance === request.instance),
  );
  const held = leases
    .toSorted((a, b) => a.epoch - b.epoch)
    .flatMap((lease) => {
      const todo = todos.get(lease.todo_id);
      return todo !== undefined && todo.status === "open" ? [{ lease, todo }] : [];
    });
  return held[0] ?? null;
}
