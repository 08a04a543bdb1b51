/** Laws that hold after whatever agents, persons and editors do to a goal (decision-plane 13.3). */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { someSteps } from "../../../test/arbitrary/goal-steps.ts";
import { type Visit, walk } from "../../../test/arbitrary/goal-walk.ts";
import type { GoalEvent, TodoRecord } from "../events.ts";
import type { TodoId } from "../id.ts";
import type { GoalCommand } from "./command.ts";
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

type EventOf<T extends GoalEvent["type"]> = Extract<GoalEvent, { type: T }>;

function eventsOf<T extends GoalEvent["type"]>(visits: readonly Visit[], type: T): readonly EventOf<T>[] {
  return visits.flatMap(({ events }) => events).filter((event): event is EventOf<T> => event.type === type);
}

function onEach<T extends GoalEvent["type"]>(type: T, check: (event: EventOf<T>, visit: Visit) => void): void {
  onWalks((visits) => {
    for (const visit of visits) for (const event of eventsOf([visit], type)) check(event, visit);
  });
}

describe("whatever happens to a goal", () => {
  it("I1 S1 no todo gets a second lease while the first is live", () =>
    onEach("lease.taken", ({ data }, { before, at }) => {
      const held = before.head?.leases[data.todo_id];
      expect(held === undefined || held.expires_at <= at).toBe(true);
    }));

  it("I1 S2 L1 fencing numbers only grow, also from one life of the goal to the next", () =>
    onWalks((visits) => {
      const given = visits
        .flatMap(({ events }) => events)
        .flatMap((event) => (event.type === "lease.taken" || event.type === "lease.moved" ? [event.data.epoch] : []));
      expect(given).toEqual([...new Set(given)].sort((a, b) => a - b));
      expect(visits.at(-1)?.after.head?.fence).toBe(given.at(-1) ?? 0);
    }));

  it("I1 K1 a write with an old number is refused", () =>
    onWalks((visits) => {
      const late = visits.filter(({ commands, before }) => commands.some((command) => isLate(command, before)));
      expect(late.filter(({ refused }) => refused === null)).toEqual([]);
    }));

  it("S3 no lease is given out while another one that is live writes to the same files", () =>
    onEach("lease.taken", ({ data }, { before, at }) => {
      const others = Object.values(before.head?.leases ?? {}).filter((lease) => lease.todo_id !== data.todo_id);
      const rivals = others.filter((lease) => lease.write_scopes.length > 0 && lease.expires_at > at);
      expect(data.write_scopes.length === 0 || rivals.length === 0).toBe(true);
    }));

  it("I3 N2 N3 each spending has its own written turn or run before it", () =>
    onEach("turn.spent", ({ agent_id }, { before, after }) => {
      expect(Object.keys(before.head?.unspent ?? {})).toContain(agent_id ?? "");
      expect(Object.keys(after.head?.unspent ?? {})).not.toContain(agent_id ?? "");
    }));

  it("I4 O1 work that a command closes names what comes next, or why nothing does", () =>
    onEach("todo.closed", ({ data }, { before }) => {
      const todo = before.todos.get(data.todo_id);
      expect(todo !== undefined && kindOf(todo) === "work" && data.next.kind === "open").toBe(false);
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

function isLate(command: GoalCommand, { todos }: GoalState): boolean {
  if (!("fence" in command) || command.fence.epoch === null) return false;
  const todo = todos.get(command.todo_id);
  return todo !== undefined && command.fence.epoch !== (todo.lease_epoch ?? 0);
}

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
