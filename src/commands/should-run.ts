/**
 * The reference's `quota should-run`: the answer of `next` in its fields.
 *
 * Does not own: the decision (`core/next`), what it is called there (`core/show/should-run-table.ts`).
 *
 * Q1  Plain, it is a read; with a turn id it opens that turn, exactly as `next` does.
 */
import { type Explanation, explain } from "../core/next/explain.ts";
import { done, type Reply } from "../core/result.ts";
import { type DecisionPayload, decisionPayload } from "../core/show/decision.ts";
import { type ShouldRunPayload, shouldRunPayload } from "../core/show/should-run.ts";
import { type Acting, actingOn } from "./acting.ts";
import type { NextRequest, ShouldRunRequest } from "./app.ts";
import { type Decided, decidedFor, decisionRequest } from "./decide-for.ts";
import { next } from "./next.ts";
import type { Workspace } from "./workspace.ts";

const NOTHING = { slots: 0, tokens: 0, wall_ms: 0 };

export async function shouldRun(workspace: Workspace, request: ShouldRunRequest): Promise<Reply<ShouldRunPayload>> {
  const { goalId, agentId, turnInstanceId, capabilities } = request;
  const asked: NextRequest = { goalId, agentId, turnInstanceId, capabilities, instance: null, seen: null };
  const opened = turnInstanceId === null ? null : await next(workspace, asked); // (Q1)
  if (opened !== null && opened.kind !== "done") return opened;
  const acting = await actingOn(workspace, { goalId, agentId }, "read");
  if (acting.kind !== "done") return acting;
  const { rows, registered, agent } = acting.value;
  const decided = await decidedFor(workspace, rows, { registered, agent, request: asked });
  const { goal } = registered;
  const answer = opened?.value ?? decisionPayload(decided.decision, { goal_id: goal.goal_id, agent_id: agent });
  return done(
    shouldRunPayload({
      answer,
      todo: todoOf(answer, decided),
      settings: goal.quota.kind === "set" ? goal.quota.settings : null,
      spent: decided.spend?.units ?? NOTHING,
      write_scope: goal.write_scope,
      explanation: request.detail ? explained(acting.value, decided, asked) : null,
      runtime_profile: request.runtimeProfile,
      turn_instance_id: turnInstanceId,
    }),
  );
}

function todoOf(answer: DecisionPayload, { decision, state }: Decided): Parameters<typeof shouldRunPayload>[0]["todo"] {
  const id = answer.todo?.todo_id ?? null;
  if (id === null || decision.todo?.todo_id === id) return decision.todo;
  return [...state.todos.values()].find((todo) => todo.todo_id === id) ?? null;
}

function explained({ agent }: Acting, { state, now }: Decided, asked: NextRequest): Explanation {
  return explain(state, decisionRequest(asked, agent), now);
}
