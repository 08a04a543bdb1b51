/**
 * What a view says at one moment: the few questions whose answer moves with the clock.
 *
 * N1  A run dated after `now` is in the future and is never the latest (data-plane 5); a run without a time is not in the future.
 */
import type { Instant } from "../instant.ts";
import { laterOf } from "../instant.ts";
import type { RunSummary } from "../runs/run.ts";
import type { GoalView } from "./view.ts";

/** N1. */
export function isFuture(at: Instant | null, now: Instant): boolean {
  return at !== null && at > now;
}

/** The newest run that speaks for the goal and is not dated after `now`. */
export function latestRunOf(view: GoalView, now: Instant): RunSummary | null {
  return view.runs.latest.find((run) => !isFuture(run.at, now)) ?? null;
}

export function futureRunsOf(view: GoalView, now: Instant): readonly RunSummary[] {
  return view.runs.latest.filter((run) => isFuture(run.at, now));
}

/** When anybody last recorded anything of the goal, as far as that is not in the future. */
export function lastActivityOf(view: GoalView, now: Instant): Instant | null {
  const known = [view.runs.last_activity_at, ...view.runs.latest.map((run) => run.at)];
  return known
    .filter((at): at is Instant => at !== null && !isFuture(at, now))
    .reduce<Instant | null>((newest, at) => (newest === null ? at : laterOf(newest, at)), null);
}

/** An instant of the view that is always there: when what stands for the goal's state file last changed. */
export function standingSince(view: GoalView): Instant {
  return view.state_file.kind === "read" ? view.state_file.changed_at : view.state_file.since;
}

export interface Stoppage {
  readonly kind: "stopped" | "archived";
  readonly reason: string;
  readonly since: Instant | null;
}

/** Why the goal is at rest, journal and registry taken together: either of them can stop it. Null: it is at work. */
export function stoppageOf({ lifecycle, activation }: GoalView): Stoppage | null {
  if (lifecycle.kind === "archived" || lifecycle.kind === "archiving") {
    return { kind: "archived", reason: "archived", since: lifecycle.since };
  }
  if (lifecycle.kind === "stopped") return lifecycle;
  return activation.kind === "stopped" ? activation : null;
}

export function activityOf(view: GoalView): "running" | "stopped" | "archived" {
  return stoppageOf(view)?.kind ?? "running";
}
