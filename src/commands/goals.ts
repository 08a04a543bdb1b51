/** `goal list` and `goal show`: the goals of the registry, and everything that is known of one. */
import { done, type Reply } from "../core/result.ts";
import { buildGoalShow, type GoalShowPayload } from "../core/show/goal-show.ts";
import type { StatusPayload } from "../core/show/status.ts";
import type { GoalListRequest, GoalRequest } from "./app.ts";
import { quotaNow } from "./quota-now.ts";
import { readDecision } from "./read-decision.ts";
import { readGoals } from "./read-goal.ts";
import { type RegisteredGoal, type RegistryRows, registryRows } from "./registry-rows.ts";
import { status } from "./status.ts";
import { subjectOf } from "./subjects.ts";
import type { Workspace } from "./workspace.ts";

const LISTED = [
  "goal_id",
  "display_name",
  "registered",
  "activation",
  "lifecycle",
  "run_count",
  "next_action",
  "todos",
  "latest_run",
];

/** A page of `status` without the queue. */
export async function goalList(workspace: Workspace, request: GoalListRequest): Promise<Reply<StatusPayload>> {
  const { limit, cursor, all } = request;
  return await status(workspace, {
    goalId: null,
    agentId: null,
    limit,
    cursor,
    all,
    fields: LISTED,
    cacheTtlSeconds: null,
    clearCache: false,
  });
}

export async function goalShow(workspace: Workspace, request: GoalRequest): Promise<Reply<GoalShowPayload>> {
  const rows = await registryRows(workspace);
  if (rows.kind !== "done") return rows;
  const subject = await subjectOf(workspace, rows.value, request.goalId);
  if (subject.kind !== "done") return subject;
  const [view] = await readGoals(workspace, rows.value, { subjects: [subject.value], ttl_seconds: null });
  if (view === undefined) throw new Error("a goal that was read has a view");
  const { path: registry } = rows.value;
  const { registered } = subject.value;
  const spending = registered === null ? null : await spendingOf(workspace, rows.value, registered);
  const { runtime_root } = workspace.roots;
  return done(buildGoalShow({ registry, runtime_root, view, now: workspace.clock.now(), spending }));
}

/** As a write would find it, with what people changed. */
async function spendingOf(workspace: Workspace, rows: RegistryRows, registered: RegisteredGoal): ReturnType<typeof quotaNow> {
  const { state } = await readDecision(workspace, rows, { registered, agent: null, limit: 1 });
  return await quotaNow(workspace, registered.goal, state.head);
}
