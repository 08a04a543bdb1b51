/**
 * `Idempotency-Key` where the use case has a key of its own: the field of the body, or the header, and never two of them.
 */
import type { TurnId } from "../../../core/id.ts";
import { done, type Reply, reject } from "../../../core/result.ts";

interface Given {
  readonly field: string;
  readonly value: string | null | undefined;
  /** The header. */
  readonly key: TurnId | null;
}

export function keyed({ field, value, key }: Given): Reply<string | null> {
  const named = value ?? null;
  if (named === null || key === null || named === key) return done(named ?? key);
  return reject("idempotency_conflict", `Idempotency-Key and ${field} name two requests; leave one of them out`);
}
