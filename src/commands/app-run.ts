/** What is asked of a run of an agent. */
import type { WorkerFact } from "../core/host/worker-protocol.ts";
import type { WorkerOrders } from "./worker-orders.ts";

export interface RunRequest {
  /** Empty: every goal that the agent may act on. */
  readonly goalIds: readonly string[];
  readonly agentId: string | null;
  readonly host: string;
  readonly hostCommand: string | null;
  readonly validationCommand: string | null;
  readonly acceptUnvalidated: boolean;
  readonly workspace: string | null;
  /** Null: until nothing can be done. */
  readonly turns: number | null;
  /** Null: for ever. */
  readonly idleExitSeconds: number | null;
  readonly turnTimeoutSeconds: number | null;
  readonly turnIdleTimeoutSeconds: number | null;
  readonly graceSeconds: number | null;
  readonly ttlSeconds: number | null;
  readonly capabilities: readonly string[];
  readonly logDir: string | null;
  readonly retryHost: boolean;
  readonly dryRun: boolean;
  readonly orders: WorkerOrders;
  /** The end of a turn is told again by the next run until it is acknowledged. */
  readonly tell: (fact: WorkerFact, turns: number, acknowledge: () => void) => Promise<void>;
}
