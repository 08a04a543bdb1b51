/** What is to be finished, by whom: the words of a request understood. */
import { type AgentId, parseTodoId, parseTurnId, type TodoId, type TurnId } from "../core/id.ts";
import { type BadInput, reject } from "../core/result.ts";
import type { Environment } from "../core/verify/environment.ts";
import type { DoneRequest } from "./app.ts";
import type { RegisteredGoal, RegistryRows } from "./registry-rows.ts";
import type { Verified } from "./verify-todo.ts";

export interface Finishing {
  readonly rows: RegistryRows;
  readonly registered: RegisteredGoal;
  readonly agent: AgentId | null;
  readonly turn: TurnId | null;
  readonly request: DoneRequest;
  readonly successors: readonly { readonly todo_id: TodoId; readonly text: string }[];
  /** The id that a question about the quota gets, should there be one. */
  readonly gate_id: TodoId;
  /** What the checks have shown just now, of the one who ran them. */
  readonly verified?: Verified;
  /** Of the turn, for its checks. */
  readonly marks?: Environment;
  /** Where it was not said what follows: refused, or what the plan says (E4 of `core/host/turn-ending.ts`). */
  readonly unsaid?: "from_plan";
}

export function requestFlaw({ next, noFollowUp, reason, todoId, turnInstanceId }: DoneRequest): BadInput | null {
  if (todoId !== null && parseTodoId(todoId) === null)
    return reject("todo_id_invalid", `${JSON.stringify(todoId)} is no todo id.`, { fix: "loopx todo list" });
  if (turnInstanceId !== null && parseTurnId(turnInstanceId) === null)
    return reject("turn_id_invalid", `${JSON.stringify(turnInstanceId)} is no turn id.`);
  if (next.some((text) => text.trim() === "")) return reject("text_empty", "--next needs a text.");
  if (noFollowUp && next.length > 0)
    return reject("option_conflict", "--no-follow-up says that nothing comes next, and --next says what does.");
  if (noFollowUp && (reason ?? "").trim() === "") return reject("option_missing", "--no-follow-up needs --reason.");
  return null;
}

/** Of the receipt that a turn has finished a todo. */
export function doneKey(turnId: string): string {
  return `done ${turnId}`;
}

export function turnOf({ turnInstanceId }: DoneRequest): TurnId | null {
  return turnInstanceId === null ? null : parseTurnId(turnInstanceId);
}
