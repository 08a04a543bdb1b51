/**
 * What a turn used.
 *
 * U1  Tokens are whole numbers that a host said; what it did not say is absent, never 0.
 * U2  What a host says of itself in its stream counts before what its result says.
 */
import type { JsonValue } from "../registry/json-node.ts";
import type { Problem } from "../result.ts";

export interface TokenUsage {
  readonly input_tokens?: number;
  readonly output_tokens?: number;
}

export interface TurnUsage extends TokenUsage {
  readonly wall_ms: number;
}

const COUNTS = ["input_tokens", "output_tokens"] as const;
/** Known and not read: LoopX measures the time itself, and costs are not believed. */
const NOT_READ = /^(?:wall_ms|cost.*|total_cost.*)$/;

/** U1. Null when nothing was said. */
export function tokenUsageOf(value: JsonValue | undefined, problems: Problem[]): TokenUsage | null {
  if (value === undefined || value === null) return null;
  if (typeof value !== "object" || Array.isArray(value)) {
    problems.push({ path: "usage", code: "usage_not_object", message: `must be an object with ${COUNTS.join(" and ")}` });
    return null;
  }
  let usage: TokenUsage = {};
  for (const [field, count] of Object.entries(value)) {
    if (NOT_READ.test(field)) continue;
    const path = `usage.${field.slice(0, 80)}`;
    if (!COUNTS.some((known) => known === field))
      problems.push({ path, code: "field_unknown", message: "is no count of tokens" });
    else if (!isCount(count)) problems.push({ path, code: "count_expected", message: "must be a whole number, 0 or more" });
    else usage = { ...usage, [field]: count };
  }
  return usage;
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}

/** U2. */
export function turnUsage(wall_ms: number, streamed: TokenUsage | null, claimed: TokenUsage | null): TurnUsage {
  return { ...claimed, ...streamed, wall_ms };
}
