/**
 * The facts that an answer rested on, each in a few words, and where each of them is written.
 *
 * Does not own: the answer (`rules.ts`), finding the event or the file by its origin (`commands/fact-origins.ts`).
 *
 * F1  Only what the rule that answered looked at is told, the first thing it looked at in front.
 */
import type { TodoRecord } from "../events.ts";
import { leaseOf } from "../goal/fence.ts";
import { dueAtOf } from "../goal/todo-traits.ts";
import type { Situation } from "./asking.ts";
import type { Finding, Why } from "./decision.ts";
import { concerningActions, concerningGates } from "./gates.ts";

/** Where a fact stands: in an event of the journal, in a file of the project, or nowhere (counted, or read off the clock). */
export type FactOrigin =
  | { readonly kind: "todo" | "lease"; readonly todo_id: string }
  | { readonly kind: "spend" }
  | { readonly kind: "wait"; readonly agent_id: string }
  | { readonly kind: "plan"; readonly seq: number }
  | { readonly kind: "registry" }
  | { readonly kind: "state_file" }
  | { readonly kind: "counted" };

export interface Fact {
  readonly about: string;
  readonly says: string;
  readonly origin: FactOrigin;
}

type FactOf = (situation: Situation, finding: Finding) => readonly Fact[];

const COUNTED: FactOrigin = { kind: "counted" };
const REGISTRY: FactOrigin = { kind: "registry" };
const MOST = 3;

const theTodo: FactOf = (_situation, { todo }) => (todo === undefined ? [] : [todoFact("todo", todo)]);

const theLease: FactOf = ({ state, mine }, { todo }) => {
  const id = todo?.todo_id ?? mine?.todo.todo_id;
  const lease = id === undefined || state.head === null ? null : leaseOf(state.head, id);
  if (lease === null) return [];
  const says = `${lease.owner} holds ${lease.todo_id} under number ${lease.epoch} until ${lease.expires_at}`;
  return [{ about: "lease", says, origin: { kind: "lease", todo_id: lease.todo_id } }];
};

const theLeases: FactOf = ({ state, now }) => {
  const live = Object.values(state.head?.leases ?? {}).filter(({ expires_at }) => expires_at > now);
  return live.length === 0 ? [] : [{ about: "leases", says: `${live.length} live`, origin: COUNTED }];
};

const theQuota: FactOf = ({ state: { quota } }) => {
  if (quota.kind === "invalid") return [{ about: "quota", says: quota.problem.message, origin: REGISTRY }];
  const { spent, reserved, allowed, short, next_eligible_at } = quota.state;
  const unit = short ?? "slots";
  const when = next_eligible_at === null ? "" : `; room again at ${next_eligible_at}`;
  return [
    { about: "quota", says: `${allowed ?? "no limit of"} ${unit} are allowed`, origin: REGISTRY },
    { about: "spent", says: `${spent} ${unit} are spent and ${reserved} set aside${when}`, origin: { kind: "spend" } },
  ];
};

const theActivation: FactOf = ({ state: { goal } }) => [
  {
    about: "activation",
    says: `${goal.activation}${goal.activation_reason === "" ? "" : `: ${goal.activation_reason}`}`,
    origin: REGISTRY,
  },
];

const theProblem: FactOf = ({ state: { problem } }) =>
  problem === null ? [] : [{ about: "state_file", says: problem.message, origin: { kind: "state_file" } }];

const theWait: FactOf = ({ state, request }) => {
  const wait = request.agent === null ? undefined : state.head?.waits[request.agent];
  if (wait === undefined || request.agent === null) return [];
  const says = `until ${wait.until}: ${wait.reason}`;
  return [{ about: "wait", says, origin: { kind: "wait", agent_id: request.agent } }];
};

const theAgents: FactOf = ({ state: { goal } }) => [
  { about: "agents", says: `only look after monitors: ${goal.monitor_only.join(", ")}`, origin: REGISTRY },
];

const theScope: FactOf = ({ state: { goal } }) => [{ about: "write_scope", says: goal.write_scope.join(", "), origin: REGISTRY }];

const theFrontier: FactOf = ({ state: { frontier } }) => {
  const { work, waiting, held, monitors, gates, actions, woken, blocked, gaps } = frontier;
  const counts = { ready: work, waiting, "of others": held, monitors, gates, actions, woken, blocked, gaps };
  const some = Object.entries(counts).flatMap(([word, list]) => (list.length === 0 ? [] : [`${list.length} ${word}`]));
  return [{ about: "looked_at", says: some.length === 0 ? "no todo" : some.join(", "), origin: COUNTED }];
};

const theCounts: FactOf = ({ state: { head } }) => {
  if (head === null) return [];
  const { open, blocked, deferred, done } = head.todo_counts;
  const says = `${open} open, ${blocked} blocked, ${deferred} deferred, ${done} done`;
  return [{ about: "todos", says, origin: { kind: "plan", seq: head.intent_seq } }];
};

const theGates: FactOf = (situation) =>
  concerningGates(situation)
    .slice(0, MOST)
    .map((gate) => todoFact("gate", gate));

const theActions: FactOf = (situation) =>
  concerningActions(situation)
    .slice(0, MOST)
    .map((todo) => todoFact("action", todo));

const theMonitors: FactOf = ({ state: { frontier } }) =>
  frontier.monitors.slice(0, MOST).map((todo) => ({
    about: "monitor",
    says: `${todo.todo_id} is due ${dueAtOf(todo) ?? "now"}`,
    origin: { kind: "todo", todo_id: todo.todo_id },
  }));

/** (F1) */
const RESTS_ON: Readonly<Record<Why, readonly FactOf[]>> = {
  state_unreadable: [theProblem],
  stopped: [theActivation],
  archived: [theActivation],
  quota_invalid: [theQuota],
  paused: [theQuota],
  rate_limited: [theWait],
  throttled: [theQuota, theLeases],
  stalled: [theTodo, theLease],
  continue: [theLease, theTodo],
  monitor_due: [theTodo, theFrontier],
  monitor_only: [theAgents, theMonitors],
  workspace: [theTodo, theScope],
  scope: [theTodo, theScope],
  work: [theTodo, theFrontier, theGates, theQuota],
  gap: [theTodo, theFrontier],
  woke: [theTodo, theFrontier],
  capability: [theTodo, theFrontier],
  gate: [theGates, theFrontier],
  owner_capability: [theTodo, theFrontier],
  user_action: [theActions, theFrontier],
  peers_own: [theTodo, theLease, theLeases, theFrontier],
  waiting_on: [theTodo, theGates, theFrontier],
  next_due: [theMonitors, theFrontier],
  complete: [theCounts],
  empty: [theCounts, theFrontier],
};

export function factsOf(situation: Situation, finding: Finding): readonly Fact[] {
  return RESTS_ON[finding.why].flatMap((fact) => fact(situation, finding));
}

function todoFact(about: string, { todo_id, text, status, priority, metadata, stall }: TodoRecord): Fact {
  const owner = metadata["claimed_by"];
  const says = [
    `${todo_id} is ${status}`,
    ...(priority === null ? [] : [`priority ${priority}`]),
    ...(owner === undefined ? [] : [`claimed by ${owner}`]),
    ...(stall === undefined ? [] : [`${stall.failures} equal failures and ${stall.quiet} turns without anything new`]),
  ];
  return { about, says: `${says.join(", ")}: ${text}`, origin: { kind: "todo", todo_id } };
}
