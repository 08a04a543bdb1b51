/** `registry`: what the registry says and what is wrong with it. */
import type { RegistrySource, RuntimeRootSource } from "../core/registry/resolve-roots.ts";
import { done, type Problem, type Reply } from "../core/result.ts";
import { everyGoal, registryRows } from "./registry-rows.ts";
import type { Workspace } from "./workspace.ts";

export interface RegistryAnswer {
  readonly ok: boolean;
  readonly registry: string;
  readonly registry_source: RegistrySource;
  readonly runtime_root: string;
  readonly runtime_root_source: RuntimeRootSource;
  readonly schema_version: string | null;
  readonly updated_at: string | null;
  readonly registry_role: string | null;
  readonly writable: string;
  readonly goal_count: number;
  readonly status_counts: Readonly<Record<string, number>>;
  readonly problems: readonly Problem[];
  readonly problem_count: number;
  readonly goals: readonly object[];
  readonly left_out: { readonly goals: number; readonly problems: number; readonly get: readonly string[] };
}

const SHOWN_GOALS = 50;
const SHOWN_PROBLEMS = 50;

export async function registryReport(workspace: Workspace): Promise<Reply<RegistryAnswer>> {
  const found = await registryRows(workspace);
  if (found.kind !== "done") return found;
  const rows = found.value;
  const counts: Record<string, number> = {};
  const problems: Problem[] = [...rows.problems];
  const goals: object[] = [];
  for await (const { goal } of everyGoal(rows)) {
    const status = goal.status ?? "none";
    counts[status] = (counts[status] ?? 0) + 1;
    problems.push(...goal.problems);
    const { goal_id, domain, repo, state_file, adapter, standing, line } = goal;
    if (goals.length < SHOWN_GOALS) {
      goals.push({
        goal_id,
        status: goal.status,
        domain,
        repo,
        state_file,
        adapter,
        activation: goal.activation.state,
        standing,
        line,
      });
    }
  }
  const { roots } = workspace;
  return done({
    ok: !problems.some((problem) => "severity" in problem && problem.severity === "error"),
    registry: rows.path,
    registry_source: roots.registry_source,
    runtime_root: roots.runtime_root,
    runtime_root_source: roots.runtime_root_source,
    schema_version: rows.schema_version,
    updated_at: rows.updated_at,
    registry_role: rows.registry_role,
    writable: rows.writable,
    goal_count: rows.goal_count,
    status_counts: counts,
    problems: problems.slice(0, SHOWN_PROBLEMS),
    problem_count: problems.length,
    goals,
    left_out: {
      goals: rows.goal_count - goals.length,
      problems: Math.max(0, problems.length - SHOWN_PROBLEMS),
      get: rows.goal_count > goals.length ? ["loopx goal list --all"] : [],
    },
  });
}
