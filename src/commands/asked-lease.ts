/** What a request about a lease says, as far as it can be understood without looking at a goal. */
import { parseTodoId, parseTurnId, type TodoId, type TurnId } from "../core/id.ts";
import { done, type Reply, reject } from "../core/result.ts";

const DEFAULT_TTL_SECONDS = 2700;
const MOST_TTL_SECONDS = 86_400;

export function todoIdFrom(text: string): Reply<TodoId> {
  const id = parseTodoId(text);
  return id === null ? reject("todo_id_invalid", `${JSON.stringify(text)} is no todo id.`, { fix: "loopx todo list" }) : done(id);
}

export function turnIdFrom(text: string | null): Reply<TurnId | null> {
  const id = text === null ? null : parseTurnId(text);
  return text !== null && id === null ? reject("turn_id_invalid", `${JSON.stringify(text)} is no turn id.`) : done(id);
}

export function ttlFrom(seconds: number | null): Reply<number> {
  const asked = seconds ?? DEFAULT_TTL_SECONDS;
  return asked > 0 && asked <= MOST_TTL_SECONDS
    ? done(Math.round(asked * 1000))
    : reject("ttl_invalid", `A lease runs for more than 0 and at most ${MOST_TTL_SECONDS} seconds.`);
}
