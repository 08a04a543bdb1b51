/** Who writes, and what proves that it was written. */
import type { GoalEventType } from "../../core/events.ts";
import { type Fence, NO_FENCE } from "../../core/goal/fence.ts";
import type { Hand } from "../../core/sim/request.ts";
import type { Idempotency } from "../write-goal.ts";

export function proof(key: string, fingerprint: string, proves: GoalEventType): Idempotency {
  return { key, fingerprint, proves };
}

export function fenceOf({ agent, turn, epoch }: Hand): Fence {
  return { ...NO_FENCE, agent_id: agent, turn_id: turn, epoch };
}
