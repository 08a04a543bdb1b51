/** What a person saves in the state file: ticks, words, claims, whole lines gone or new. */
import type { TodoFields, TodoRecord } from "../events.ts";
import type { GoalCommand } from "../goal/command.ts";
import type { TodoId } from "../id.ts";
import type { PlanChange } from "../plan/compare.ts";
import type { PlanTodo } from "../plan/plan.ts";
import type { Surroundings } from "./surroundings.ts";
import { someWork } from "./work.ts";

export function handEdit(world: Surroundings): readonly [string, readonly GoalCommand[]] | null {
  const { random, goal } = world;
  const { head, todos } = goal();
  const todo = random.some([...todos.values()].filter(({ archived }) => !archived));
  if (head === null || todo === null) return null;
  const does = random.weighted({
    tick: 16,
    untick: 6,
    reword: 20,
    rank: 20,
    claim: 8,
    put_off: 12,
    erase: 6,
    write: 12,
    file_away: 4,
  });
  if (does === "write") return saved("writes a line", { kind: "todo_appeared", todo: inFile(someWork(world, head)) }, []);
  const base = inFile(todo);
  const { todo_id } = todo;
  if (does === "erase") return saved(`erases ${todo_id}`, { kind: "todo_missing", todo_id, heading_present: true }, [base]);
  const after = inFile({ ...todo, ...edited(world, todo, does) });
  return saved(`edits ${todo_id}: ${does}`, { kind: "todo_changed", todo_id, todo: after, fields: [] }, [base]);
}

type Edit = "tick" | "untick" | "reword" | "rank" | "claim" | "put_off" | "file_away";

function edited({ random, agents }: Surroundings, { text, metadata }: TodoRecord, does: Edit): TodoFields {
  switch (does) {
    case "tick":
      return { status: "done" };
    case "untick":
      return { status: "open" };
    case "reword":
      return { text: `${text.slice(0, 80)} anew` };
    case "rank":
      return { priority: random.below(5) };
    case "claim": {
      const { claimed_by: _claimed, ...rest } = metadata;
      return { metadata: random.chance(0.5) ? rest : { ...rest, claimed_by: random.some(agents) ?? "" } };
    }
    case "put_off":
      return { status: random.pick(["blocked", "deferred"]) };
    case "file_away":
      return { status: "done", archived: true };
  }
}

function saved(does: string, change: PlanChange, base: readonly PlanTodo[]): readonly [string, readonly GoalCommand[]] {
  const known = new Map<TodoId, PlanTodo>(base.map((todo) => [todo.todo_id, todo]));
  return [does, [{ kind: "accept-plan", changes: [change], base: known }]];
}

const NOWHERE = { start: 0, end: 0 };

function inFile(todo: TodoRecord): PlanTodo {
  const { todo_id, id_source, role, text, status, priority, task_class, section, index, archived, metadata } = todo;
  return {
    ...{ todo_id, id_source, role, text, status, priority, task_class, section, index, archived, metadata },
    declared_id: todo_id,
    checkbox: status === "blocked" ? "open" : status,
    line: 0,
    marker: NOWHERE,
    first_line: NOWHERE,
    todo_line: NOWHERE,
    continuation: [],
    comment: null,
    comments: [],
    block: NOWHERE,
  };
}
