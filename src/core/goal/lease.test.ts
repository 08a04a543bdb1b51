import { describe, expect, it } from "vitest";
import { addMilliseconds } from "../instant.ts";
import { agent, at, fence, gate, id, SampleGoal, todo, turn } from "./goal.sample.ts";

describe("taking a lease", () => {
  it("S1 is refused while another is live, and says whose", () => {
    const goal = new SampleGoal(todo("one"));
    expect(goal.take("one", "a1")).toBe("accepted");
    expect(goal.take("one", "b2")).toBe("todo_lease_conflict");
    goal.now = at(99.999);
    expect(goal.take("one", "b2")).toBe("todo_lease_conflict");
    goal.now = at(100);
    expect(goal.take("one", "b2")).toBe("accepted");
    expect(goal.head.leases["todo_one"]).toMatchObject({ owner: "b2", epoch: 2, version: 1, expires_at: at(200) });
  });

  it("S1 again by the same hand changes nothing; another instance, turn or key is another hand", () => {
    const goal = new SampleGoal(todo("one"));
    const mine = { instance: "i", turn_id: turn("t"), key: "k" };
    goal.take("one", "a1", mine);
    const { length } = goal.draft.events;
    expect(goal.take("one", "a1", mine)).toBe("accepted");
    expect(goal.since(length)).toEqual([]);
    for (const other of [{ instance: "j" }, { turn_id: turn("u") }, { key: "l" }])
      expect(goal.take("one", "a1", { ...mine, ...other })).toBe("todo_lease_conflict");
  });

  it("S2 gets the next number of the goal, whatever the todo, and ends what ran out", () => {
    const goal = new SampleGoal(todo("one"), todo("two"));
    goal.take("one", "a1");
    goal.take("two", "a1");
    goal.now = at(500);
    const { length } = goal.draft.events;
    goal.take("one", "a1");
    expect(goal.since(length)).toEqual(["lease.freed", "lease.taken"]);
    expect([goal.head.leases["todo_one"]?.epoch, goal.head.fence]).toEqual([3, 3]);
  });

  it("S2 goes on counting in the next life of the goal", () => {
    const goal = new SampleGoal(todo("one"));
    goal.take("one", "a1");
    goal.give({ kind: "start-archive", source: "/a", target: "/b" });
    goal.give({ kind: "finish-archive" });
    goal.give({ kind: "open-goal", registry: "/p/.loopx/registry.json" });
    expect([goal.head.generation, goal.head.fence, goal.head.leases]).toEqual([2, 1, {}]);
    goal.record({ type: "todo.added", data: { todo: todo("one"), source: "file" } });
    goal.take("one", "a1");
    expect(goal.head.leases["todo_one"]?.epoch).toBe(2);
  });

  it("S3 is refused while another agent's lease writes to the same files", () => {
    const goal = new SampleGoal(todo("one"), todo("two"), todo("three"));
    goal.take("one", "a1", { write_scopes: ["src/core/**"] });
    expect(goal.take("two", "b2", { write_scopes: ["src/core/a.ts"] })).toBe("write_scope_conflict");
    expect(goal.take("two", "b2", { write_scopes: ["docs/**"] })).toBe("accepted");
    goal.now = at(150);
    expect(goal.take("three", "b2", { write_scopes: ["src/core/a.ts"] })).toBe("accepted");
  });

  it.each([
    ["unknown_todo", todo("other")],
    ["todo_not_open", todo("one", { status: "blocked" })],
    ["todo_not_open", todo("one", { archived: true })],
    ["todo_for_person", gate("one")],
    ["todo_for_person", todo("one", { role: "user", task_class: "user_action" })],
    ["agent_excluded", todo("one", { metadata: { excluded_agents: "b2, A1" } })],
    ["todo_claimed", todo("one", { metadata: { claimed_by: "b2" } })],
  ])("is refused as %s", (code, record) => expect(new SampleGoal(record).take("one", "a1")).toBe(code));
});

describe("a lease", () => {
  const held = (): SampleGoal => {
    const goal = new SampleGoal(todo("one", { metadata: { excluded_agents: "no-one" } }));
    goal.take("one", "a1", { turn_id: turn("t"), key: "k" });
    return goal;
  };
  const by = { todo_id: id("one"), fence: fence({ agent_id: agent("a1"), epoch: 1 }) };

  it("is renewed from now, with the next version and the same number", () => {
    const goal = held();
    goal.now = at(50);
    expect(goal.give({ kind: "renew-lease", ttl_ms: 10_000, ...by })).toBe("accepted");
    expect(goal.head.leases["todo_one"]).toMatchObject({ epoch: 1, version: 2, renewed_at: at(50), expires_at: at(60) });
    goal.now = at(61);
    expect(goal.give({ kind: "renew-lease", ttl_ms: null, ...by })).toBe("lease_not_live");
  });

  it("S2 is moved with a new number, so that the old one is over", () => {
    const goal = held();
    expect(goal.give({ kind: "move-lease", to: agent("b2"), key: "n", ...by })).toBe("accepted");
    expect(goal.head.leases["todo_one"]).toMatchObject({ owner: "b2", epoch: 2, version: 1, key: "n" });
    expect(goal.head.leases["todo_one"]).not.toHaveProperty("turn_id");
    expect(goal.todo("one").metadata["claimed_by"]).toBe("b2");
    expect(goal.give({ kind: "renew-lease", ttl_ms: null, ...by })).toBe("stale_epoch");
  });

  it("is not moved to who is excluded", () =>
    expect(held().give({ kind: "move-lease", to: agent("no-one"), key: null, ...by })).toBe("agent_excluded"));

  it("is given back by its owner, and once", () => {
    const goal = held();
    const free = { kind: "free-lease", reason: "released", ...by } as const;
    expect(goal.give({ ...free, fence: fence({ agent_id: agent("b2") }) })).toBe("todo_lease_conflict");
    expect(goal.give(free)).toBe("accepted");
    expect(goal.todo("one").metadata).not.toHaveProperty("claimed_by");
    expect(goal.give(free)).toBe("stale_epoch");
    expect(goal.give({ ...free, fence: fence({ agent_id: agent("a1") }) })).toBe("accepted");
    expect(goal.head.leases).toEqual({});
  });

  it("of a todo that is not there is refused", () => {
    const none = { todo_id: id("none"), fence: by.fence };
    expect(held().give({ kind: "renew-lease", ttl_ms: null, ...none })).toBe("unknown_todo");
    expect(held().give({ kind: "free-lease", reason: "released", ...none })).toBe("unknown_todo");
  });

  it("that nobody holds cannot be renewed", () => {
    const goal = new SampleGoal(todo("one"));
    expect(goal.give({ kind: "renew-lease", todo_id: id("one"), ttl_ms: null, fence: fence({}) })).toBe("lease_not_live");
  });

  it("S4 has at most its own length left once the clock was set back", () => {
    const goal = held();
    goal.now = addMilliseconds(at(0), -3_600_000);
    expect(goal.give({ kind: "clamp-leases" })).toBe("accepted");
    expect(goal.head.leases["todo_one"]?.expires_at).toBe(addMilliseconds(goal.now, 100_000));
    const { length } = goal.draft.events;
    goal.give({ kind: "clamp-leases" });
    expect(goal.since(length)).toEqual([]);
  });
});
