import type { TurnRecord } from "../core/host/turn-record.ts";
import type { AgentId } from "../core/id.ts";
import type { RegisteredGoal, RegistryRows } from "./registry-rows.ts";

/** One turn and what it is about. */
export interface TurnContext {
  readonly rows: RegistryRows;
  readonly registered: RegisteredGoal;
  readonly agent: AgentId;
  readonly record: TurnRecord;
}
