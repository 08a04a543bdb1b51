/** A small world for `live`: goals with one file each, a store that holds events, and counts of what was done. */
import type { GoalEvent } from "../core/events.ts";
import type { GoalId } from "../core/id.ts";
import { addMilliseconds } from "../core/instant.ts";
import { done, type Reply } from "../core/result.ts";
import { goalId, instant } from "../core/show/view.sample.ts";
import type { FedEvent } from "../ports/store.ts";
import type { LiveSources, Watched } from "./live.ts";
import type { WatchedGoal } from "./live-sweep.ts";
import type { Scheduler } from "./scheduler.ts";

const START = instant("2026-03-10T08:00:00Z");

export interface SampleWorld {
  readonly sources: LiveSources;
  /** What was reconciled, in order. */
  readonly reconciled: GoalId[];
  readonly counts: { status: number; feed: number; look: number };
  /** Fingerprint of each file; the title is what the status shows. */
  readonly prints: Map<string, string>;
  title: string;
  unsettled: boolean;
  /** Thrown by the store, while it is set. */
  trouble: Error | null;
  declare(ids: readonly string[]): void;
  /** As another process would. */
  commit(goal: string, reason?: string): FedEvent;
  /** As this process would: the counter does not move. */
  commitOwn(goal: string): FedEvent;
  due: GoalId[];
  reconcile: Watched["reconcile"];
  status: () => Promise<Reply<object>>;
}

export function sampleWorld(scheduler: Scheduler, ids: readonly string[] = ["alpha", "beta"]): SampleWorld {
  const events: FedEvent[] = [];
  let counter = 0;
  let goals: readonly WatchedGoal[] = [];
  const append = (goal: string, reason: string): FedEvent => {
    const pos = String(events.length + 1);
    const seq = events.filter(({ event }) => event.goal_id === goal).length + 1;
    const at = addMilliseconds(START, events.length);
    const event: GoalEvent = { goal_id: goalId(goal), generation: 1, seq, at, type: "goal.stopped", data: { reason } };
    const fed = { pos, event };
    events.push(fed);
    return fed;
  };
  const world: SampleWorld = {
    reconciled: [],
    counts: { status: 0, feed: 0, look: 0 },
    prints: new Map(),
    title: "first",
    unsettled: false,
    trouble: null,
    due: [],
    declare: (named) => {
      goals = named.map((id) => ({ goal_id: goalId(id), declaration: id, paths: [`/${id}.md`] }));
    },
    commit: (goal, reason = "") => {
      counter += 1;
      return append(goal, reason);
    },
    commitOwn: (goal) => append(goal, "own"),
    reconcile: async (goalIds) => {
      world.reconciled.push(...goalIds);
    },
    status: async () => done({ ...statusOf(goals, world.title), checked: { now: counter, earlier: 0, oldest: null } }),
    sources: {
      intervalMs: 5000,
      scheduler,
      clock: { now: () => START },
      log: { write: () => undefined },
      progress: { report: () => undefined },
      files: { fingerprint: (path) => world.prints.get(path) ?? null, isSettled: () => !world.unsettled },
      watched: {
        goals: async () => goals,
        reconcile: (goalIds) => world.reconcile(goalIds),
        due: async () => world.due.splice(0),
      },
      status: () => {
        world.counts.status += 1;
        return world.status();
      },
      store: sampleStore(() => world, { events, counter: () => counter }),
    },
  };
  world.declare(ids);
  return world;
}

function statusOf(goals: readonly WatchedGoal[], title: string): object {
  return {
    ok: true,
    registry: "/p/.loopx/registry.json",
    runtime_root: "/p/.loopx/runtime",
    goal_count: goals.length,
    goals: goals.map(({ goal_id }) => ({ goal_id, run_count: 0, next_action: title, latest_run: null, drift: [], problems: [] })),
    attention_queue: [],
    left_out: null,
  };
}

function sampleStore(
  world: () => SampleWorld,
  { events, counter }: { readonly events: readonly FedEvent[]; readonly counter: () => number },
): LiveSources["store"] {
  return {
    changeCounter: async () => {
      world().counts.look += 1;
      const { trouble } = world();
      if (trouble !== null) throw trouble;
      return counter();
    },
    feed: async (after, limit) => {
      world().counts.feed += 1;
      const from = after === null ? 0 : Number(after);
      return events.filter(({ pos }) => Number(pos) > from).slice(0, limit);
    },
    lastPosition: async () => events.at(-1)?.pos ?? null,
  };
}
