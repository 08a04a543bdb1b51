/**
 * What happens to turns, spending and waiting agents in the fold.
 *
 * U1  The head keeps the newest open turns only: their number does not grow with history.
 * U2  A turn on a todo that saw what the one before saw is no progress: it is counted until something new is seen.
 * U3  What is spent about a todo is taken out of what its owner had set aside for it: it counts once.
 */
import type { GoalEvent, Stall, Units, WrittenTurn } from "../events.ts";
import type { TodoId, TurnId } from "../id.ts";
import { beyondReserved } from "../quota/law.ts";
import { type Foldable, setTodo } from "./evolve-todo.ts";
import { leaseOf } from "./fence.ts";
import type { GoalHead, OpenTurn } from "./head.ts";

const MOST_OPEN_TURNS = 64;

/** False: the event is about something else. */
export function foldTurn(state: Foldable, head: GoalHead, event: GoalEvent): boolean {
  switch (event.type) {
    case "turn.decided":
      state.head = { ...head, turns: withTurn(head.turns, event) };
      return true;
    case "turn.written":
      write(state, PROGRESS.has(event.data.outcome) ? accountable(head, event, event.data) : head, event.data);
      return true;
    case "turn.spent":
      state.head = {
        ...settled(head, event),
        leases: withoutSpent(head, event),
        spent: addUnits(head.spent, event.data.units, 1),
      };
      return true;
    case "turn.voided":
      state.head = { ...head, spent: addUnits(head.spent, event.data.units, -1) };
      return true;
    case "agent.waits":
      state.head = { ...head, waits: withWait(head, event) };
      return true;
    case "agent.wait_ended": {
      const { [event.data.agent_id]: _ended, ...waits } = head.waits;
      state.head = { ...head, waits };
      return true;
    }
    case "evidence.recorded":
      state.head = head;
      return true;
    default:
      return false;
  }
}

const PROGRESS: ReadonlySet<string> = new Set(["completed", "progress"]);

/** Something was delivered that may be spent. */
export function accountable(
  head: GoalHead,
  { seq, agent_id }: GoalEvent,
  { turn_id = null, todo_id }: { readonly turn_id?: TurnId | null; readonly todo_id: TodoId | null },
): GoalHead {
  return { ...head, unspent: { ...head.unspent, [agent_id ?? ""]: { seq, turn_id, todo_id } } };
}

/** What another turn delivered can still be spent. */
function settled(head: GoalHead, { agent_id, data }: Extract<GoalEvent, { type: "turn.spent" }>): GoalHead {
  const waiting = head.unspent[agent_id ?? ""];
  if (waiting !== undefined && data.turn_id !== undefined && waiting.turn_id !== data.turn_id) return head;
  const { [agent_id ?? ""]: _spent, ...unspent } = head.unspent;
  return { ...head, unspent };
}

/** (U3) */
function withoutSpent(
  head: GoalHead,
  { agent_id, data: { todo_id, units } }: Extract<GoalEvent, { type: "turn.spent" }>,
): GoalHead["leases"] {
  const lease = todo_id === null ? null : leaseOf(head, todo_id);
  if (lease === null || lease.owner !== agent_id) return head.leases;
  return { ...head.leases, [lease.todo_id]: { ...lease, reserved: beyondReserved(units, lease.reserved) } };
}

/** (U1) */
function withTurn(turns: GoalHead["turns"], event: Extract<GoalEvent, { type: "turn.decided" }>): GoalHead["turns"] {
  const { turn_id, todo_id, request } = event.data;
  const turn: OpenTurn = { turn_id, agent_id: event.agent_id ?? null, todo_id, seq: event.seq, decided_at: event.at, request };
  const kept = Object.values(turns)
    .filter((other) => other.turn_id !== turn_id)
    .sort((a, b) => a.seq - b.seq) // Names like "7" stand in front whatever their age.
    .slice(1 - MOST_OPEN_TURNS);
  return Object.fromEntries([...kept, turn].map((each) => [each.turn_id, each]));
}

function write(state: Foldable, head: GoalHead, written: WrittenTurn): void {
  const { turn_id, todo_id } = written;
  if (turn_id === undefined) state.head = head;
  else {
    const { [turn_id]: _written, ...turns } = head.turns;
    state.head = { ...head, turns };
  }
  const todo = todo_id === null ? undefined : state.todos.get(todo_id);
  if (todo === undefined) return;
  const { stall: before, ...rest } = todo;
  const stall = stallAfter(before, written);
  setTodo(state, { ...rest, ...(stall !== null && { stall }) });
}

/** (U2) Null: something new was seen. */
function stallAfter(before: Stall | undefined, { outcome, observation }: WrittenTurn): Stall | null {
  const same = before?.observation === observation;
  const failed = outcome === "failed" || outcome === "repair";
  if (!failed && !same && observation !== "") return { observation, failures: 0, quiet: 0 };
  return {
    observation,
    failures: failed ? (same ? before.failures : 0) + 1 : 0,
    quiet: same || observation === "" ? (before?.quiet ?? 0) + 1 : 0,
  };
}

function withWait(head: GoalHead, event: Extract<GoalEvent, { type: "agent.waits" }>): GoalHead["waits"] {
  const agent = event.agent_id;
  if (agent === undefined) return head.waits;
  const standing = Object.entries(head.waits).filter(([id, wait]) => wait.until > event.at && id !== agent);
  return Object.fromEntries([...standing, [agent, event.data]]);
}

export function addUnits(a: Units, b: Units, sign: 1 | -1): Units {
  return { slots: a.slots + sign * b.slots, tokens: a.tokens + sign * b.tokens, wall_ms: a.wall_ms + sign * b.wall_ms };
}
