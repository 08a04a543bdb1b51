/** Laws that hold after whatever agents, persons and editors do to a goal (decision-plane 13.3). */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { someSteps } from "../../../test/arbitrary/goal-steps.ts";
import { type Visit, walk } from "../../../test/arbitrary/goal-walk.ts";
import type { GoalEvent, TodoRecord } from "../events.ts";
import type { TodoId } from "../id.ts";
import { foldJournal } from "./fold-journal.ts";
import type { GoalState, Todos } from "./head.ts";
import { coversByName, kindOf, needsOf } from "./todo-traits.ts";

const RUNS = { numRuns: 60 };

function onWalks(check: (visits: readonly Visit[]) => void): void {
  fc.assert(
    fc.property(someSteps(60), (steps) => check(walk(steps))),
    RUNS,
  );
}

function eventsOf<T extends GoalEvent["type"]>(visits: readonly Visit[], type: T): readonly Extract<GoalEvent, { type: T }>[] {
  return visits.flatMap(({ events }) => events).filter((event): event is Extract<GoalEvent, { type: T }> => event.type === type);
}

describe("whatever happens to a goal", () => {
  it("I1 no todo gets a second lease while the first is live", () =>
    onWalks((visits) => {
      for (const { before, events, at } of visits) {
        for (const event of events) {
          if (event.type !== "lease.taken") continue;
          const held = before.head?.leases[event.data.todo_id];
          expect(held === undefined || held.expires_at <= at).toBe(true);
        }
      }
    }));

  it("I1 S2 L1 fencing numbers only grow, also from one life of the goal to the next", () =>
    onWalks((visits) => {
      let newest = 0;
      for (const event of visits.flatMap(({ events }) => events)) {
        if (event.type !== "lease.taken" && event.type !== "lease.moved") continue;
        expect(event.data.epoch).toBeGreaterThan(newest);
        newest = event.data.epoch;
      }
      expect(visits.at(-1)?.after.head?.fence).toBe(newest);
    }));

  it("I1 K1 a write with an old number is refused", () =>
    onWalks((visits) => {
      for (const { commands, before, refused } of visits) {
        for (const command of commands) {
          if (!("fence" in command) || command.fence.epoch === null) continue;
          const todo = before.todos.get(command.todo_id);
          if (todo !== undefined && command.fence.epoch !== (todo.lease_epoch ?? 0)) expect(refused).not.toBeNull();
        }
      }
    }));

  it("S3 no lease is given out while another one that is live writes to the same files", () =>
    onWalks((visits) => {
      for (const { before, events, at } of visits) {
        for (const event of events) {
          if (event.type !== "lease.taken" || event.data.write_scopes.length === 0) continue;
          const others = Object.values(before.head?.leases ?? {}).filter((lease) => lease.todo_id !== event.data.todo_id);
          expect(others.filter((lease) => lease.write_scopes.length > 0 && lease.expires_at > at)).toEqual([]);
        }
      }
    }));

  it("I3 N2 N3 each spending has its own written turn or run before it", () =>
    onWalks((visits) => {
      const unspent = new Map<string, boolean>();
      for (const event of visits.flatMap(({ events }) => events)) {
        const agent = event.agent_id ?? "";
        if (event.type === "goal.opened") unspent.clear();
        if (event.type === "turn.written" && ["completed", "progress"].includes(event.data.outcome)) unspent.set(agent, true);
        if (event.type !== "turn.spent") continue;
        expect(unspent.get(agent)).toBe(true);
        unspent.set(agent, false);
      }
    }));

  it("I4 O1 work that a command closes names what comes next, or why nothing does", () =>
    onWalks((visits) => {
      for (const { before, events } of visits) {
        for (const event of events) {
          if (event.type !== "todo.closed") continue;
          const todo = before.todos.get(event.data.todo_id);
          if (todo !== undefined && kindOf(todo) === "work") expect(event.data.next.kind).not.toBe("open");
        }
      }
    }));

  it("I6 A2 W2 nothing open waits for what was rejected just now", () =>
    onWalks((visits) => {
      for (const { events, after } of visits) {
        const rejected = events.flatMap((event) =>
          event.type === "todo.closed" && event.data.outcome === "rejected" ? [event.data.todo_id] : [],
        );
        const open = [...after.todos.values()].filter((todo) => todo.status === "open" && !todo.archived);
        expect(open.filter((todo) => needsOf(todo).some((id) => rejected.includes(id)))).toEqual([]);
      }
    }));

  it("I8 G4 a refused command leaves everything as it was", () =>
    onWalks((visits) => {
      for (const { refused, before, after, events } of visits) {
        if (refused === null) continue;
        expect(events).toEqual([]);
        expect(after).toBe(before);
      }
    }));

  it("I11 G2 H1 folding the journal from its first event gives the same bytes", () =>
    onWalks((visits) => {
      const last = visits.at(-1)?.after;
      expect(textOf(foldJournal(visits.flatMap(({ events }) => events)))).toBe(textOf(last ?? { head: null, todos: new Map() }));
    }));

  it("E1 what a todo waits for is what it needs and the gates that name it, as far as they are not done", () =>
    onWalks((visits) => {
      for (const { after } of visits) {
        for (const todo of after.todos.values()) expect(todo.waits_for ?? []).toEqual(expectedWaits(after.todos, todo));
      }
    }));

  it("E2 O2 a closed todo has no lease, and no lease is of a todo that is not there", () =>
    onWalks((visits) => {
      for (const { after } of visits) {
        const held = Object.keys(after.head?.leases ?? {}).map((id) => after.todos.get(id as TodoId)?.status);
        expect(held.filter((status) => status === "done" || status === undefined)).toEqual([]);
      }
    }));

  it("E3 only closed work that said nothing is a gap", () =>
    onWalks((visits) => {
      for (const { after } of visits) {
        for (const todo of after.todos.values()) {
          if (todo.gap === true)
            expect([todo.status, kindOf(todo), todo.metadata["no_followup"]]).toEqual(["done", "work", undefined]);
        }
      }
    }));

  it("H1 the counts are those of the todos", () =>
    onWalks((visits) => {
      for (const { after } of visits) {
        const all = [...after.todos.values()];
        const of = (status: TodoRecord["status"]): number => all.filter((todo) => todo.status === status).length;
        expect(after.head?.todo_counts).toEqual({
          open: of("open"),
          blocked: of("blocked"),
          deferred: of("deferred"),
          done: of("done"),
          waiting_for_person: all.filter((todo) => todo.status === "open" && todo.role === "user" && !todo.archived).length,
        });
      }
    }));

  it("H1 what was spent is the sum of what was spent", () =>
    onWalks((visits) => {
      const life = visits.at(-1)?.after.head?.generation;
      const spent = eventsOf(visits, "turn.spent").filter((event) => event.generation === life);
      const slots = spent.reduce((sum, event) => sum + event.data.units.slots, 0);
      expect(visits.at(-1)?.after.head?.spent.slots).toBe(slots);
    }));

  it("reaches what it is about", () => {
    const seen = new Set<string>();
    fc.assert(
      fc.property(someSteps(60), (steps) => {
        for (const { events, refused } of walk(steps)) {
          for (const { type } of events) seen.add(type);
          if (refused !== null) seen.add(refused);
        }
      }),
      { numRuns: 400, seed: 1 },
    );
    for (const expected of REACHED) expect(seen).toContain(expected);
  });
});

const REACHED = [
  "todo.added",
  "todo.changed",
  "todo.withdrawn",
  "todo.closed",
  "gate.decided",
  "lease.taken",
  "lease.renewed",
  "lease.moved",
  "lease.freed",
  "turn.decided",
  "turn.written",
  "turn.spent",
  "agent.waits",
  "monitor.polled",
  "archive.done",
  "stale_epoch",
  "todo_lease_conflict",
  "write_scope_conflict",
  "dependency_cycle",
  "continuation_required",
  "gate_decided",
  "goal_stopped",
  "spend_without_turn",
];

function expectedWaits(todos: Todos, todo: TodoRecord): readonly TodoId[] {
  const needs = needsOf(todo).filter((id) => todos.get(id)?.status !== "done");
  const gates = [...todos.values()]
    .filter((gate) => gate.status !== "done" && !gate.archived && coversByName(gate).includes(todo.todo_id))
    .map((gate) => gate.todo_id)
    .filter((id) => !needsOf(todo).includes(id));
  return [...needs, ...gates.sort()];
}

function textOf({ head, todos }: GoalState): string {
  return JSON.stringify([head, [...todos.values()].sort((a, b) => (a.todo_id < b.todo_id ? -1 : 1))]);
}
