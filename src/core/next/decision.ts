/**
 * What `next` is asked and what it answers.
 *
 * Does not own: the rules (`rules.ts`), how an answer is printed (`core/show/decision.ts`).
 */
import type { TodoRecord } from "../events.ts";
import type { GoalHead, Todos } from "../goal/head.ts";
import type { AgentId, TodoId } from "../id.ts";
import type { Instant } from "../instant.ts";
import type { QuotaLimits } from "../registry/quota-settings.ts";
import type { Problem } from "../result.ts";
import type { Frontier } from "./frontier.ts";

export type Act = "run" | "poll" | "replan" | "repair" | "ask" | "wait" | "stop";

/** Codes of rules; each answer names the one it comes from. */
export type Why =
  | "state_unreadable"
  | "quota_invalid"
  | "stopped"
  | "archived"
  | "paused"
  | "rate_limited"
  | "throttled"
  | "stalled"
  | "continue"
  | "monitor_due"
  | "monitor_only"
  | "workspace"
  | "scope"
  | "work"
  | "gap"
  | "woke"
  | "capability"
  | "gate"
  | "owner_capability"
  | "user_action"
  | "peers_own"
  | "waiting_on"
  | "next_due"
  | "complete"
  | "empty";

/** One unit of the goal's quota as it stands. */
export interface QuotaState {
  readonly spent: number;
  /** By live leases, without those of the one who asks. */
  readonly reserved: number;
  /** Null: no limit. */
  readonly allowed: number | null;
  readonly next_eligible_at: Instant | null;
  /** The unit that is short, where one is. */
  readonly short: "slots" | "tokens" | "wall_ms" | null;
}

export interface GoalFacts {
  readonly goal_id: string;
  readonly registered_agents: readonly AgentId[];
  /** Agents that only look after monitors. */
  readonly monitor_only: readonly AgentId[];
  /** Path patterns that the goal may write to; empty: anything. */
  readonly write_scope: readonly string[];
  readonly activation: "active" | "stopped" | "archived";
  readonly activation_reason: string;
}

/** Everything a decision rests on, as of one moment of the journal. */
export interface DecisionState {
  readonly goal: GoalFacts;
  readonly head: GoalHead | null;
  /** At least those that the agent's leases are about. */
  readonly todos: Todos;
  readonly frontier: Frontier;
  readonly quota:
    | {
        readonly kind: "set";
        readonly state: QuotaState;
        readonly is_zero: boolean;
        readonly limits?: QuotaLimits;
      }
    | { readonly kind: "invalid"; readonly problem: Problem };
  /** Why the state file cannot be read; null when it can, or when the goal declares none. */
  readonly problem: Problem | null;
}

export interface DecisionRequest {
  readonly agent: AgentId | null;
  readonly instance: string | null;
  /** What the agent can do beyond shell and files. */
  readonly capabilities: readonly string[];
  /** The token of what was told the last time. */
  readonly seen: string | null;
  /** Todos that the one who asks will not take up now. */
  readonly passes_over?: ReadonlySet<string>;
}

export interface Waiting {
  readonly reason: string;
  readonly until: Instant;
  readonly minutes: number;
}

/** What the person should hear, whatever the agent does. */
export interface Tell {
  readonly todo_ids: readonly TodoId[];
  readonly text: string;
  readonly commands: readonly string[];
  /** Pass it as `--seen` to hear it again only at the next reminder. */
  readonly token: string;
}

export interface Decision {
  readonly act: Act;
  readonly why: Why;
  /** The facts the rule rested on, in words. */
  readonly because: string;
  readonly todo: TodoRecord | null;
  readonly tell: Tell | null;
  /** The exact commands that go on from here. */
  readonly commands: readonly string[];
  readonly wait: Waiting | null;
  readonly quota: QuotaState | null;
  /** Limits that are reached or near. */
  readonly warnings: readonly Problem[];
  /** Changes when the answer does. */
  readonly token: string;
}

/** What a rule says, before back-off, tell and commands are added. */
export interface Finding {
  readonly act: Act;
  readonly why: Why;
  readonly because: string;
  readonly todo?: TodoRecord;
  /** Nothing changes before. */
  readonly until?: Instant | null;
}
