/** What a state file says: the reference's structured projection, and our grammar. */

import { parsePlan } from "../../../src/core/plan/parse.ts";
import type { Plan, PlanTodo, TodoRole } from "../../../src/core/plan/plan.ts";
import { at, type Json, listAt, numberAt, textAt } from "../json.ts";
import { type Facts, sorted } from "./facts.ts";

export function referenceShape(projection: Json): Facts {
  return {
    "front matter": at(projection, "frontmatter"),
    "next action": listAt(projection, "next_action", "entries"),
    user: listAt(projection, "todos", "user", "items").map(referenceTodo),
    agent: listAt(projection, "todos", "agent", "items").map(referenceTodo),
    diagnostics: sorted(
      [...listAt(projection, "diagnostics", "warnings"), ...listAt(projection, "diagnostics", "errors")].map(
        (found) => textAt(found, "kind") ?? "",
      ),
    ),
  };
}

function referenceTodo(item: Json): string {
  return todoLine({
    todo_id: textAt(item, "todo_id"),
    id_source: textAt(item, "todo_id_source"),
    status: textAt(item, "status"),
    task_class: textAt(item, "task_class"),
    priority: textAt(item, "priority"),
    section: textAt(item, "source_section"),
    index: numberAt(item, "index"),
    text: textAt(item, "text"),
  });
}

/** Codes that the reference has under another name. */
const RENAMED: Readonly<Record<string, string>> = { missing_front_matter: "missing_frontmatter" };

export function ourShape(text: string): Facts {
  const plan = parsePlan(text);
  return {
    "front matter": Object.fromEntries((plan.front_matter?.entries ?? []).map(({ key, value }) => [key, value])),
    "next action": (plan.next_action ?? []).map((entry) => entry.text),
    user: todosOf(plan, "user"),
    agent: todosOf(plan, "agent"),
    diagnostics: sorted([...new Set(plan.diagnostics.map(({ code }) => RENAMED[code] ?? code))]),
  };
}

function todosOf(plan: Plan, role: TodoRole): readonly string[] {
  return plan.todos.filter((todo) => todo.role === role && !todo.archived).map(ourTodo);
}

/** No class is the ordinary one: work that moves the goal on. */
function ourTodo({ todo_id, id_source, status, task_class, priority, section, index, text, role }: PlanTodo): string {
  const ordinary = role === "agent" ? "advancement_task" : null;
  return todoLine({
    todo_id,
    id_source,
    status,
    task_class: task_class ?? ordinary,
    priority: priority === null ? null : `P${priority}`,
    section,
    index,
    text,
  });
}

function todoLine(todo: Readonly<Record<string, string | number | null>>): string {
  return Object.values(todo).join(" | ");
}
