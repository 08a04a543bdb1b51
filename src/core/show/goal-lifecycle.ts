/** Stopping and resuming a goal as the reference's `goal-lifecycle` prints it: the same answer under its names (decision-plane 10). */
import type { Problem } from "../result.ts";
import type { ShownActivation } from "./markdown/edit.ts";
import { COMPAT_BYTES } from "./should-run.ts";
import { fitted } from "./todo.ts";

export interface GoalLifecyclePayload {
  readonly ok: true;
  readonly goal_id: string;
  readonly before_state: "active" | "stopped";
  readonly after_state: "active" | "stopped";
  readonly activation: { readonly state: "active" | "stopped"; readonly reason: string | null };
  readonly changed: boolean;
  readonly dry_run: boolean;
  readonly execute: boolean;
  readonly written: boolean;
  readonly registry: string;
  readonly warnings: readonly Problem[];
}

export function goalLifecyclePayload(answer: ShownActivation): GoalLifecyclePayload {
  const { goal_id, before, activation: state, reason, changed, dry_run, registry, warnings } = answer;
  return fitted(COMPAT_BYTES, (cut) => ({
    ok: true,
    goal_id,
    before_state: before,
    after_state: state,
    activation: { state, reason: cut.textOrNull(reason) },
    changed,
    dry_run,
    execute: !dry_run,
    written: changed && !dry_run,
    registry,
    warnings: warnings.map((warning) => ({ ...warning, message: cut.text(warning.message) })),
  }));
}
