import { expect, it } from "vitest";
import { finishCommands } from "./finish.ts";
import { agent, at, SampleGoal, todo } from "./goal.sample.ts";

it("F3 G6 work that was under way when the goal was stopped is finished, and leaves no run", () => {
  const work = todo("work");
  const goal = new SampleGoal(work);
  const lease = {
    todo_id: work.todo_id,
    owner: agent("a1"),
    ttl_ms: 60_000,
    write_scopes: [],
    reserved: { slots: 1, tokens: 0, wall_ms: 0 },
  };
  expect(goal.give({ kind: "take-lease", lease })).toBe("accepted");
  expect(goal.give({ kind: "set-activation", activation: "stopped", reason: "pause" })).toBe("accepted");
  const fence = { agent_id: agent("a1"), turn_id: null, epoch: 1, key: null, version: null };
  const finish = {
    ...{ todo: work, agent_id: agent("a1"), turn_id: null, summary: "done", successors: [], no_follow_up: "that was all" },
    ...{ evidence: [], observation: "o", used: { slots: 1, tokens: 0, wall_ms: 0 }, fence },
  };
  const state = {
    head: goal.head,
    now: at(10),
    caps: { slots: 5, tokens: null, wall_ms: null },
    spent: { slots: 0, tokens: 0, wall_ms: 0 },
  };
  const commands = finishCommands(finish, state);
  for (const command of [{ kind: "clamp-leases" } as const, ...commands])
    expect([command.kind, goal.give(command, { agent: "a1" })]).toEqual([command.kind, "accepted"]);
  expect(goal.draft.todos.get(work.todo_id)?.status).toBe("done");
  expect(goal.draft.events.map(({ type }) => type)).not.toContain("run.recorded");
});
