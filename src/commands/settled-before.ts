/** What the goal's journal says of a turn already; null: nothing. The receipts of its two ways to end are looked up, then its fact. */
import { endingOf } from "../core/host/turn-ending.ts";
import type { HostWord, SettledTurn, TurnRecord } from "../core/host/turn-record.ts";
import { doneKey } from "./done-asked.ts";
import type { Workspace } from "./workspace.ts";
import { OUTCOMES, settleKey } from "./write-ending.ts";

export async function settledBefore(
  { store }: Pick<Workspace, "store">,
  { goal_id, turn_id }: Pick<TurnRecord, "goal_id" | "turn_id">,
  word: HostWord,
): Promise<SettledTurn | null> {
  const { usage } = word;
  const receiptOf = async (key: string) => (await store.load({ goal_id, todos: "none", base: "none", receipt: key })).receipt;
  const receipt = (await receiptOf(doneKey(turn_id))) ?? (await receiptOf(settleKey(turn_id)));
  if (receipt === null) return null;
  const { generation, seq } = receipt;
  const query = { goal_id, generation, type: "turn.written", order: "newest_first", beyond_seq: seq + 1, limit: 1 } as const;
  const [event] = await store.events(query);
  const { end, failure, wait_until } = endingOf(word);
  if (event?.type !== "turn.written") return { end, summary: "It was recorded before.", usage, failure, until: wait_until };
  const { outcome, summary } = event.data;
  const isRepaired = outcome === "repair" && end === "completed";
  return {
    end: OUTCOMES[end] === outcome ? end : outcome,
    summary,
    usage,
    failure: isRepaired ? { kind: "checks_failed", message: summary } : failure,
    until: wait_until,
  };
}
