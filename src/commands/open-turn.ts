/**
 * Opens a turn with the decision that it begins with, so that the same question in it gets the same answer.
 *
 * O1  A turn that was opened keeps its answer, also after it was settled; another question in it is refused.
 */
import type { DecidedTurn } from "../core/events.ts";
import type { AgentId, TurnId } from "../core/id.ts";
import { next as decide } from "../core/next/next.ts";
import { done, type Reply, refuse } from "../core/result.ts";
import { type DecisionPayload, decisionPayload } from "../core/show/decision.ts";
import type { Receipt } from "../ports/store.ts";
import type { NextRequest } from "./app.ts";
import { decisionRequest } from "./decide-for.ts";
import { decidingWrite, stateInWrite } from "./decide-in-write.ts";
import { FRONTIER_PAGE, mayBeBeyondPage, PAGE_GROWTH } from "./frontier-page.ts";

import type { RegisteredGoal, RegistryRows } from "./registry-rows.ts";
import type { WritingWorkspace } from "./workspace.ts";
import { writeGoal } from "./write-goal.ts";

export interface TurnQuestion {
  readonly rows: RegistryRows;
  readonly registered: RegisteredGoal;
  readonly agent: AgentId | null;
  readonly request: NextRequest;
  readonly turn: TurnId;
}

export async function openTurn(workspace: WritingWorkspace, question: TurnQuestion): Promise<Reply<DecisionPayload>> {
  const { registered, agent, request, turn } = question;
  const asked = { agent, instance: request.instance, capabilities: request.capabilities };
  const fingerprint = workspace.digest.sha256(JSON.stringify(asked));
  for (let limit = FRONTIER_PAGE; ; limit *= PAGE_GROWTH) {
    let payload: DecisionPayload | null = null;
    let beyond = false;
    const written = await writeGoal(workspace, question.rows, {
      ...(await decidingWrite(workspace, question.rows, { registered, agent, limit })),
      actor: { turn_id: turn, ...(agent !== null && { agent_id: agent }) },
      idempotency: { key: `next ${turn}`, fingerprint, proves: "turn.decided" },
      rehearse: "store",
      commands: (draft, reading, material) => {
        const state = stateInWrite(registered, { draft, reading, material });
        const decision = decide(state, decisionRequest(request, agent), material.at);
        beyond = mayBeBeyondPage(decision, { frontier: state.frontier, limit, now: material.at });
        if (beyond) return [];
        payload = decisionPayload(decision, { goal_id: registered.goal.goal_id, agent_id: agent });
        if (draft.head?.lifecycle.kind !== "active") return [];
        const { act, why, todo } = decision;
        return [
          {
            kind: "open-turn",
            turn: { turn_id: turn, act, why, todo_id: todo?.todo_id ?? null, request: fingerprint, answer: { ...payload } },
          },
        ];
      },
    });
    if (written.kind === "replayed") return await answeredBefore(workspace, registered, written.receipt);
    if (written.kind !== "written") return written;
    if (!beyond && payload !== null) return done(payload);
  }
}

/** (O1) */
async function answeredBefore(
  workspace: WritingWorkspace,
  { goal }: RegisteredGoal,
  { generation, seq }: Receipt,
): Promise<Reply<DecisionPayload>> {
  const [event] = await workspace.store.events({
    goal_id: goal.goal_id,
    generation,
    type: "turn.decided",
    order: "newest_first",
    beyond_seq: seq + 1,
    limit: 1,
  });
  if (event?.type !== "turn.decided") {
    return refuse("receipt_without_turn", "The answer of this turn is not in the journal.", { fix: "loopx doctor" });
  }
  const turn: DecidedTurn = event.data;
  return done(turn.answer as unknown as DecisionPayload);
}
