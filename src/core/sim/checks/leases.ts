/**
 * I1: a todo has at most one live lease, its number only grows, a write with an old number is refused; and nobody holds a todo
 * longer than the time that was given.
 */
import type { GoalEvent } from "../../events.ts";
import type { TodoId } from "../../id.ts";
import { type Instant, millisecondsBetween } from "../../instant.ts";
import { MINUTE, SECOND } from "../clock.ts";
import type { HeldLease, Ledger } from "../ledger.ts";
import { type Flaw, flaw, type Step } from "../step.ts";

/** Before the step is counted. */
export function leaseFlaw(step: Step, ledger: Ledger): Flaw | null {
  const ended = new Set<TodoId>();
  let newest = ledger.newest_epoch;
  for (const event of step.events) {
    if (event.type === "lease.freed") ended.add(event.data.todo_id);
    if (event.type !== "lease.taken" && event.type !== "lease.moved") continue;
    const { todo_id, epoch } = event.data;
    if (epoch <= newest) return flaw("I1", `${todo_id} got the number ${epoch}, and ${newest} had been given before`);
    newest = epoch;
    const second = event.type === "lease.taken" ? secondFlaw(step, ledger, { todo_id, isEnded: ended.has(todo_id) }) : null;
    if (second !== null) return second;
  }
  return lateFlaw(step, ledger);
}

interface Given {
  readonly todo_id: TodoId;
  readonly isEnded: boolean;
}

function secondFlaw({ at }: Step, { leases }: Ledger, { todo_id, isEnded }: Given): Flaw | null {
  const held = leases.get(todo_id)?.lease;
  if (held === undefined) return null;
  if (held.expires_at > at) return flaw("I1", `${todo_id} was leased anew while ${held.owner} held it until ${held.expires_at}`);
  return isEnded ? null : flaw("I1", `${todo_id} got a second lease, and the first was never ended`);
}

const ABOUT_THE_WORK: ReadonlySet<GoalEvent["type"]> = new Set<GoalEvent["type"]>([
  "todo.changed",
  "todo.closed",
  "lease.freed",
  "lease.moved",
  "monitor.polled",
]);

function lateFlaw({ request, events }: Step, { epochs }: Ledger): Flaw | null {
  if (!("epoch" in request) || request.epoch === epochs.get(request.todo_id)) return null;
  const { todo_id, epoch, kind } = request;
  const about = events.find(
    (event) =>
      (ABOUT_THE_WORK.has(event.type) || (kind === "renew" && event.type === "lease.renewed")) &&
      "todo_id" in event.data &&
      event.data.todo_id === todo_id,
  );
  if (about === undefined) return null;
  return flaw("I1", `${kind} with the number ${epoch} wrote ${about.type} of ${todo_id}, whose newest is ${epochs.get(todo_id)}`);
}

/** Beyond that the clock of the machine is no longer held up (W3 of `commands/goal-clock.ts`). */
const CLOCK_TOLERANCE = 5 * MINUTE;

/** After the step was counted. A claim meets every lease: from then on each has at most its own time left. */
export function holdingFlaw(step: Step, ledger: Ledger): Flaw | null {
  if (step.request.kind !== "claim" || step.replayed || step.refused !== null || step.failed) return null;
  if (step.request.todo_id !== null && step.events.length === 0) return null;
  for (const [todo_id, held] of ledger.leases) {
    if (held.lease.expires_at <= step.at) continue;
    const why = tooLong(held, ledger, step);
    if (why !== null)
      return flaw("lease_ends", `${held.lease.owner} still holds ${todo_id} until ${held.lease.expires_at}: ${why}`);
  }
  return null;
}

function tooLong({ lease, since }: HeldLease, { clock }: Ledger, { at, passed }: { at: Instant; passed: number }): string | null {
  const left = millisecondsBetween(at, lease.expires_at);
  if (left > lease.ttl_ms) return `${left} ms are left of ${lease.ttl_ms}`;
  const wasSet = clock.steps.some((step) => step.by < 0 && step.at + CLOCK_TOLERANCE >= since);
  const age = passed - since;
  return !wasSet && age > lease.ttl_ms + SECOND ? `it was given ${age} ms ago for ${lease.ttl_ms}` : null;
}
