/**
 * A goal as it was right after one of its events: the same use cases run on it as on what stands now.
 *
 * Does not own: what is kept for looking back (the store), what is answered (the use cases).
 *
 * P1  Head and todos are what the journal up to that event gives: from the last state that was kept before it, not from the beginning.
 * P2  The clock stands at the event: ages, "expired" and windows are those of that moment.
 * P3  What people declare now is not in the journal: quota, agents and write scope are told as they are declared today. Whether the
 *     goal was active is what the journal says.
 * P4  Nothing is written: neither a fact nor a cache.
 * P5  A time means the newest event that is not after it, as far as the clock went forward.
 */
import { foldOn } from "../core/goal/fold-journal.ts";
import type { GoalHead, GoalState } from "../core/goal/head.ts";
import { compareReady } from "../core/goal/ready-order.ts";
import type { GoalId } from "../core/id.ts";
import { type Instant, parseInstant } from "../core/instant.ts";
import { frontierOf } from "../core/next/frontier.ts";
import { done, type Reply, reject } from "../core/result.ts";
import type { ShownMoment } from "../core/show/why.ts";
import type { EventQuery, LoadedGoal, LoadRequest, Store } from "../ports/store.ts";
import { spentUntil } from "./past-spend.ts";
import { findRegistered, type RegisteredGoal, type RegistryRows, registryRows } from "./registry-rows.ts";
import type { Workspace } from "./workspace.ts";

export interface PastGoal {
  /** Shows the goal as it was; the store of it writes nothing. */
  readonly workspace: Workspace;
  readonly rows: RegistryRows;
  /** As declared, active or not as the journal then said. */
  readonly registered: RegisteredGoal;
  readonly head: GoalHead;
  readonly todos: GoalState["todos"];
  readonly at: ShownMoment;
}

export async function lookBack(
  workspace: Workspace,
  { goalId, at }: { readonly goalId: string | null; readonly at: string },
): Promise<Reply<PastGoal>> {
  if (goalId === null) {
    return reject("at_needs_goal", "--at looks at one goal: say which.", { fix: "loopx status --goal-id GOAL --at SEQ" });
  }
  const rows = await registryRows(workspace);
  if (rows.kind !== "done") return rows;
  const registered = await findRegistered(rows.value, goalId);
  if (registered.kind !== "done") return registered;
  const { goal_id } = registered.value.goal;
  const { head: standing } = await workspace.store.load({ goal_id, todos: "none", base: "none" });
  const seq = standing === null ? noEvents(goal_id) : await seqOf(workspace.store, standing, at);
  if (seq.kind !== "done") return seq;
  const { head, todos } = await stateAfter(workspace.store, goal_id, seq.value);
  if (head === null) throw new Error(`the journal of goal ${goal_id} does not begin with its opening`);
  const time = head.last_at;
  return done({
    workspace: workspaceAt(workspace, { head, todos }),
    rows: rows.value,
    registered: asItWas(registered.value, head),
    head,
    todos,
    at: { seq: seq.value, time },
  });
}

/** (P1) */
async function stateAfter(store: Store, goal_id: GoalId, seq: number): Promise<GoalState> {
  let state: GoalState = (await store.standingBefore(goal_id, seq)) ?? { head: null, todos: new Map() };
  for (;;) {
    const from = state.head?.seq ?? 0;
    if (from >= seq) return state;
    const limit = Math.min(PAGE, seq - from);
    const events = await store.events({ goal_id, order: "oldest_first", beyond_seq: from, limit });
    if (events.length === 0) return state;
    state = foldOn(state, events);
  }
}

const PAGE = 1000;

async function seqOf(store: Store, head: GoalHead, text: string): Promise<Reply<number>> {
  if (/^\d+$/.test(text)) {
    const seq = Number(text);
    return seq >= 1 && seq <= head.seq ? done(seq) : outOfRange(store, head, text);
  }
  const time = parseInstant(text);
  if (time === null) {
    return reject("at_invalid", `--at takes the number of an event or a time, not ${JSON.stringify(text)}.`, {
      fix: `loopx history --goal-id ${head.goal_id}`,
    });
  }
  const seq = await newestNotAfter(store, head, time);
  return seq === 0 ? outOfRange(store, head, text) : done(seq);
}

/** (P5) 0: all events are later. */
async function newestNotAfter(store: Store, head: GoalHead, time: Instant): Promise<number> {
  let [known, later] = [0, head.seq + 1];
  while (later - known > 1) {
    const middle = Math.floor((known + later) / 2);
    const at = await timeOf(store, head, middle);
    if (at <= time) known = middle;
    else later = middle;
  }
  return known;
}

async function timeOf(store: Store, { goal_id, generation }: GoalHead, seq: number): Promise<Instant> {
  const [event] = await store.events({ goal_id, generation, order: "oldest_first", beyond_seq: seq - 1, limit: 1 });
  if (event === undefined) throw new Error(`goal ${goal_id} has no event ${seq}`);
  return event.at;
}

async function outOfRange(store: Store, head: GoalHead, text: string): Promise<Reply<never>> {
  const [first, last] = [await timeOf(store, head, 1), await timeOf(store, head, head.seq)];
  const range = `from 1 (${first}) to ${head.seq} (${last})`;
  return reject("at_out_of_range", `Goal ${head.goal_id} has events ${range}; ${text} is none of them.`, {
    problems: [{ path: "--at", code: "at_out_of_range", message: range }],
  });
}

function noEvents(goalId: GoalId): Reply<never> {
  return reject("at_out_of_range", `Goal ${goalId} has no events yet.`, { fix: `loopx refresh --goal-id ${goalId}` });
}

/** (P3) */
function asItWas(registered: RegisteredGoal, { lifecycle }: GoalHead): RegisteredGoal {
  const { goal } = registered;
  const activation =
    lifecycle.kind === "active"
      ? ({ state: "active", updated_at: null, reason: null } as const)
      : ({
          state: "stopped",
          updated_at: lifecycle.since,
          reason: lifecycle.kind === "stopped" ? lifecycle.reason : null,
        } as const);
  return { ...registered, goal: { ...goal, activation } };
}

/** For decisions, which rest on the plan as the journal has it and not on what the file says today. */
export function withoutFile(registered: RegisteredGoal): RegisteredGoal {
  return { ...registered, goal: { ...registered.goal, state_file: null } };
}

interface Past extends GoalState {
  readonly head: GoalHead;
}

function workspaceAt(workspace: Workspace, past: Past): Workspace {
  return { ...workspace, clock: { now: () => past.head.last_at }, store: storeAt(workspace.store, past) }; // (P2)
}

/** (P4) */
function storeAt(store: Store, past: Past): Store {
  const { goal_id, generation, seq } = past.head;
  const until = (query: EventQuery): EventQuery =>
    query.order === "newest_first" ? { ...query, beyond_seq: Math.min(query.beyond_seq ?? seq + 1, seq + 1) } : query;
  const open = [...past.todos.values()].filter((todo) => todo.status === "open" && !todo.archived).sort(compareReady);
  return {
    ...store,
    load: async (request) => await loadAt(store, past, request),
    events: async (query) => {
      const events = await store.events({ ...until(query), generation });
      return events.filter((event) => event.seq <= seq);
    },
    readyTodos: async (_goal, { role, limit }) => open.filter((todo) => todo.role === role).slice(0, limit),
    claimedTodos: async (_goal, { except, limit }) =>
      open.filter(({ metadata }) => isStrange(metadata["claimed_by"], except)).slice(0, limit),
    saveSighting: async () => false,
    saveViews: async () => false,
    standingBefore: async (id, before) => await store.standingBefore(id, Math.min(before, seq)),
    mirroredSeq: async () => Math.min(seq, await store.mirroredSeq(goal_id, generation)),
    transact: () => Promise.reject(new Error("what was is not written to")),
  };
}

function isStrange(claimant: string | undefined, known: readonly string[]): boolean {
  return claimant !== undefined && claimant !== "" && !known.includes(claimant);
}

async function loadAt(store: Store, { head, todos }: Past, request: LoadRequest): Promise<LoadedGoal> {
  const { goal_id, frontier, spend } = request;
  const asked = request.todos !== "none" || frontier !== undefined;
  return {
    goal_id,
    head,
    todos: asked ? todos : new Map(),
    base: null,
    receipt: null,
    frontier: frontier === undefined ? null : frontierOf(todos.values(), frontier, head),
    spend: spend === undefined ? null : await spentUntil(store, head, spend),
  };
}
