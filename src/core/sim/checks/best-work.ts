/**
 * No starvation: whoever asks is offered the first todo that they may do, found here by looking at every todo with the plainest
 * conditions; and what is first for everybody is taken up soon.
 *
 * B1  Only what a todo says of itself is shared with the decision (`todo-traits.ts`): not its rules, lists or pages.
 */
import type { TodoRecord } from "../../events.ts";
import { scopeCovers } from "../../goal/decision-scope.ts";
import { isLive } from "../../goal/fence.ts";
import {
  capabilitiesOf,
  decisionScopesOf,
  excludedFrom,
  expiresAtOf,
  gateScopeOf,
  kindOf,
  needsOf,
  ownerOf,
  wakeOf,
  writeScopesOf,
} from "../../goal/todo-traits.ts";
import { scopesOverlap } from "../../goal/write-scope.ts";
import { type AgentId, parseAgentId } from "../../id.ts";
import type { Instant } from "../../instant.ts";
import type { DecisionRequest, Why } from "../../next/decision.ts";
import { turnWants, UNITS, windowOf } from "../../quota/law.ts";
import type { Ledger } from "../ledger.ts";
import { type Decided, type Flaw, flaw, type Step } from "../step.ts";

/** Said before any todo is looked at. */
const ABOUT_THE_GOAL: ReadonlySet<Why> = new Set<Why>([
  "state_unreadable",
  "stopped",
  "archived",
  "quota_invalid",
  "paused",
  "monitor_only",
]);
/** Come before work, or say that the best work is not to be begun. */
const BEFORE_WORK: ReadonlySet<Why> = new Set<Why>(["continue", "stalled", "monitor_due", "scope"]);
const MOST_PASSED_OVER = 200;

/** Before the step is counted. */
export function bestWorkFlaw(step: Step, ledger: Ledger): Flaw | null {
  const { decided, wall } = step;
  if (decided === null || decided.now !== wall) return null; // While the clock is held up, lists are of a moment before.
  const { why } = decided.decision;
  if (ABOUT_THE_GOAL.has(why)) return null;
  if (why === "rate_limited") return waitFlaw(decided, ledger);
  if (why === "throttled") return throttleFlaw(decided, ledger);
  const best = bestOf(ledger, decided);
  return orderFlaw(decided, best) ?? hungerFlaw(step, ledger, best);
}

function orderFlaw(decided: Decided, best: TodoRecord | null): Flaw | null {
  const { request, decision } = decided;
  const { why, todo } = decision;
  if (BEFORE_WORK.has(why)) return null;
  if (why === "work") {
    if (best?.todo_id === todo?.todo_id) return null;
    return flaw("order", `${request.agent} was offered ${todo?.todo_id}, and ${best?.todo_id ?? "nothing"} comes first for them`);
  }
  return best === null ? null : flaw("starvation", `${request.agent} may do ${best.todo_id} and was told ${why}`);
}

function hungerFlaw({ events }: Step, { passed_over }: Ledger, best: TodoRecord | null): Flaw | null {
  if (best === null || events.some(({ type }) => type === "lease.taken")) return null;
  const times = (passed_over.get(best.todo_id) ?? 0) + 1;
  passed_over.set(best.todo_id, times);
  return times <= MOST_PASSED_OVER
    ? null
    : flaw("starvation", `${best.todo_id} came first in ${times} decisions and nobody took it`);
}

function waitFlaw({ request, now }: Decided, { waits }: Ledger): Flaw | null {
  const until = request.agent === null ? undefined : waits.get(request.agent);
  return until !== undefined && until > now
    ? null
    : flaw("starvation", `${request.agent} is held, and no wait of theirs is open`);
}

function throttleFlaw({ now }: Decided, ledger: Ledger): Flaw | null {
  const { quota } = ledger.terms.goal;
  if (quota.kind === "invalid") return null;
  const { caps } = windowOf(quota.settings);
  const [taken, wants] = [ledger.taken(now), turnWants(caps)];
  const short = UNITS.some((unit) => taken[unit] + wants[unit] > (caps[unit] ?? Number.POSITIVE_INFINITY) && wants[unit] > 0);
  return short ? null : flaw("I2", `throttled, and only ${taken.slots} slots of ${caps.slots} are taken`);
}

function bestOf(ledger: Ledger, { request, now }: Decided): TodoRecord | null {
  let best: TodoRecord | null = null;
  for (const todo of ledger.fold.todos.values()) {
    if (todo.status !== "open" || todo.archived || kindOf(todo) !== "work") continue;
    if (best !== null && !comesBefore(ledger, [todo, best], { request, now })) continue;
    if (mayDo(ledger, { todo, request, now })) best = todo;
  }
  return best;
}

const UNRANKED = 50;

/** By rank; of one rank those that one has claimed; then by place. */
function comesBefore(
  ledger: Ledger,
  [a, b]: readonly [TodoRecord, TodoRecord],
  { request, now }: Pick<Question, "request" | "now">,
): boolean {
  const { agent } = request;
  const rank = (todo: TodoRecord): number => todo.priority ?? UNRANKED;
  const own = (todo: TodoRecord): number => (agent !== null && holderOf(ledger, todo, now) === agent ? 0 : 1);
  const order = rank(a) - rank(b) || own(a) - own(b) || a.index - b.index;
  return order < 0 || (order === 0 && a.todo_id < b.todo_id);
}

interface Question {
  readonly todo: TodoRecord;
  readonly request: DecisionRequest;
  readonly now: Instant;
}

function mayDo(ledger: Ledger, question: Question): boolean {
  const { todo, request } = question;
  const { todos } = ledger.fold;
  if (request.agent !== null && excludedFrom(todo).includes(request.agent)) return false;
  if (needsOf(todo).some((id) => isAwaited(todos.get(id), question.now))) return false;
  if (!hasCome(question) || !isFree(ledger, question)) return false;
  if (capabilitiesOf(todo).some((name) => name !== "shell" && !request.capabilities.includes(name))) return false;
  for (const gate of todos.values()) if (holdsUp(gate, question)) return false;
  return true;
}

function isAwaited(needed: TodoRecord | undefined, now: Instant): boolean {
  return needed?.status !== "done" && !(needed !== undefined && isOver(needed, now));
}

/** A question that is taken for approved when its time is up. */
function isOver(gate: TodoRecord, now: Instant): boolean {
  const until = gate.metadata["default_outcome"] === "approve" ? expiresAtOf(gate) : null;
  return until !== null && until <= now && kindOf(gate) === "gate";
}

function hasCome({ todo, now }: Question): boolean {
  const wake = wakeOf(todo);
  if (wake?.kind === "time") return wake.at <= now;
  return wake?.kind !== "polled" || todo.wake_met === true;
}

function isFree(ledger: Ledger, { todo, request, now }: Question): boolean {
  const { leases } = ledger;
  const held = leases.get(todo.todo_id)?.lease;
  if (held !== undefined && isLive(held, now)) {
    if (
      held.owner !== request.agent ||
      (held.instance !== undefined && request.instance !== null && held.instance !== request.instance)
    )
      return false;
  }
  const claimed = claimantOf(ledger, todo);
  if (claimed !== null && claimed !== request.agent) return false;
  const scopes = writeScopesOf(todo);
  return ![...leases.values()].some(
    ({ lease }) => lease.todo_id !== todo.todo_id && isLive(lease, now) && scopesOverlap(lease.write_scopes, scopes),
  );
}

function holderOf(ledger: Ledger, todo: TodoRecord, now: Instant): AgentId | null {
  const held = ledger.leases.get(todo.todo_id)?.lease;
  return held !== undefined && isLive(held, now) ? held.owner : claimantOf(ledger, todo);
}

/** Whoever claimed it beside the lease that stands on it. */
function claimantOf({ leases }: Ledger, todo: TodoRecord): AgentId | null {
  const held = leases.get(todo.todo_id)?.lease;
  const owner = ownerOf(todo);
  return held === undefined || owner !== held.owner ? owner : parseAgentId(held.claimed_before ?? "");
}

/** One that names todos holds them until it is answered, put off or not; any other while it is open. */
function holdsUp(gate: TodoRecord, { todo, request, now }: Question): boolean {
  if (isOver(gate, now) || gate.status === "done" || gate.archived || kindOf(gate) !== "gate") return false;
  const scope = gateScopeOf(gate);
  if (scope.kind !== "todos" && gate.status !== "open") return false;
  switch (scope.kind) {
    case "todos":
      return (gate.metadata["unblocks_todo_id"] ?? "").split(",").includes(todo.todo_id);
    case "agents":
      return request.agent !== null && scope.agents.includes(request.agent);
    case "decision":
      return decisionScopesOf(todo).some((needed) => scopeCovers(scope.scope, needed));
    case "goal":
      return true;
  }
}
