/** What `verify` answers: each check with its outcome, and whether it holds for the tree that stands. */
import { loopxCommand } from "../command-line.ts";
import type { Evidence, GoalEvent } from "../events.ts";
import type { Problem } from "../result.ts";
import { isFresh } from "../verify/freshness.ts";

export interface VerifyFacts {
  readonly goal_id: string;
  readonly agent_id: string | null;
  readonly todo_id: string;
  readonly evidence: readonly Evidence[];
  /** Of the tree as it stood when the checks had run. */
  readonly tree_hash: string | null;
  readonly events: readonly GoalEvent[];
  readonly dry_run: boolean;
  readonly warnings: readonly Problem[];
}

export interface VerifiedCheck extends Pick<Evidence, "label" | "outcome" | "exit_code" | "duration_ms" | "output"> {
  /** Passed before on the same inputs, and was not run again. */
  readonly cached: boolean;
  /** Passed on the tree that stands. */
  readonly fresh: boolean;
  /** Number of the event that records it; null when nothing was written. */
  readonly seq: number | null;
  readonly note: string | null;
}

export interface VerifyPayload {
  readonly ok: boolean;
  readonly code: "checks_failed" | null;
  readonly message: string;
  readonly goal_id: string;
  readonly agent_id: string | null;
  readonly todo_id: string;
  readonly verified: boolean;
  readonly checks: readonly VerifiedCheck[];
  readonly tree_hash: string | null;
  /** Written because it failed in a turn. */
  readonly turn_written: boolean;
  readonly dry_run: boolean;
  readonly then: readonly string[];
  readonly warnings: readonly Problem[];
}

export function verifyPayload(facts: VerifyFacts): VerifyPayload {
  const { goal_id, agent_id, todo_id, evidence, tree_hash, events, dry_run, warnings } = facts;
  const recorded = dry_run ? [] : events.filter(({ type }) => type === "evidence.recorded");
  const checks = evidence.map((made, at) => checkOf(made, { tree_hash, seq: recorded[at]?.seq ?? null }));
  const failed = checks.filter(({ fresh }) => !fresh);
  const ok = failed.length === 0;
  return {
    ok,
    code: ok ? null : "checks_failed",
    message: messageOf(todo_id, checks, failed),
    goal_id,
    agent_id,
    todo_id,
    verified: ok && checks.length > 0,
    checks,
    tree_hash,
    turn_written: !dry_run && events.some(({ type }) => type === "turn.written"),
    dry_run,
    then: [nextCommand(facts, ok)],
    warnings,
  };
}

function checkOf(
  made: Evidence,
  { tree_hash, seq }: { readonly tree_hash: string | null; readonly seq: number | null },
): VerifiedCheck {
  const { label, outcome, exit_code, duration_ms, output, cached = false, note = null } = made;
  return { label, outcome, exit_code, duration_ms, output, cached, fresh: isFresh(made, tree_hash), seq, note };
}

function messageOf(todoId: string, checks: readonly VerifiedCheck[], failed: readonly VerifiedCheck[]): string {
  if (checks.length === 0) return `${todoId} declares no checks.`;
  if (failed.length === 0)
    return checks.length === 1 ? `The check of ${todoId} passes.` : `All ${checks.length} checks of ${todoId} pass.`;
  return `${failed.length} of ${checks.length} checks of ${todoId} did not pass: ${failed.map(({ label }) => label).join(", ")}.`;
}

function nextCommand({ goal_id, agent_id, todo_id }: VerifyFacts, ok: boolean): string {
  const about = ["--goal-id", goal_id, ...(agent_id === null ? [] : ["--agent-id", agent_id])];
  if (!ok) return loopxCommand("verify", todo_id, ...about);
  return loopxCommand("done", ...about, "--todo-id", todo_id, "--summary", "…", "--next", "…");
}
