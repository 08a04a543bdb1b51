/** What can be asked about leases, and about what was decided and why (`app.ts`). */
import type { Reply } from "../core/result.ts";
import type { DiagnosisPayload } from "../core/show/diagnose.ts";
import type { EvidenceLogPayload } from "../core/show/evidence-log.ts";
import type { LeaseListPayload, LeasePayload, LeaseShowPayload } from "../core/show/lease.ts";
import type { GoalQuotaPayload, QuotaPlanPayload, QuotaStatusPayload } from "../core/show/quota-status.ts";
import type { ShouldRunPayload } from "../core/show/should-run.ts";
import type { WhyNotPayload, WhyPayload } from "../core/show/why.ts";
import type { GoalRequest, PageRequest } from "./app-words.ts";

export interface WhyRequest {
  /** The number of an event or a time: answered as right after it. Absent: now. */
  readonly at?: string;
  /** Null: the goal that `next` answers about. */
  readonly goalId: string | null;
  readonly agentId: string | null;
  readonly instance: string | null;
  readonly capabilities: readonly string[];
}

export interface ShouldRunRequest extends GoalRequest {
  readonly agentId: string | null;
  readonly turnInstanceId: string | null;
  readonly capabilities: readonly string[];
  /** The host that asks: told back, it decides nothing. */
  readonly runtimeProfile: string | null;
  readonly detail: boolean;
}

export interface QuotaStatusRequest extends PageRequest {
  /** Null: a page of all goals. */
  readonly goalId: string | null;
}

export interface EvidenceLogRequest extends GoalRequest {
  readonly agentId: string | null;
  readonly todoId: string | null;
  readonly since: string | null;
  readonly limit: number | null;
  readonly thin: boolean;
}

export interface WhyNotRequest extends WhyRequest {
  readonly todoId: string;
}

/** Which lease is meant, and the proof that it is the caller's: its number, or its key and version. */
export interface LeaseChangeRequest {
  readonly goalId: string;
  readonly agentId: string | null;
  readonly todoId: string;
  readonly turnInstanceId: string | null;
  readonly leaseEpoch: number | null;
  readonly key: string | null;
  readonly expectedVersion: number | null;
  readonly dryRun: boolean;
}

export interface LeaseRenewRequest extends LeaseChangeRequest {
  /** Null: as long as it was taken for. */
  readonly ttlSeconds: number | null;
}

/** `key` is the one the next owner's lease gets; a version alone proves the caller's. */
export interface LeaseTransferRequest extends LeaseChangeRequest {
  readonly to: string;
}

export interface LeaseAcquireRequest extends GoalRequest {
  readonly agentId: string | null;
  readonly todoId: string;
  readonly turnInstanceId: string | null;
  readonly instance: string | null;
  readonly ttlSeconds: number | null;
  readonly capabilities: readonly string[];
  /** Empty: those of the todo. */
  readonly writeScopes: readonly string[];
  readonly key: string | null;
}

export interface LeaseShowRequest extends GoalRequest {
  readonly todoId: string;
}

export interface LeaseListRequest extends GoalRequest, PageRequest {
  /** Null: of every agent. */
  readonly agentId: string | null;
}

export interface DecisionApp {
  why(request: WhyRequest): Promise<Reply<WhyPayload>>;
  shouldRun(request: ShouldRunRequest): Promise<Reply<ShouldRunPayload>>;
  quotaStatus(request: QuotaStatusRequest): Promise<Reply<GoalQuotaPayload | QuotaStatusPayload>>;
  quotaPlan(): Promise<Reply<QuotaPlanPayload>>;
  evidenceLog(request: EvidenceLogRequest): Promise<Reply<EvidenceLogPayload>>;
  diagnose(request: WhyRequest): Promise<Reply<DiagnosisPayload>>;
  whyNot(request: WhyNotRequest): Promise<Reply<WhyNotPayload>>;
  leaseAcquire(request: LeaseAcquireRequest): Promise<Reply<LeasePayload>>;
  leaseRenew(request: LeaseRenewRequest): Promise<Reply<LeasePayload>>;
  leaseTransfer(request: LeaseTransferRequest): Promise<Reply<LeasePayload>>;
  leaseRelease(request: LeaseChangeRequest): Promise<Reply<LeasePayload>>;
  leaseShow(request: LeaseShowRequest): Promise<Reply<LeaseShowPayload>>;
  leaseList(request: LeaseListRequest): Promise<Reply<LeaseListPayload>>;
}
