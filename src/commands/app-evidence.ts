/** What is asked about the checks of todos and what they left behind. */
import type { GoalEditRequest, GoalRequest, PageRequest } from "./app-words.ts";

export interface VerifyRequest {
  /** Null: the only goal, or the one in which the todo is in hand. */
  readonly goalId: string | null;
  readonly agentId: string | null;
  /** Null: the todo that the agent has in hand. */
  readonly todoId: string | null;
  readonly turnInstanceId: string | null;
  readonly leaseEpoch: number | null;
  /** Run the checks although the same inputs passed them before. */
  readonly noCache: boolean;
  readonly dryRun: boolean;
}

export interface EvidenceAddRequest extends GoalEditRequest {
  readonly agentId: string | null;
  readonly todoId: string | null;
  readonly label: string;
  /** The arguments of the command that was run; null: none was. */
  readonly command: readonly string[] | null;
  readonly exitCode: number | null;
  readonly durationSeconds: number | null;
  /** At most one of the two: a text, or the path of a file that holds it. */
  readonly output: string | null;
  readonly outputFile: string | null;
  readonly note: string | null;
  readonly leaseEpoch: number | null;
  readonly idempotencyKey: string | null;
}

export interface EvidenceListRequest extends GoalRequest, PageRequest {
  readonly todoId: string | null;
}

export interface EvidenceShowRequest extends GoalRequest {
  readonly seq: number;
  readonly withOutput: boolean;
}
