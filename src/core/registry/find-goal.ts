/**
 * The goal that a caller names, or why there is no such goal that a command may act on.
 */
import { parseGoalId } from "../id.ts";
import { nearest } from "../near.ts";
import { done, type Reply, refuse, reject } from "../result.ts";
import type { DeclaredGoal, Registry } from "./registry.ts";

/** For reading: of two entries with one id the first, as the writers of the reference do. */
export function findGoal(registry: Registry, text: string): Reply<DeclaredGoal> {
  const parsed = parseGoalId(text);
  if (!parsed.ok) return reject(parsed.flaw.code, `goal id ${JSON.stringify(text)} ${parsed.flaw.message}`);
  const goal = registry.goals.find(({ goal_id }) => goal_id === parsed.id);
  if (goal !== undefined) return done(goal);
  return reject("unknown_goal", `the registry ${registry.path} has no goal "${text}"`, {
    near: nearest(
      text,
      registry.goals.map(({ goal_id }) => goal_id),
    ),
  });
}

/** For writing: also refuses what must not be written to. */
export function findWritableGoal(registry: Registry, text: string): Reply<DeclaredGoal> {
  const found = findGoal(registry, text);
  if (found.kind !== "done" || found.value.standing === "clear") return found;
  const { goal_id, line, problems, standing } = found.value;
  const [why] = problems.map(({ message }) => message);
  return refuse(`goal_${standing}`, `${why}; change one of the two ids in the registry`, {
    details: { goal_id, path: registry.path, line },
  });
}
