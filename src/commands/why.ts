/**
 * `why` explains the answer that `next` gives, `why-not` says what keeps an agent from one todo; both read and write nothing.
 *
 * Does not own: the rules and conditions (`core/next`).
 */
import { agentOf } from "../core/goal/actor.ts";
import { explain } from "../core/next/explain.ts";
import { whyNot as whyNotOf } from "../core/next/why-not.ts";
import { done, type Reply, reject } from "../core/result.ts";
import { type WhyNotPayload, type WhyPayload, whyNotPayload, whyPayload } from "../core/show/why.ts";
import { type Acting, actingOn } from "./acting.ts";
import type { NextRequest, WhyNotRequest, WhyRequest } from "./app.ts";
import { todoIdFrom } from "./asked-lease.ts";
import { decidedFor, decisionRequest } from "./decide-for.ts";
import { factOrigins } from "./fact-origins.ts";
import { placesOf } from "./goal-places.ts";
import type { Workspace } from "./workspace.ts";

export async function why(workspace: Workspace, request: WhyRequest): Promise<Reply<WhyPayload>> {
  const found = await askedGoal(workspace, request);
  if (found.kind !== "done") return found;
  const { rows, registered, agent, place } = found.value;
  const { state, now } = await decidedFor(place, rows, { registered, agent, request: asNext(request) });
  const { goal_id } = registered.goal;
  const { head } = state;
  const seqOf = head === null ? () => null : await factOrigins(place.store, { ...head, goal_id });
  return done(
    whyPayload({
      goal_id,
      agent_id: agent,
      at: { seq: head?.seq ?? 0, time: now },
      explanation: explain(state, decisionRequest(asNext(request), agent), now),
      origins: { seqOf, registry: rows.path, state_file: placesOf(workspace, registered.goal).state_file },
    }),
  );
}

export async function whyNot(workspace: Workspace, request: WhyNotRequest): Promise<Reply<WhyNotPayload>> {
  const todo = todoIdFrom(request.todoId);
  if (todo.kind !== "done") return todo;
  const found = await askedGoal(workspace, request);
  if (found.kind !== "done") return found;
  const { rows, registered, agent, place } = found.value;
  const { goal_id } = registered.goal;
  const asked = asNext(request);
  const { state, now } = await decidedFor(place, rows, { registered, agent, request: asked, todos: [todo.value] });
  const record = state.todos.get(todo.value);
  if (record === undefined) {
    return reject("unknown_todo", `Goal ${goal_id} has no todo ${todo.value}.`, { fix: `loopx todo list --goal-id ${goal_id}` });
  }
  const reason = whyNotOf(state, { todo: record, request: decisionRequest(asked, agent), now });
  return done(
    whyNotPayload({ goal_id, agent_id: agent, at: { seq: state.head?.seq ?? 0, time: now }, todo: record, found: reason }),
  );
}

/** Where the question is answered: now, or after an event of the past. */
interface Placed extends Acting {
  readonly place: Workspace;
}

/** Without a goal, the one that `next` answers about. */
async function askedGoal(workspace: Workspace, request: WhyRequest): Promise<Reply<Placed>> {
  if (request.at !== undefined) return await pastGoal(workspace, { ...request, at: request.at });
  const goalId = request.goalId ?? (await bestGoal(workspace, request));
  if (typeof goalId !== "string") return goalId;
  const acting = await actingOn(workspace, { goalId, agentId: request.agentId }, "read");
  return acting.kind === "done" ? done({ ...acting.value, place: workspace }) : acting;
}

async function pastGoal(workspace: Workspace, request: WhyRequest & { readonly at: string }): Promise<Reply<Placed>> {
  const { lookBack, withoutFile } = await import("./past.ts");
  const past = await lookBack(workspace, request);
  if (past.kind !== "done") return past;
  const { rows, registered, workspace: place } = past.value;
  const agent = agentOf(registered.goal, request.agentId);
  return agent.kind === "done" ? done({ rows, registered: withoutFile(registered), agent: agent.value, place }) : agent;
}

async function bestGoal(workspace: Workspace, request: WhyRequest): Promise<string | Exclude<Reply<never>, { kind: "done" }>> {
  const best = await (await import("./best-goal.ts")).nextOfAnyGoal(workspace, asNext(request));
  return best.kind === "done" ? (best.value.goal_id ?? "") : best;
}

function asNext({ goalId, agentId, instance, capabilities }: WhyRequest): NextRequest {
  return { goalId, agentId, instance, capabilities, turnInstanceId: null, seen: null };
}
