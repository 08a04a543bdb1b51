/** What an agent asks for each turn: the requests of `next`, `claim` and `done`. */

export interface NextRequest {
  /** The number of an event or a time: answered as right after it. Absent: now. */
  readonly at?: string;
  /** Null: the goal that has most use for the agent. */
  readonly goalId: string | null;
  readonly agentId: string | null;
  readonly turnInstanceId: string | null;
  /** Which execution of the agent asks. */
  readonly instance: string | null;
  readonly capabilities: readonly string[];
  /** Token of what was told last. */
  readonly seen: string | null;
}

export interface ClaimRequest {
  /** Null: the goal that has most use for the agent. */
  readonly goalId: string | null;
  readonly agentId: string | null;
  /** Null: the best one. */
  readonly todoId: string | null;
  readonly turnInstanceId: string | null;
  readonly instance: string | null;
  readonly ttlSeconds: number | null;
  readonly capabilities: readonly string[];
  /** Empty: those of the todo. */
  readonly writeScopes: readonly string[];
  readonly idempotencyKey: string | null;
  readonly dryRun: boolean;
}

export interface DoneRequest {
  /** Null: the goal in which the agent has a todo in hand. */
  readonly goalId: string | null;
  readonly agentId: string | null;
  /** Null: the todo that the agent has in hand. */
  readonly todoId: string | null;
  readonly summary: string | null;
  /** Texts of the todos that come next. */
  readonly next: readonly string[];
  readonly noFollowUp: boolean;
  readonly reason: string | null;
  readonly leaseEpoch: number | null;
  /** The reference's fence. */
  readonly leaseKey: string | null;
  readonly leaseVersion: number | null;
  readonly turnInstanceId: string | null;
  /** What the turn took; null: one slot, and nothing else. */
  readonly slots: number | null;
  readonly tokens: number | null;
  readonly wallMs: number | null;
  /** Run the checks although the same inputs passed them before. */
  readonly noCache: boolean;
  readonly dryRun: boolean;
}
