/**
 * Selects a todo for an agent and leases it, in one transaction.
 *
 * Does not own: which todo, and whether it may be leased (`core/next/claim.ts`), what is answered (`claim-answer.ts`).
 *
 * C4  The same turn id or key claims once: again, it gets the lease it got.
 */

import type { GoalCommand } from "../core/goal/command.ts";
import type { GoalDraft } from "../core/goal/draft.ts";
import { type JudgedClaim, judgeClaim } from "../core/next/claim.ts";
import type { BadInput, Refusal, Reply } from "../core/result.ts";
import type { ClaimPayload } from "../core/show/claim.ts";
import { agentActingOn } from "./acting.ts";
import { claimAnswer } from "./claim-answer.ts";
import { askedFor, type Claim, claimAsked } from "./claim-asked.ts";
import { decidingWrite, stateInWrite } from "./decide-in-write.ts";
import { FRONTIER_PAGE, mayBeBeyondPage, PAGE_GROWTH } from "./frontier-page.ts";
import type { StateReading } from "./state-file.ts";
import { unknownTodo } from "./unknown-todo.ts";
import type { WritingWorkspace } from "./workspace.ts";
import { type WriteMaterial, writeGoal } from "./write-goal.ts";

export async function claim(workspace: WritingWorkspace, request: Claim["request"]): Promise<Reply<ClaimPayload>> {
  const goalId = request.goalId ?? (await goalFor(workspace, request));
  if (typeof goalId !== "string") return goalId;
  const acting = await agentActingOn(workspace, { goalId, agentId: request.agentId });
  if (acting.kind !== "done") return acting;
  const asked = askedFor(request);
  return asked.kind === "done" ? await claimAs(workspace, { ...acting.value, request, ...asked.value }) : asked;
}

/** The goal that has the todo, else the one with most use for the agent. */
async function goalFor(
  workspace: WritingWorkspace,
  request: Claim["request"],
): Promise<string | Exclude<Reply<never>, { kind: "done" }>> {
  if (request.todoId !== null) {
    const found = await (await import("./goal-of-todo.ts")).goalOfTodo(workspace, request.todoId);
    return found.kind === "done" ? found.value : found;
  }
  const { nextOfAnyGoal } = await import("./best-goal.ts");
  const best = await nextOfAnyGoal(workspace, { ...request, goalId: null, turnInstanceId: null, seen: null });
  return best.kind === "done" ? (best.value.goal_id ?? "") : best;
}

/** What the transaction found out, beside what it stored. */
interface Outcome {
  judged: JudgedClaim | null;
  beyond: boolean;
}

async function claimAs(workspace: WritingWorkspace, asked: Claim): Promise<Reply<ClaimPayload>> {
  const { rows, registered, agent, turn, request } = asked;
  const name = request.idempotencyKey ?? turn;
  const key = name === null ? null : `claim ${name}`;
  for (let limit = FRONTIER_PAGE; ; limit *= PAGE_GROWTH) {
    const outcome: Outcome = { judged: null, beyond: false };
    const written = await writeGoal(workspace, rows, {
      ...(await decidingWrite(workspace, rows, { registered, agent, limit })),
      actor: { agent_id: agent, ...(turn !== null && { turn_id: turn }) },
      todos: asked.todo_id === null ? [] : [asked.todo_id],
      rehearse: request.dryRun ? "rehearse" : "store",
      ...(key !== null && { idempotency: { key, fingerprint: fingerprintOf(workspace, asked), proves: "lease.taken" } }), // (C4)
      commands: (draft, reading, material) => commandsFor(asked, { draft, reading, material, outcome, limit }),
    });
    if (!outcome.beyond) return await claimAnswer(workspace, asked, { written, judged: outcome.judged });
  }
}

interface Judging {
  readonly draft: GoalDraft;
  readonly reading: StateReading;
  readonly material: WriteMaterial;
  readonly outcome: Outcome;
  readonly limit: number;
}

function commandsFor(asked: Claim, judging: Judging): readonly GoalCommand[] | Refusal | BadInput {
  const { draft, material, outcome, limit } = judging;
  const named = asked.todo_id === null ? null : draft.todos.get(asked.todo_id);
  if (named === undefined) return unknownTodo(asked.registered.goal.goal_id, asked.todo_id ?? "");
  const state = stateInWrite(asked.registered, judging);
  const judged = judgeClaim(state, claimAsked(asked, named), material.at);
  if (judged.kind !== "judged") return judged;
  outcome.judged = judged;
  outcome.beyond = named === null && mayBeBeyondPage(judged.decision, { frontier: state.frontier, limit, now: material.at });
  return outcome.beyond ? [] : judged.commands;
}

function fingerprintOf(workspace: WritingWorkspace, { agent, todo_id, ttl_ms, request }: Claim): string {
  return workspace.digest.sha256(
    JSON.stringify({ agent, todo_id, ttl_ms, instance: request.instance, scopes: request.writeScopes }),
  );
}
