/** Why an agent's run waits, and why it came to its end. */
import type { HostFailureKind } from "../core/host/failure.ts";
import { isHeldBack, type StopReason } from "../core/host/worker-protocol.ts";
import type { Instant } from "../core/instant.ts";
import type { BadInput, Refusal } from "../core/result.ts";

export interface RunEnd {
  readonly reason: StopReason;
  readonly message: string;
  readonly code: string | null;
  readonly fix: string | null;
  readonly until: Instant | null;
}

export interface WaitReason {
  readonly until: Instant | null;
  readonly why: string;
  readonly message: string;
}

/** Such a wait is no sign that nothing can be done. */
export function isBackOff({ why }: WaitReason): boolean {
  return isHeldBack(why);
}

const KINDS: readonly HostFailureKind[] = [
  "host_missing",
  "auth_failed",
  "budget",
  "refused",
  "rate_limited",
  "timeout_idle",
  "timeout_hard",
  "output_invalid",
  "crashed",
  "session_missing",
];

export function isHostFailure(kind: string): kind is HostFailureKind {
  return KINDS.some((known) => known === kind);
}

export const FIXES: Readonly<Partial<Record<HostFailureKind, string>>> = {
  host_missing: "Install it, or name another one with --host-command-json",
  auth_failed: "Sign the host in, then run again",
  budget: "Raise the host's budget, then run again",
};

export function plainEnd(reason: StopReason, message: string): RunEnd {
  return { reason, message, code: null, fix: null, until: null };
}

export function endOf(reason: StopReason, { code, message, fix }: Refusal | BadInput): RunEnd {
  return { reason, message, code, fix: fix ?? null, until: null };
}

/** What was passed over is the better answer to "why is nothing done". */
export function idleEnd({ why, message, until }: WaitReason, passed: Refusal | BadInput | null): RunEnd {
  return passed === null ? { ...plainEnd("idle", message), code: why, until } : endOf("idle", passed);
}
