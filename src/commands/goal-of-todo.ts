/**
 * The goal that has a todo, for commands that name no goal: ids are unique over all goals.
 *
 * G1  Two goals that have the id are both named, and nothing is chosen.
 * G2  A todo that stands in a state file and was not taken in yet is found as well, after those that are known.
 */
import { loopxCommand } from "../core/command-line.ts";
import { parseTodoId, type TodoId } from "../core/id.ts";
import { type BadInput, done, type Reply, reject } from "../core/result.ts";
import { readTodos } from "./read-todos.ts";
import { everyGoal, type RegisteredGoal, type RegistryRows, registryRows } from "./registry-rows.ts";
import type { Workspace } from "./workspace.ts";

export async function goalOfTodo(workspace: Workspace, text: string): Promise<Reply<string>> {
  const id = parseTodoId(text);
  if (id === null) return badTodoId(text);
  const rows = await registryRows(workspace);
  if (rows.kind !== "done") return rows;
  const known = await knownWith(workspace, rows.value, id);
  const found = known.length > 0 ? known : await inFiles(workspace, rows.value, id); // (G2)
  const [only, second] = found;
  if (only === undefined) {
    return reject("unknown_todo", `No goal of this registry has a todo ${id}.`, { fix: loopxCommand("gate", "list") });
  }
  if (second === undefined) return done(only);
  return reject("todo_ambiguous", `The goals ${only} and ${second} both have a todo ${id}: say which goal is meant.`, {
    near: found,
    fix: loopxCommand("todo", "show", "--goal-id", only, "--todo-id", id),
  }); // (G1)
}

async function knownWith({ store }: Workspace, rows: RegistryRows, todo_id: TodoId): Promise<readonly string[]> {
  const found: string[] = [];
  for (const goalId of await store.goalsWith(rows.path, { kind: "todo", todo_id })) {
    const [registered] = await rows.find(goalId);
    if (registered?.goal.standing === "clear") found.push(goalId);
  }
  return found;
}

async function inFiles(workspace: Workspace, rows: RegistryRows, id: TodoId): Promise<readonly string[]> {
  const found: string[] = [];
  for await (const registered of everyGoal(rows)) {
    const { goal_id, standing } = registered.goal;
    if (standing !== "clear") continue;
    const { folded } = await readTodos(workspace, rows, { registered, todos: [id] });
    if (folded?.todos.has(id) === true) found.push(goal_id);
  }
  return found;
}

export function badTodoId(text: string): Reply<never> {
  return reject("todo_id_invalid", `${JSON.stringify(text.slice(0, 80))} is no todo id.`, { fix: "loopx todo list" });
}

export function unknownTodoIn({ goal }: RegisteredGoal, todoId: string): BadInput {
  return reject("unknown_todo", `Goal ${goal.goal_id} has no todo ${todoId}.`, {
    fix: loopxCommand("todo", "list", "--goal-id", goal.goal_id),
  });
}
