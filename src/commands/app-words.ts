/** Words that requests of many use cases share. */

export interface PageRequest {
  readonly limit: number | null;
  readonly cursor: string | null;
}

export interface GoalRequest {
  readonly goalId: string;
}

export interface GoalEditRequest extends GoalRequest {
  readonly dryRun: boolean;
}
