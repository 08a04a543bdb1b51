/**
 * What the rules look at, worked out once for one agent at one moment.
 *
 * Does not own: whether one todo can be done (`doable.ts`), the order of the rules (`rules.ts`).
 */
import type { TodoRecord } from "../events.ts";
import { compareReady } from "../goal/ready-order.ts";
import { ownerOf } from "../goal/todo-traits.ts";
import type { Instant } from "../instant.ts";
import type { Situation } from "./asking.ts";
import type { DecisionRequest, DecisionState } from "./decision.ts";
import { hindranceOf } from "./doable.ts";
import { isLapsed } from "./gates.ts";

export function situationOf(state: DecisionState, request: DecisionRequest, now: Instant): Situation {
  const bare: Situation = { state, request, now, work: null, mine: null };
  const situation = { ...bare, mine: mineOf(bare) };
  return { ...situation, work: workOf(situation) };
}

function workOf(situation: Situation): TodoRecord | null {
  const { passes_over } = situation.request;
  const offered = candidates(situation).filter(({ todo_id }) => passes_over?.has(todo_id) !== true);
  const doable = offered.filter((todo) => hindranceOf(situation, todo) === null);
  const [first] = doable;
  if (first === undefined) return null;
  const { agent } = situation.request;
  const rank = first.priority;
  const own = doable.find((todo) => todo.priority === rank && agent !== null && ownerOf(todo) === agent);
  return own ?? first;
}

/** A gate that ran out leaves what it held up where the store finds what waits. */
function candidates({ state: { frontier }, now }: Situation): readonly TodoRecord[] {
  if (!frontier.gates.some((gate) => isLapsed(gate, now))) return frontier.work;
  return [...frontier.work, ...frontier.waiting].sort(compareReady);
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
