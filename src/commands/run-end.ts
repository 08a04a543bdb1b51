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
  /** What is left was refused before its host could start. */
  readonly leaves_refused: boolean;
}

/** A todo that is not taken up, as things stand. */
export interface PassedOver {
  readonly no: Refusal | BadInput;
  /** What was looked for before a host starts, or how the todo stands. */
  readonly by: "preflight" | "standing";
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

export const INSTALL_IT = "Install it, or name another one with --host-command-json";

export const FIXES: Readonly<Partial<Record<HostFailureKind, string>>> = {
  host_missing: INSTALL_IT,
  auth_failed: "Sign the host in, then run again",
  budget: "Raise the host's budget, then run again",
};

export function plainEnd(reason: StopReason, message: string): RunEnd {
  return { reason, message, code: null, fix: null, until: null, leaves_refused: false };
}

export function endOf(reason: StopReason, { code, message, fix }: Refusal | BadInput): RunEnd {
  return { reason, message, code, fix: fix ?? null, until: null, leaves_refused: false };
}

/** What was passed over is the better answer to "why is nothing done"; first of all what only a person can change. */
export function idleEnd({ why, message, until }: WaitReason, passed: readonly PassedOver[]): RunEnd {
  const refused = refusedOf(passed);
  if (refused !== null) return { ...endOf("idle", refused), leaves_refused: true };
  const [first] = passed;
  return first === undefined ? { ...plainEnd("idle", message), code: why, until } : endOf("idle", first.no);
}

export function refusedOf(passed: readonly PassedOver[]): PassedOver["no"] | null {
  return passed.find(({ by }) => by === "preflight")?.no ?? null;
}
