/** Todos as people write them down: with priorities, needs, times, scopes, owners; and questions to people. */
import type { TodoRecord } from "../events.ts";
import type { GoalHead } from "../goal/head.ts";
import { newTodo } from "../goal/new-todo.ts";
import type { TodoId } from "../id.ts";
import { addMilliseconds, type Instant, toRunTime } from "../instant.ts";
import { HOUR, MINUTE } from "./clock.ts";
import type { Random } from "./random.ts";
import type { Surroundings } from "./surroundings.ts";

type Metadata = Record<string, string>;

export function newWork(
  world: Surroundings,
  head: GoalHead,
  { text, metadata }: { readonly text: string; readonly metadata: Metadata },
): TodoRecord {
  const words = { todo_id: world.names.todo(), role: "agent", text, status: "open", metadata } as const;
  return newTodo({ ...words, priority: world.random.chance(0.7) ? world.random.below(5) : null }, head);
}

/** Of any kind, with whatever hangs on it. */
export function someWork(world: Surroundings, head: GoalHead): TodoRecord {
  const { random } = world;
  const kind = random.weighted({ plain: 60, monitor: 8, later: 8, deferred: 5, polled: 3 });
  const todo = newWork(world, head, { text: "Do the work", metadata: { ...sideConditions(world), ...timesOf(world, kind) } });
  const task_class = kind === "monitor" ? "continuous_monitor" : "advancement_task";
  return { ...todo, task_class, status: kind === "deferred" ? "deferred" : "open" };
}

function timesOf({ random, clock }: Surroundings, kind: string): Metadata {
  const now = clock.wall();
  switch (kind) {
    case "monitor":
      return { cadence: random.pick(["5m", "20m", "2h"]), ...(random.chance(0.3) && { expires_at: later(random, now, 8) }) };
    case "later":
    case "deferred":
      return { resume_when: `at:${later(random, now, 3)}` };
    case "polled":
      return { resume_when: "pr_merged:#1" };
    default:
      return {};
  }
}

function later(random: Random, now: Instant, hours: number): string {
  return toRunTime(addMilliseconds(now, random.between(MINUTE, hours * HOUR)));
}

function sideConditions(world: Surroundings): Metadata {
  const { random, agents } = world;
  const needs = someIds(world, (todo) => todo.role === "agent");
  const agent = random.some(agents) ?? "";
  return {
    ...(random.chance(0.3) && needs !== "" && { depends_on: needs }),
    ...(random.chance(0.06) && { excluded_agents: agent }),
    ...(random.chance(0.06) && { claimed_by: agent }),
    ...(random.chance(0.15) && { required_write_scopes: random.pick(["src/**", "src/a.ts", "docs/**", "docs/b.md"]) }),
    ...(random.chance(0.05) && { required_capabilities: random.pick(["gpu", "shell", "credentials"]) }),
    ...(random.chance(0.08) && { required_decision_scopes: random.pick(["direction:lane:x", "direction:lane:y"]) }),
  };
}

/** One or two of the newest todos that fit, as they stand in metadata; empty: there is none. */
function someIds({ random, goal }: Surroundings, fits: (todo: TodoRecord) => boolean): string {
  const known = [...goal().todos.values()].filter((todo) => !todo.archived && todo.status !== "done" && fits(todo));
  const newest = known.slice(-12);
  const ids = new Set<TodoId>();
  for (let count = random.between(1, 2); count > 0; count -= 1) {
    const todo = random.some(newest);
    if (todo !== null) ids.add(todo.todo_id);
  }
  return [...ids].join(",");
}

/** A question to a person: about todos, agents, a decision scope or the whole goal. */
export function someGate(world: Surroundings, head: GoalHead): TodoRecord {
  const { random } = world;
  const todo_id = world.names.todo();
  const metadata = { task_class: "user_gate", ...scopeOf(world), ...(random.chance(0.4) && { on_reject: "reopen" }) };
  return newTodo({ todo_id, role: "user", text: "May this be done?", priority: null, status: "open", metadata }, head);
}

function scopeOf(world: Surroundings): Metadata {
  const { random, agents } = world;
  switch (random.weighted({ todos: 50, agents: 25, decision: 17, goal: 8 })) {
    case "todos": {
      const ids = someIds(world, (todo) => todo.role === "agent");
      return ids === "" ? { blocks_agent: agents[0] ?? "" } : { unblocks_todo_id: ids };
    }
    case "agents":
      return { blocks_agent: random.some(agents) ?? "" };
    case "decision":
      return { decision_scope: random.pick(["direction:lane:x", "direction:goal:all"]) };
    case "goal":
      return {};
  }
}
