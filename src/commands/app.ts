/**
 * Everything LoopX can do, one method a use case: the boundary that every surface calls and `compose.ts` makes.
 *
 * Does not own: how a request is spelled (surfaces) and how an answer is worded (`core/show`).
 */
import type { WaitingOn } from "../core/registry/edit-goal.ts";
import type { JsonObject } from "../core/registry/json-node.ts";
import type { QuotaLimits, QuotaProfile } from "../core/registry/quota-settings.ts";
import type { Reply } from "../core/result.ts";
import type { CacheRemovedPayload, CacheStatsPayload } from "../core/show/cache.ts";
import type { ClaimPayload } from "../core/show/claim.ts";
import type { DecisionPayload } from "../core/show/decision.ts";
import type { DoctorPayload } from "../core/show/doctor.ts";
import type { DonePayload } from "../core/show/done.ts";
import type { EvidenceAddPayload, EvidenceListPayload, EvidenceShowPayload } from "../core/show/evidence.ts";
import type { GoalShowPayload } from "../core/show/goal-show.ts";
import type { HistoryPayload } from "../core/show/history.ts";
import type { ShownArchiving } from "../core/show/markdown/archive-runtime.ts";
import type { ArchivesAnswer } from "../core/show/markdown/archives.ts";
import type { ShownConfigureGoal } from "../core/show/markdown/configure-goal.ts";
import type { ShownDrift } from "../core/show/markdown/drift.ts";
import type { ShownActivation, ShownGoalAdd, ShownGoalRemove, ShownInit } from "../core/show/markdown/edit.ts";
import type { ShownQuotaSet } from "../core/show/markdown/quota-set.ts";
import type { ShownRebuild } from "../core/show/markdown/rebuild.ts";
import type { ShownRefresh, ShownRefreshAll } from "../core/show/markdown/refresh.ts";
import type { ShownRegistry } from "../core/show/markdown/registry.ts";
import type { ShownRestoring } from "../core/show/markdown/restore.ts";
import type { VoidPayload } from "../core/show/markdown/void.ts";
import type { WaitPayload } from "../core/show/markdown/wait.ts";
import type { RunPayload } from "../core/show/run.ts";
import type { SpendPayload } from "../core/show/spend.ts";
import type { StatusPayload } from "../core/show/status.ts";
import type { VerifyPayload } from "../core/show/verify.ts";
import type { CacheClearRequest, CachePruneRequest, CacheRequest } from "./app-cache.ts";
import type { DecisionApp } from "./app-decisions.ts";
import type { EvidenceAddRequest, EvidenceListRequest, EvidenceShowRequest, VerifyRequest } from "./app-evidence.ts";
import type { RunRequest } from "./app-run.ts";
import type { SimApp } from "./app-sim.ts";
import type { TodoApp } from "./app-todos.ts";
import type { GoalEditRequest, GoalRequest, PageRequest } from "./app-words.ts";
import type { ClaimRequest, DoneRequest, NextRequest } from "./app-work.ts";

export type * from "./app-cache.ts";
export type * from "./app-decisions.ts";
export type * from "./app-evidence.ts";
export type * from "./app-run.ts";
export type * from "./app-todos.ts";
export type * from "./app-words.ts";
export type * from "./app-work.ts";

import type { LaunchAnswer, Launching, LaunchRequest } from "./launch-words.ts";
import type { SubmittedTurn } from "./submit-turn.ts";
import type { LogsAnswer, LogsRequest } from "./team-logs.ts";
import type { SessionRequest, StopRequest, TeamStatus, TeamStopped, TeamWoken, WakeRequest } from "./team-session.ts";

export interface InitRequest {
  readonly objective: string;
  /** Null: made from the folder's name. */
  readonly goalId: string | null;
  /** Null: the current folder. */
  readonly project: string | null;
  readonly dryRun: boolean;
}

export interface GoalAddRequest {
  readonly goalId: string;
  readonly objective: string;
  readonly displayName: string | null;
  readonly stateFile: string | null;
  readonly dryRun: boolean;
}

export interface GoalListRequest extends PageRequest {
  readonly all: boolean;
}

export interface GoalActivationRequest extends GoalEditRequest {
  readonly reason: string | null;
}

/** Null: stays as it is. */
export interface QuotaSetRequest {
  /** Null: what holds for all goals of the registry. */
  readonly goalId: string | null;
  readonly profile: QuotaProfile | null;
  readonly compute: number | null;
  readonly windowHours: number | null;
  readonly slotMinutes: number | null;
  readonly allowedSlots: number | null;
  readonly tokens: number | null;
  readonly wallMinutes: number | null;
  readonly limits: Partial<QuotaLimits>;
  readonly dryRun: boolean;
}

/** Null: stays as it is. */
export interface ConfigureGoalRequest extends GoalEditRequest {
  readonly quotaCompute: number | null;
  readonly quotaWindowHours: number | null;
  readonly writeScope: { readonly mode: "add" | "replace"; readonly items: readonly string[] } | null;
  readonly waitingOn: { readonly kind: "set"; readonly value: WaitingOn } | { readonly kind: "clear" } | null;
  /** `AGENT=MODE` */
  readonly agentWorkModes: readonly string[];
}

export interface AgentAddRequest extends GoalEditRequest {
  readonly agentIds: readonly string[];
  /** An agent that is there already is a refusal. */
  readonly requireNew: boolean;
}

export interface RefreshRequest {
  readonly goalId: string;
  readonly agentId: string | null;
  readonly agentLane: string | null;
  readonly classification: string | null;
  readonly recommendedAction: string | null;
  readonly nextAction: string | null;
  readonly deliveryOutcome: string | null;
  readonly deliveryBatchScale: string | null;
  readonly todoId: string | null;
  readonly turnInstanceId: string | null;
  readonly progressScope: "goal" | "agent_lane" | null;
  readonly stateFile: string | null;
  readonly dryRun: boolean;
}

export interface RefreshAllRequest {
  readonly dryRun: boolean;
}

export interface StatusRequest extends PageRequest {
  /** The number of an event or a time: answered as right after it. Absent: now. */
  readonly at?: string;
  readonly goalId: string | null;
  readonly agentId: string | null;
  readonly all: boolean;
  readonly fields: readonly string[];
  /** Null: the default. */
  readonly cacheTtlSeconds: number | null;
  readonly clearCache: boolean;
}

export interface HistoryRequest extends PageRequest {
  /** The number of an event or a time: answered as right after it. Absent: now. */
  readonly at?: string;
  readonly goalId: string | null;
  /** Every run, whole. */
  readonly all?: boolean;
}

/** What is left out of the page is as by default. */
export interface DriftRequest extends Partial<PageRequest> {
  readonly goalId: string | null;
  /** Every goal, whole. */
  readonly all?: boolean;
  readonly fix: boolean;
  readonly dryRun: boolean;
}

export interface ArchiveRequest extends GoalEditRequest {
  readonly archiveRoot: string | null;
  readonly allowRegistered: boolean;
}

export interface RestoreRequest extends GoalEditRequest {
  readonly archivePath: string | null;
  readonly archiveRoot: string | null;
}

export interface ArchivesRequest extends PageRequest {
  readonly goalId: string | null;
  readonly archiveRoot: string | null;
}

export interface RebuildRequest {
  /** Null: every goal. */
  readonly goalId: string | null;
}

export interface DoctorRequest {
  readonly fix: boolean;
  readonly dryRun: boolean;
}

export interface SpendSlotRequest extends GoalEditRequest {
  readonly agentId: string | null;
  /** Null: the one that the written turn was about. */
  readonly todoId: string | null;
  readonly turnInstanceId: string | null;
  /** Null: one slot, and nothing else. */
  readonly slots: number | null;
  readonly tokens: number | null;
  readonly wallMs: number | null;
  readonly source: string;
}

/** One of the two says which spend it is. */
export interface VoidSlotRequest extends GoalEditRequest {
  readonly voidSeq: number | null;
  readonly voidGeneratedAt: string | null;
  readonly reason: string;
}

/** One of the two says until when. */
export interface QuotaHoldRequest extends GoalEditRequest {
  readonly agentId: string | null;
  readonly until: string | null;
  readonly minutes: number | null;
  readonly reason: string | null;
}

export interface QuotaResumeRequest extends GoalEditRequest {
  readonly agentId: string | null;
  readonly reason: string | null;
}

/** Answers are records as they are printed: `ok` first, wire names throughout; each has at least what its page for people shows. */
export interface App extends DecisionApp, TodoApp, SimApp {
  init(request: InitRequest): Promise<Reply<ShownInit>>;
  goalAdd(request: GoalAddRequest): Promise<Reply<ShownGoalAdd>>;
  goalList(request: GoalListRequest): Promise<Reply<StatusPayload>>;
  goalShow(request: GoalRequest): Promise<Reply<GoalShowPayload>>;
  goalStop(request: GoalActivationRequest): Promise<Reply<ShownActivation>>;
  goalResume(request: GoalActivationRequest): Promise<Reply<ShownActivation>>;
  goalRemove(request: GoalEditRequest): Promise<Reply<ShownGoalRemove>>;
  quotaSet(request: QuotaSetRequest): Promise<Reply<ShownQuotaSet>>;
  quotaSpendSlot(request: SpendSlotRequest): Promise<Reply<SpendPayload>>;
  quotaVoidSlot(request: VoidSlotRequest): Promise<Reply<VoidPayload>>;
  quotaHold(request: QuotaHoldRequest): Promise<Reply<WaitPayload>>;
  quotaResume(request: QuotaResumeRequest): Promise<Reply<WaitPayload>>;
  configureGoal(request: ConfigureGoalRequest): Promise<Reply<ShownConfigureGoal>>;
  agentAdd(request: AgentAddRequest): Promise<Reply<ShownConfigureGoal>>;
  refresh(request: RefreshRequest): Promise<Reply<ShownRefresh>>;
  refreshAll(request: RefreshAllRequest): Promise<Reply<ShownRefreshAll>>;
  next(request: NextRequest): Promise<Reply<DecisionPayload>>;
  claim(request: ClaimRequest): Promise<Reply<ClaimPayload>>;
  done(request: DoneRequest): Promise<Reply<DonePayload>>;
  evidenceAdd(request: EvidenceAddRequest): Promise<Reply<EvidenceAddPayload>>;
  evidenceList(request: EvidenceListRequest): Promise<Reply<EvidenceListPayload>>;
  evidenceShow(request: EvidenceShowRequest): Promise<Reply<EvidenceShowPayload>>;
  cacheStats(request: CacheRequest): Promise<Reply<CacheStatsPayload>>;
  cachePrune(request: CachePruneRequest): Promise<Reply<CacheRemovedPayload>>;
  cacheClear(request: CacheClearRequest): Promise<Reply<CacheRemovedPayload>>;
  verify(request: VerifyRequest): Promise<Reply<VerifyPayload>>;
  run(request: RunRequest): Promise<Reply<RunPayload>>;
  /** A host hands over the result of its turn; needs no project. */
  turnSubmit(fields: JsonObject): Promise<Reply<SubmittedTurn>>;
  status(request: StatusRequest): Promise<Reply<StatusPayload>>;
  history(request: HistoryRequest): Promise<Reply<HistoryPayload>>;
  drift(request: DriftRequest): Promise<Reply<ShownDrift>>;
  archive(request: ArchiveRequest): Promise<Reply<ShownArchiving>>;
  restore(request: RestoreRequest): Promise<Reply<ShownRestoring>>;
  archives(request: ArchivesRequest): Promise<Reply<ArchivesAnswer>>;
  /** Answers when the team is over; with `detach`, when its supervisor stands. */
  launch(request: LaunchRequest, launching: Launching): Promise<Reply<LaunchAnswer>>;
  agentsStatus(request: SessionRequest): Promise<Reply<TeamStatus>>;
  agentsStop(request: StopRequest): Promise<Reply<TeamStopped>>;
  agentsWake(request: WakeRequest): Promise<Reply<TeamWoken>>;
  agentsLogs(request: LogsRequest): Promise<Reply<LogsAnswer>>;
  registry(): Promise<Reply<ShownRegistry>>;
  rebuild(request: RebuildRequest): Promise<Reply<ShownRebuild>>;
  doctor(request: DoctorRequest): Promise<Reply<DoctorPayload>>;
}
