/** A claim, its words understood. */
import type { AgentId, TodoId, TurnId } from "../core/id.ts";
import type { ClaimAsked } from "../core/next/claim.ts";
import { done, type Reply } from "../core/result.ts";
import type { ClaimRequest } from "./app.ts";
import { todoIdFrom, ttlFrom, turnIdFrom } from "./asked-lease.ts";
import type { RegisteredGoal, RegistryRows } from "./registry-rows.ts";

export interface Claim {
  readonly rows: RegistryRows;
  readonly registered: RegisteredGoal;
  readonly agent: AgentId;
  readonly todo_id: TodoId | null;
  readonly turn: TurnId | null;
  readonly ttl_ms: number;
  readonly request: ClaimRequest;
}

export function askedFor({
  todoId,
  turnInstanceId,
  ttlSeconds,
}: ClaimRequest): Reply<Pick<Claim, "todo_id" | "turn" | "ttl_ms">> {
  const todo = todoId === null ? done(null) : todoIdFrom(todoId);
  if (todo.kind !== "done") return todo;
  const turn = turnIdFrom(turnInstanceId);
  if (turn.kind !== "done") return turn;
  const ttl = ttlFrom(ttlSeconds);
  return ttl.kind === "done" ? done({ todo_id: todo.value, turn: turn.value, ttl_ms: ttl.value }) : ttl;
}

/** For the judgement: all but the state. */
export function claimAsked({ registered, agent, turn, ttl_ms, request }: Claim, named: ClaimAsked["named"]): ClaimAsked {
  const { instance, idempotencyKey, capabilities, writeScopes } = request;
  return {
    request: { agent, instance, capabilities, seen: null },
    named,
    lease: {
      owner: agent,
      ...(instance !== null && { instance }),
      ...(turn !== null && { turn_id: turn }),
      ...(idempotencyKey !== null && { key: idempotencyKey }),
      ttl_ms,
    },
    write_scopes: writeScopes,
    quota: registered.goal,
  };
}
