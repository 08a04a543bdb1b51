import { describe, expect, it } from "vitest";
import type { TodoRecord } from "../events.ts";
import { toRunTime } from "../instant.ts";
import { at, id, SampleGoal, todo } from "./goal.sample.ts";

const watching = (metadata: TodoRecord["metadata"] = {}): SampleGoal =>
  new SampleGoal(todo("watch", { task_class: "continuous_monitor", metadata }));

const poll = (goal: SampleGoal, result_hash: string, material_change: boolean | null = null): string =>
  goal.give({ kind: "poll-monitor", todo_id: id("watch"), result_hash, material_change });

describe("looking at what a monitor watches", () => {
  it("M1 never closes it and sets its time on by one cadence from now", () => {
    const goal = watching({ cadence: "2h", next_due_at: "2026-01-01T00:00:00Z" });
    goal.now = at(60);
    expect(poll(goal, "h")).toBe("accepted");
    expect(goal.todo("watch")).toMatchObject({
      status: "open",
      metadata: { last_checked_at: toRunTime(at(60)), next_due_at: toRunTime(at(60 + 7200)), material_change: "true" },
    });
  });

  it.each([undefined, "0m", "often", "9999999d"])("M1 comes again in half an hour with a cadence of %s", (cadence) => {
    const goal = watching(cadence === undefined ? {} : { cadence });
    poll(goal, "h");
    expect(goal.todo("watch").metadata["next_due_at"]).toBe(toRunTime(at(1800)));
  });

  it("M2 counts how often the same was seen, and begins again with a change", () => {
    const goal = watching();
    const unchanged = (): string | undefined => goal.todo("watch").metadata["consecutive_no_change"];
    for (const [hash, count] of [
      ["h", "0"],
      ["h", "1"],
      ["h", "2"],
      ["i", "0"],
    ] as const) {
      poll(goal, hash);
      expect(unchanged()).toBe(count);
    }
    poll(goal, "j", false);
    expect(unchanged()).toBe("1");
    poll(goal, "j", true);
    expect(unchanged()).toBe("0");
  });

  it("M2 begins with one where the count cannot be read", () => {
    const goal = watching({ consecutive_no_change: "many", result_hash: "h" });
    poll(goal, "h");
    expect(goal.todo("watch").metadata["consecutive_no_change"]).toBe("1");
  });

  it("is for open monitors alone", () => {
    expect(poll(new SampleGoal(todo("watch")), "h")).toBe("not_a_monitor");
    expect(poll(new SampleGoal(todo("watch", { task_class: "continuous_monitor", status: "blocked" })), "h")).toBe(
      "not_a_monitor",
    );
    expect(poll(new SampleGoal(), "h")).toBe("unknown_todo");
  });
});

describe("looking at what a todo waits for", () => {
  const wake = (goal: SampleGoal): string => goal.give({ kind: "wake-todo", todo_id: id("watch") });

  it("notes once that it has come", () => {
    const goal = new SampleGoal(todo("watch", { metadata: { resume_when: "pr_merged:#1" } }));
    expect(wake(goal)).toBe("accepted");
    expect(goal.todo("watch").wake_met).toBe(true);
    const { length } = goal.draft.events;
    expect(wake(goal)).toBe("accepted");
    expect(goal.since(length)).toEqual([]);
  });

  it("E4 has not come when another condition takes its place", () => {
    const goal = new SampleGoal(todo("watch", { metadata: { resume_when: "pr_merged:#1" } }));
    wake(goal);
    goal.edit("watch", { text: "Do it later" });
    expect(goal.todo("watch").wake_met).toBe(true);
    goal.edit("watch", { metadata: { resume_when: "pr_merged:#2" } });
    expect(goal.todo("watch")).not.toHaveProperty("wake_met");
  });

  it.each([{}, { resume_when: "todo_done:todo_one" }, { resume_when: "2026-01-01" }])("is no look-up for %j", (metadata) =>
    expect(wake(new SampleGoal(todo("watch", { metadata })))).toBe("no_condition"),
  );
});
