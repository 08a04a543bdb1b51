/**
 * A check that passed, as it is kept to be used again.
 *
 * V1  Only what passed is a verdict.
 * V2  What does not name the capability and key that were asked for is none.
 */
import { type GoalId, parseGoalId } from "../id.ts";
import { type Instant, parseInstant } from "../instant.ts";

export interface Verdict {
  readonly capability: string;
  readonly key: string;
  readonly exit_code: 0;
  readonly argv: readonly string[];
  readonly duration_ms: number;
  /** The goal whose blob it is. */
  readonly goal_id: GoalId;
  readonly output: { readonly sha256: string; readonly bytes: number };
  readonly at: Instant;
}

const SHA256 = /^[0-9a-f]{64}$/;

/** Null for everything else. */
export function parseVerdict(text: string, asked: Pick<Verdict, "capability" | "key">): Verdict | null {
  const value = record(parseJson(text));
  const { argv, duration_ms } = value;
  const goal = parseGoalId(value["goal_id"]);
  const output = outputOf(record(value["output"]));
  const at = parseInstant(value["at"]);
  if (value["exit_code"] !== 0) return null; // (V1)
  if (value["capability"] !== asked.capability || value["key"] !== asked.key) return null; // (V2)
  if (!(goal.ok && output !== null && at !== null && isTexts(argv) && isCount(duration_ms))) return null;
  return { ...asked, exit_code: 0, argv, duration_ms, goal_id: goal.id, output, at };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function record(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? { ...value } : {};
}

function outputOf({ sha256, bytes }: Readonly<Record<string, unknown>>): Verdict["output"] | null {
  return typeof sha256 === "string" && SHA256.test(sha256) && isCount(bytes) ? { sha256, bytes } : null;
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((each) => typeof each === "string");
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}
