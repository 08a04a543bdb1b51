import { done, type Reply } from "../core/result.ts";
import { quotaGateIn } from "../core/show/done.ts";
import { type SpendFacts, type SpendPayload, spendPayload } from "../core/show/spend.ts";
import { actingOn } from "./acting.ts";
import type { SpendSlotRequest } from "./app.ts";
import { todoAsked, turnAsked } from "./asked-ids.ts";
import { quotaNow } from "./quota-now.ts";
import { type SlotSpending, type SpendOutcome, spendCommands } from "./spend-in-write.ts";
import type { WritingWorkspace } from "./workspace.ts";
import { writeAndShow } from "./write-and-show.ts";
import type { Replayed } from "./write-goal.ts";

export async function quotaSpendSlot(workspace: WritingWorkspace, request: SpendSlotRequest): Promise<Reply<SpendPayload>> {
  const turn = turnAsked(request.turnInstanceId);
  if (turn.kind !== "done") return turn;
  const todo = todoAsked(request.todoId);
  if (todo.kind !== "done") return todo;
  const acting = await actingOn(workspace, request, "write");
  if (acting.kind !== "done") return acting;
  const units = { slots: request.slots ?? 1, tokens: request.tokens ?? 0, wall_ms: request.wallMs ?? 0 };
  const gate_id = workspace.ids.todoId();
  return await spend(workspace, { ...acting.value, request, turn: turn.value, todo_id: todo.value, units, gate_id });
}

async function spend(workspace: WritingWorkspace, spending: SlotSpending): Promise<Reply<SpendPayload>> {
  const { request, turn, agent, units, todo_id } = spending;
  const outcome: SpendOutcome = { accountable: null, before: null, after: null };
  const fingerprint = workspace.digest.sha256(JSON.stringify({ agent, units, todo_id, source: request.source }));
  const written = await writeAndShow(workspace, spending, {
    turn,
    dryRun: request.dryRun,
    ...(turn !== null && { idempotency: { key: `spend ${turn}`, fingerprint, proves: "turn.spent" } }), // (S1)
    commands: (draft, _state, material) => spendCommands(spending, { head: draft.head, material, outcome }),
  });
  if (written.kind === "refusal" || written.kind === "bad_input") return written;
  const about = { goal_id: spending.registered.goal.goal_id, agent_id: agent, turn_instance_id: turn, units };
  if (written.kind === "replayed") {
    const now = (await quotaNow(workspace, spending.registered.goal))?.quota ?? null;
    return done(
      spendPayload({ ...about, ...REPLAYED, todo_id, before: now, after: now, spent_seq: await spentBefore(workspace, written) }),
    );
  }
  const event = written.events.find(({ type }) => type === "turn.spent");
  const facts: SpendFacts = {
    ...about,
    ...outcome,
    todo_id: todo_id ?? outcome.accountable?.todo_id ?? null,
    outcome: request.dryRun ? "preview" : "appended",
    spent_seq: event?.seq ?? null,
    written_seq: outcome.accountable?.seq ?? null,
    gate: quotaGateIn(written.events),
    warnings: written.warnings,
  };
  return done(spendPayload(facts));
}

/** The receipt is of the whole transaction, which may have ended with a question. */
async function spentBefore({ store }: WritingWorkspace, { receipt }: Replayed): Promise<number | null> {
  const { goal_id, generation, seq } = receipt;
  const query = { goal_id, generation, type: "turn.spent", order: "newest_first", beyond_seq: seq + 1, limit: 1 } as const;
  return (await store.events(query))[0]?.seq ?? null;
}

const REPLAYED = { outcome: "replayed", written_seq: null, gate: null, warnings: [] } as const;
