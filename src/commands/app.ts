/**
 * Everything LoopX can do, one method a use case: the boundary that every surface calls and `compose.ts` makes.
 *
 * Does not own: how a request is spelled (surfaces) and how an answer is worded (`core/show`).
 */
import type { Reply } from "../core/result.ts";

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

export interface PageRequest {
  readonly limit: number | null;
  readonly cursor: string | null;
}

export interface GoalListRequest extends PageRequest {
  readonly all: boolean;
}

export interface GoalRequest {
  readonly goalId: string;
}

export interface GoalEditRequest extends GoalRequest {
  readonly dryRun: boolean;
}

export interface GoalStopRequest extends GoalEditRequest {
  readonly reason: string | null;
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
  readonly goalId: string | null;
  readonly agentId: string | null;
  readonly all: boolean;
  readonly fields: readonly string[];
  /** Null: the default. */
  readonly cacheTtlSeconds: number | null;
  readonly clearCache: boolean;
}

export interface HistoryRequest extends PageRequest {
  readonly goalId: string | null;
}

export interface DriftRequest {
  readonly goalId: string | null;
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

/** Answers are records as they are printed: `ok` first, wire names throughout. */
export interface App {
  init(request: InitRequest): Promise<Reply<object>>;
  goalAdd(request: GoalAddRequest): Promise<Reply<object>>;
  goalList(request: GoalListRequest): Promise<Reply<object>>;
  goalShow(request: GoalRequest): Promise<Reply<object>>;
  goalStop(request: GoalStopRequest): Promise<Reply<object>>;
  goalResume(request: GoalEditRequest): Promise<Reply<object>>;
  goalRemove(request: GoalEditRequest): Promise<Reply<object>>;
  refresh(request: RefreshRequest): Promise<Reply<object>>;
  refreshAll(request: RefreshAllRequest): Promise<Reply<object>>;
  status(request: StatusRequest): Promise<Reply<object>>;
  history(request: HistoryRequest): Promise<Reply<object>>;
  drift(request: DriftRequest): Promise<Reply<object>>;
  archive(request: ArchiveRequest): Promise<Reply<object>>;
  restore(request: RestoreRequest): Promise<Reply<object>>;
  archives(request: ArchivesRequest): Promise<Reply<object>>;
  registry(): Promise<Reply<object>>;
  rebuild(request: RebuildRequest): Promise<Reply<object>>;
  doctor(request: DoctorRequest): Promise<Reply<object>>;
}
