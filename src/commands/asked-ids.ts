/** Ids of a request that may be left out: parsed, or what is wrong with them. */
import { parseTodoId, parseTurnId, type TodoId, type TurnId } from "../core/id.ts";
import { done, type Reply, reject } from "../core/result.ts";

export function todoAsked(text: string | null): Reply<TodoId | null> {
  const id = text === null ? null : parseTodoId(text);
  if (text === null || id !== null) return done(id);
  return reject("todo_id_invalid", `${JSON.stringify(text)} is no todo id.`, { fix: "loopx todo list" });
}

export function turnAsked(text: string | null): Reply<TurnId | null> {
  const id = text === null ? null : parseTurnId(text);
  if (text === null || id !== null) return done(id);
  return reject("turn_id_invalid", `${JSON.stringify(text)} is no turn id.`);
}
