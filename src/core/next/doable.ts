/**
 * Whether an agent can do a todo now, and if not, the first thing that stands in its way.
 *
 * Does not own: which of those that can be done is best (`situation.ts`), the goal's quota and activation (rules).
 *
 * D1  The conditions are tested in one order, so that `why-not` names the first that fails, and what would change it.
 * D2  A gate holds up exactly what it covers (`gates.ts`).
 * D3  An agent that only looks after monitors takes up no other work; what it holds already it may finish.
 */
import { loopxCommand } from "../command-line.ts";
import type { TodoRecord } from "../events.ts";
import { claimantOf, leaseOf } from "../goal/fence.ts";
import {
  capabilitiesOf,
  dueAtOf,
  excludedFrom,
  expiresAtOf,
  kindOf,
  targetCapabilitiesOf,
  wakeOf,
  writeScopesOf,
} from "../goal/todo-traits.ts";
import { scopesOverlap } from "../goal/write-scope.ts";
import { rivalLease, type Situation } from "./asking.ts";
import { awaitedBy, coveringGate } from "./gates.ts";

export interface Hindrance {
  readonly code: string;
  readonly message: string;
  /** The command, or what has to happen. */
  readonly change: string;
  /** Who or what holds it up. */
  readonly by?: string;
}

type Condition = (situation: Situation, todo: TodoRecord) => Hindrance | null;

/** What every agent can do (decision-plane 5.4). */
const ASSUMED: ReadonlySet<string> = new Set(["shell", "filesystem_read", "filesystem_write"]);
/** What only the owner can give. */
const OF_OWNER: ReadonlySet<string> = new Set(["credentials", "production_access"]);

const isOpen: Condition = (_situation, todo) => {
  if (todo.status === "open" && !todo.archived) return null;
  const is = todo.archived ? "archived" : todo.status;
  const { reason } = todo.metadata;
  return {
    code: "not_open",
    message: `it is ${is}${todo.status !== "done" && reason !== undefined ? `: ${reason}` : ""}`,
    change: is === "done" ? "add a new todo" : `loopx todo reopen ${todo.todo_id}`,
  };
};

const isForAgents: Condition = (_situation, todo) =>
  todo.role === "agent" ? null : { code: "for_person", message: "it is for a person", change: "loopx gate list" };

const isWork: Condition = (_situation, todo) => {
  const kind = kindOf(todo);
  if (kind !== "blocker") return null;
  return {
    code: "is_blocker",
    message: "it names what is in the way and is no work itself",
    change: `loopx todo complete --todo-id ${todo.todo_id}`,
  };
};

const isNotExcluded: Condition = ({ request }, todo) => {
  if (request.agent === null || !excludedFrom(todo).includes(request.agent)) return null;
  return { code: "agent_excluded", message: `${request.agent} is excluded from it`, change: "another agent takes it" };
};

/** (D3) */
const isForMonitoring: Condition = ({ state, request, now }, todo) => {
  const { agent } = request;
  if (agent === null || !state.goal.monitor_only.includes(agent) || kindOf(todo) === "monitor") return null;
  const lease = state.head === null ? null : leaseOf(state.head, todo.todo_id);
  if (lease !== null && lease.owner === agent && lease.expires_at > now) return null;
  const about = ["--goal-id", state.goal.goal_id, "--agent-work-mode", `${agent}=active`, "--execute"];
  return {
    code: "monitor_only",
    message: `${agent} only looks after monitors`,
    change: loopxCommand("configure-goal", ...about),
  };
};

const isNotLeased: Condition = (situation, todo) => {
  const lease = rivalLease(situation, todo.todo_id);
  if (lease === null) return null;
  return {
    code: "leased",
    message: `${lease.owner} holds it until ${lease.expires_at}`,
    change: "the lease ends",
    by: lease.owner,
  };
};

const isNotClaimed: Condition = ({ state, request }, todo) => {
  const owner = claimantOf(todo, state.head === null ? null : leaseOf(state.head, todo.todo_id));
  if (owner === null || request.agent === null || owner === request.agent) return null;
  return {
    code: "claimed",
    message: `${owner} claimed it`,
    change: `loopx todo update --todo-id ${todo.todo_id} --clear-claim`,
    by: owner,
  };
};

const needsAreDone: Condition = (situation, todo) => {
  const [first] = awaitedBy(situation, todo);
  if (first === undefined) return null;
  const gate = situation.state.frontier.gates.find(({ todo_id }) => todo_id === first);
  if (gate !== undefined) return unanswered(gate);
  return { code: "waits_for", message: `it waits for ${first}`, change: `${first} is done or approved`, by: first };
};

const wakeIsMet: Condition = ({ request, now }, todo) => {
  const wake = wakeOf(todo);
  const due = dueAtOf(todo);
  if (due !== null && due > now) return { code: "not_yet", message: `it waits until ${due}`, change: "that time comes" };
  if (wake?.kind === "polled" && todo.wake_met !== true)
    return { code: "condition", message: `it waits for ${wake.condition}`, change: "loopx poll" };
  if (wake?.kind === "capacity_available" && !has(request.capabilities, wake.capability))
    return { code: "capacity", message: `it waits for ${wake.capability}`, change: `--available-capability ${wake.capability}` };
  return null;
};

const isNotOver: Condition = ({ now }, todo) => {
  const ends = kindOf(todo) === "monitor" ? expiresAtOf(todo) : null;
  if (ends === null || ends > now) return null;
  return { code: "expired", message: `it ended at ${ends}`, change: `loopx todo complete --todo-id ${todo.todo_id}` };
};

/** (D2) */
const noGateCovers: Condition = (situation, todo) => {
  const gate = coveringGate(situation, todo);
  return gate === null ? null : unanswered(gate);
};

function unanswered({ todo_id }: TodoRecord): Hindrance {
  return { code: "gate", message: `it waits for an answer to ${todo_id}`, change: `loopx gate approve ${todo_id}`, by: todo_id };
}

const hasCapabilities: Condition = ({ request }, todo) => {
  const missing = missingCapability(request.capabilities, todo);
  if (missing === null) return null;
  const code = OF_OWNER.has(missing) ? "owner_capability" : "capability";
  return { code, message: `it needs ${missing}`, change: `--available-capability ${missing}`, by: missing };
};

/** Whoever holds it: not even the agent's other executions, or its own other work, are given the same files (S3 of `goal/lease.ts`). */
const scopesAreFree: Condition = ({ state, now }, todo) => {
  const scopes = writeScopesOf(todo);
  const rival = Object.values(state.head?.leases ?? {}).find(
    (lease) => lease.todo_id !== todo.todo_id && lease.expires_at > now && scopesOverlap(lease.write_scopes, scopes),
  );
  if (rival === undefined) return null;
  return {
    code: "write_scope",
    message: `${rival.owner} writes to the same files for ${rival.todo_id}`,
    change: "the lease ends",
    by: rival.owner,
  };
};

/** (D1) */
const CONDITIONS: readonly Condition[] = [
  isOpen,
  isForAgents,
  isWork,
  isNotExcluded,
  isForMonitoring,
  isNotLeased,
  isNotClaimed,
  needsAreDone,
  isNotOver,
  wakeIsMet,
  noGateCovers,
  hasCapabilities,
  scopesAreFree,
];

export function hindranceOf(situation: Situation, todo: TodoRecord): Hindrance | null {
  for (const condition of CONDITIONS) {
    const found = condition(situation, todo);
    if (found !== null) return found;
  }
  return null;
}

/** A todo that is there to bring the capability about may be done without it. */
function missingCapability(available: readonly string[], todo: TodoRecord): string | null {
  const targets = targetCapabilitiesOf(todo);
  return capabilitiesOf(todo).find((name) => !ASSUMED.has(name) && !targets.includes(name) && !has(available, name)) ?? null;
}

function has(available: readonly string[], name: string): boolean {
  return available.some((given) => given.toLowerCase().replaceAll("-", "_") === name);
}
