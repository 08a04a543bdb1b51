import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { GoalFact, TodoRecord } from "../events.ts";
import type { GoalId, TodoId } from "../id.ts";
import { type Instant, instantFromEpoch } from "../instant.ts";
import type { GoalCommand } from "./command.ts";
import { append, draftOf, type GoalDraft } from "./draft.ts";
import { evolve } from "./evolve.ts";
import { handle } from "./handle.ts";

const GOAL = "g1" as GoalId;
const REGISTRY = "/p/.loopx/registry.json";
const at = (seconds: number): Instant => instantFromEpoch(1_780_000_000_000 + seconds * 1000) as Instant;

function empty(): GoalDraft {
  return draftOf(GOAL, { head: null, todos: new Map() });
}

function give(draft: GoalDraft, command: GoalCommand, seconds: number): string {
  const handled = handle({ head: draft.head, todos: draft.todos }, command, at(seconds));
  if ("kind" in handled) return handled.code;
  append(draft, handled, { at: at(seconds) });
  return "accepted";
}

function todo(name: string, fields: Partial<TodoRecord> = {}): TodoRecord {
  return {
    todo_id: `todo_${name}` as TodoId,
    id_source: "metadata",
    role: "agent",
    text: name,
    status: "open",
    priority: null,
    task_class: null,
    section: "Agent Todo",
    index: 1,
    archived: false,
    metadata: {},
    ...fields,
  };
}

const run = (classification: string, scope: "goal" | "agent_lane" = "goal"): GoalCommand => ({
  kind: "record-run",
  run: {
    classification,
    recommended_action: "go on",
    recommended_action_source: "explicit_arg",
    health_check: "state_file 1/1",
    progress_scope: scope,
    state: null,
  },
});

const opened = (): GoalDraft => {
  const draft = empty();
  give(draft, { kind: "open-goal", registry: REGISTRY }, 0);
  return draft;
};

describe("a goal's journal", () => {
  it("G1 numbers events from 1 without a hole, and a new generation from 1 again", () => {
    const draft = opened();
    give(draft, run("state_refreshed"), 1);
    give(draft, { kind: "start-archive", source: "/r/goals/g1", target: "/r/archived-goals/g1-x" }, 2);
    give(draft, { kind: "finish-archive" }, 3);
    give(draft, { kind: "open-goal", registry: REGISTRY }, 4);
    give(draft, run("state_refreshed"), 5);
    expect(draft.events.map((event) => [event.generation, event.seq, event.type])).toEqual([
      [1, 1, "goal.opened"],
      [1, 2, "run.recorded"],
      [1, 3, "archive.started"],
      [1, 4, "archive.done"],
      [2, 1, "goal.opened"],
      [2, 2, "run.recorded"],
    ]);
    expect(draft.head).toMatchObject({ generation: 2, seq: 2, run_count: 1 });
  });

  it("G5 a goal on its way, and one that is archived, takes nothing but the end of the way", () => {
    const draft = opened();
    give(draft, { kind: "start-archive", source: "/a", target: "/b" }, 1);
    expect(give(draft, run("state_refreshed"), 2)).toBe("goal_moving");
    expect(give(draft, { kind: "finish-archive" }, 3)).toBe("accepted");
    expect(give(draft, run("state_refreshed"), 4)).toBe("goal_archived");
    expect(give(draft, { kind: "set-next-action", text: "x" }, 5)).toBe("goal_archived");
    expect(draft.head?.lifecycle).toEqual({ kind: "archived", since: at(3), target: "/b" });
  });

  it("G6 a stopped goal records no run until it is active again", () => {
    const draft = opened();
    give(draft, { kind: "set-activation", activation: "stopped", reason: "budget" }, 1);
    expect(give(draft, run("state_refreshed"), 2)).toBe("goal_stopped");
    give(draft, { kind: "set-activation", activation: "active", reason: "" }, 3);
    expect(give(draft, run("state_refreshed"), 4)).toBe("accepted");
  });

  it("refuses another registry the goal that one already owns", () => {
    expect(give(opened(), { kind: "open-goal", registry: "/other/registry.json" }, 1)).toBe("goal_belongs_to");
  });

  it("G10 starting an archive again keeps the first target; finishing without a start does nothing", () => {
    const draft = opened();
    expect(handle({ head: draft.head, todos: draft.todos }, { kind: "finish-archive" }, at(0))).toEqual([]);
    give(draft, { kind: "start-archive", source: "/a", target: "/b" }, 1);
    give(draft, { kind: "start-archive", source: "/a", target: "/c" }, 2);
    expect(draft.head?.lifecycle).toMatchObject({ kind: "archiving", target: "/b" });
  });

  it("G4 a refused command has no events", () => {
    const draft = opened();
    give(draft, { kind: "set-activation", activation: "stopped", reason: "" }, 1);
    const before = JSON.stringify(draft.head);
    give(draft, run("state_refreshed"), 2);
    expect(JSON.stringify(draft.head)).toBe(before);
  });
});

describe("the latest run", () => {
  it("R3 passes over bookkeeping classes and agent lanes", () => {
    const draft = opened();
    give(draft, run("delivered"), 1);
    give(draft, run("quota_slot_spent"), 2);
    give(draft, run("lane_work", "agent_lane"), 3);
    expect(draft.head).toMatchObject({ run_count: 3, latest_run: { classification: "delivered", at: at(1) } });
  });

  it("does not make what is known of the plan any newer", () => {
    const draft = opened();
    give(draft, { kind: "set-next-action", text: "a" }, 1);
    give(draft, run("delivered"), 2);
    expect(draft.head).toMatchObject({ seq: 3, intent_seq: 2, plan_seq: 2 });
  });
});

const nextAction = (before: readonly string[] | null, after: readonly string[] | null): GoalCommand => ({
  kind: "accept-plan",
  changes: [{ kind: "next_action_changed", before, after }],
  base: new Map(),
});

describe("both sides of the plan", () => {
  it("G7 takes over what only the file changed", () => {
    const draft = opened();
    give(draft, nextAction(null, ["a"]), 1);
    give(draft, nextAction(["a"], ["b"]), 2);
    expect(draft.head).toMatchObject({ next_action: { entries: ["b"], changed_at: at(2) }, conflicts: [], plan_seq: 0 });
  });

  it("G8 keeps both where both changed, and the file's stands", () => {
    const draft = opened();
    give(draft, nextAction(null, ["a"]), 1);
    give(draft, { kind: "set-next-action", text: "ours" }, 2);
    give(draft, nextAction(["a"], ["theirs"]), 3);
    expect(draft.head?.next_action.entries).toEqual(["theirs"]);
    expect(draft.head?.conflicts).toEqual([{ field: "next_action", ours: "ours", theirs: "theirs", since: at(3) }]);
  });

  it("settles a conflict when Next Action is said again", () => {
    const draft = opened();
    give(draft, { kind: "set-next-action", text: "ours" }, 1);
    give(draft, nextAction(["a"], ["theirs"]), 2);
    give(draft, { kind: "set-next-action", text: "theirs" }, 3);
    expect(draft.head?.conflicts).toEqual([]);
  });

  it("G9 has no event for what is already so", () => {
    const draft = opened();
    give(draft, { kind: "set-next-action", text: "a" }, 1);
    const count = draft.events.length;
    give(draft, { kind: "set-next-action", text: "a" }, 2);
    give(draft, nextAction(null, ["a"]), 3);
    expect(draft.events).toHaveLength(count);
  });
});

const names = fc.constantFrom("aa1", "bb2", "cc3", "dd4");
const status = fc.constantFrom("open", "done", "blocked", "deferred" as const);
const role = fc.constantFrom("agent", "user" as const);
const facts: fc.Arbitrary<GoalFact> = fc.oneof(
  fc.record({ name: names, status, role }).map(
    ({ name, ...fields }): GoalFact => ({
      type: "todo.added",
      data: { todo: todo(name, fields as Partial<TodoRecord>), source: "file" },
    }),
  ),
  fc.record({ name: names, status }).map(
    ({ name, status: next }): GoalFact => ({
      type: "todo.changed",
      data: { todo_id: `todo_${name}` as TodoId, fields: { status: next as TodoRecord["status"] }, source: "command" },
    }),
  ),
  names.map((name): GoalFact => ({ type: "todo.withdrawn", data: { todo_id: `todo_${name}` as TodoId } })),
  fc.constant<GoalFact>({ type: "goal.opened", data: { registry: REGISTRY } }),
  fc.constant<GoalFact>({ type: "plan.conflict", data: { field: "next_action", ours: "a", theirs: "b" } }),
  fc.constant<GoalFact>({ type: "goal.stopped", data: { reason: "r" } }),
);

describe("folding", () => {
  it("G2 a rebuild from the events gives the same bytes", () => {
    fc.assert(
      fc.property(fc.array(facts, { maxLength: 60 }), (list) => {
        const live = opened();
        for (const [index, fact] of list.entries()) append(live, [fact], { at: at(index) });
        const rebuilt = empty();
        for (const event of live.events) evolve(rebuilt, event);
        expect(JSON.stringify(rebuilt.head)).toBe(JSON.stringify(live.head));
        expect(JSON.stringify([...rebuilt.todos])).toBe(JSON.stringify([...live.todos]));
      }),
    );
  });

  it("G3 counts what is there, whatever came before", () => {
    fc.assert(
      fc.property(fc.array(facts, { maxLength: 60 }), (list) => {
        const draft = opened();
        for (const [index, fact] of list.entries()) append(draft, [fact], { at: at(index) });
        const todos = [...draft.todos.values()];
        for (const kind of ["open", "done", "blocked", "deferred"] as const) {
          expect(draft.head?.todo_counts[kind]).toBe(todos.filter((entry) => entry.status === kind).length);
        }
        const waiting = todos.filter((entry) => entry.status === "open" && entry.role === "user");
        expect(draft.head?.todo_counts.waiting_for_person).toBe(waiting.length);
      }),
    );
  });
});
