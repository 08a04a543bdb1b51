/**
 * The goal that a caller names, or why there is no such goal that a command may act on.
 */
import { parseGoalId } from "../id.ts";
import { done, type Problem, type Reply, refuse, reject } from "../result.ts";
import type { DeclaredGoal, Registry } from "./registry.ts";

/** For reading: of two entries with one id the first, as the writers of the reference do. */
export function findGoal(registry: Registry, text: string): Reply<DeclaredGoal> {
  const parsed = parseGoalId(text);
  if (!parsed.ok) return reject(parsed.flaw.code, `goal id ${JSON.stringify(text)} ${parsed.flaw.message}`);
  const goal = registry.goals.find(({ goal_id }) => goal_id === parsed.id);
  if (goal !== undefined) return done(goal);
  return reject("unknown_goal", `the registry ${registry.path} has no goal "${text}"`, { near: nearIds(registry, text) });
}

/** For writing: also refuses what must not be written to. */
export function findWritableGoal(registry: Registry, text: string): Reply<DeclaredGoal> {
  const found = findGoal(registry, text);
  if (found.kind !== "done" || found.value.standing === "clear") return found;
  const { goal_id, problems, standing } = found.value;
  const problem: Problem | undefined = problems[0];
  const message =
    problem === undefined
      ? `goal "${goal_id}" has a ${standing}`
      : `${problem.message}; change one of the two ids in the registry`;
  return refuse(`goal_${standing}`, message, { details: { goal_id, path: registry.path, line: problem?.line } });
}

const MAX_NEAR = 3;

/** Ids that a person may have meant, nearest first. */
export function nearIds(registry: Registry, text: string): readonly string[] {
  const wanted = text.toLowerCase();
  const limit = Math.max(1, Math.floor(wanted.length / 3));
  const ranked = [...new Set(registry.goals.map(({ goal_id }) => goal_id))]
    .filter((id) => Math.abs(id.length - wanted.length) <= limit || id.toLowerCase().includes(wanted))
    .map((id) => ({ id, distance: id.toLowerCase().includes(wanted) ? 0 : editDistance(id.toLowerCase(), wanted) }))
    .filter(({ distance }) => distance <= limit);
  ranked.sort((a, b) => a.distance - b.distance || (a.id < b.id ? -1 : 1));
  return ranked.slice(0, MAX_NEAR).map(({ id }) => id);
}

/** Insertions, deletions and replacements that turn one into the other. */
function editDistance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let i = 0; i < from.length; i += 1) {
    const next = [i + 1];
    for (let j = 0; j < to.length; j += 1) {
      const replaced = (row[j] ?? 0) + (from[i] === to[j] ? 0 : 1);
      next.push(Math.min(replaced, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
