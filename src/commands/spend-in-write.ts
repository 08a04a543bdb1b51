/**
 * What is written when a turn is spent, judged in the transaction that spends.
 *
 * Does not own: asking for it (`quota-spend.ts`), the law of the quota (`core/quota`).
 *
 * W1  What does not fit in the window is refused, never cut.
 * W2  What the turn had set aside by its lease counts once.
 * W3  A spend that uses up the window of its goal leaves the question of what to do about it, in the same transaction.
 */
import { loopxCommand } from "../core/command-line.ts";
import type { Units } from "../core/events.ts";
import type { GoalCommand } from "../core/goal/command.ts";
import { isLive, leaseOf } from "../core/goal/fence.ts";
import type { Accountable, GoalHead } from "../core/goal/head.ts";
import { askingAtCap } from "../core/goal/quota-gate.ts";
import type { TodoId, TurnId } from "../core/id.ts";
import { type Admission, beyondReserved, windowOf } from "../core/quota/law.ts";
import { admission, NOTHING_USED, type Room } from "../core/quota/room.ts";
import { settingsOf } from "../core/quota/settings-of.ts";
import { type Refusal, refuse } from "../core/result.ts";
import { type ShownQuota, shownQuota } from "../core/show/quota.ts";
import type { Acting } from "./acting.ts";
import type { SpendSlotRequest } from "./app.ts";
import type { WriteMaterial } from "./write-goal.ts";

export interface SlotSpending extends Acting {
  readonly request: SpendSlotRequest;
  readonly turn: TurnId | null;
  readonly todo_id: TodoId | null;
  readonly units: Units;
  readonly gate_id: TodoId;
}

/** What the transaction found. */
export interface SpendOutcome {
  accountable: Accountable | null;
  before: ShownQuota | null;
  after: ShownQuota | null;
}

export interface SpendJudging {
  readonly head: GoalHead | null;
  readonly material: WriteMaterial;
  readonly outcome: SpendOutcome;
}

export function spendCommands(
  spending: SlotSpending,
  { head, material, outcome }: SpendJudging,
): readonly GoalCommand[] | Refusal {
  const { registered, agent, turn, todo_id, units, request, gate_id } = spending;
  const quota = settingsOf(registered.goal);
  if (quota.kind === "refusal") return quota;
  const command = { kind: "spend", turn_id: turn, agent_id: agent, todo_id, units, source: request.source } as const;
  const accountable = head?.unspent[agent ?? ""];
  if (head === null || accountable === undefined) return [command];
  const { at: now, frontier } = material;
  const window = windowOf(quota.settings);
  const use = material.spend ?? NOTHING_USED;
  const room: Room = { ...use, leases: Object.values(head.leases), now };
  const own = ownReservation(head, accountable, spending, now);
  const admitted = admission(window, room, beyondReserved(own, units)); // (W1, W2)
  if (admitted.kind !== "admitted") return overQuota(spending, admitted);
  outcome.accountable = accountable;
  outcome.before = shownQuota(quota.settings, room);
  outcome.after = shownQuota(quota.settings, { ...room, ...afterSpend(room, { units, own, accountable }) });
  const cap = { head, window, use, gates: frontier.gates, now, gate_id };
  return [{ kind: "clamp-leases" }, ...askingAtCap([command], cap)]; // (W3)
}

const NOTHING: Units = NOTHING_USED.units;

/** (W2) */
function ownReservation(head: GoalHead, { todo_id }: Accountable, { agent }: SlotSpending, now: Room["now"]): Units {
  const lease = todo_id === null ? null : leaseOf(head, todo_id);
  return lease !== null && lease.owner === agent && isLive(lease, now) ? lease.reserved : NOTHING;
}

function afterSpend(
  { units: before, entries, leases, now }: Room,
  { units, own, accountable }: { readonly units: Units; readonly own: Units; readonly accountable: Accountable },
): Pick<Room, "units" | "entries" | "leases"> {
  const rest = beyondReserved(units, own);
  return {
    units: {
      slots: before.slots + units.slots,
      tokens: before.tokens + units.tokens,
      wall_ms: before.wall_ms + units.wall_ms,
    },
    entries: [...entries, { at: now, units }],
    leases: leases.map((lease) =>
      lease.todo_id === accountable.todo_id && own !== NOTHING ? { ...lease, reserved: rest } : lease,
    ),
  };
}

/** (W1) */
function overQuota({ registered, agent }: SlotSpending, no: Exclude<Admission, { kind: "admitted" }>): Refusal {
  const { goal_id } = registered.goal;
  const { unit, allowed, spent, reserved, wanted, next_eligible_at } = no;
  const set = reserved > 0 ? ` and ${reserved} set aside` : "";
  const when = next_eligible_at === null ? "that never fits" : `it fits from ${next_eligible_at} on`;
  const message = `${wanted} more ${unit} do not fit in the quota of goal ${goal_id}: ${spent} of ${allowed} are spent${set}; ${when}.`;
  const who = agent === null ? [] : ["--agent-id", agent];
  return refuse("over_quota", message, {
    details: { goal_id, unit, allowed, spent, reserved, wanted, next_eligible_at },
    fix:
      next_eligible_at === null
        ? loopxCommand("quota", "set", "--goal-id", goal_id)
        : loopxCommand("next", "--goal-id", goal_id, ...who),
  });
}
