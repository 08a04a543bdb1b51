/** The goals that a team works on, and whether its agents may work on them. */
import { loopxCommand } from "../core/command-line.ts";
import type { AgentId } from "../core/id.ts";
import type { DeclaredGoal } from "../core/registry/registry.ts";
import { done, type Reply, refuse } from "../core/result.ts";
import type { LaunchSpec } from "../core/team/launch-spec.ts";
import { agentAdd } from "./configure-goal.ts";
import type { LaunchPlan, LaunchRequest } from "./launch-words.ts";
import { everyGoal, findWritable, type RegistryRows, registryRows } from "./registry-rows.ts";
import type { WritingWorkspace } from "./workspace.ts";

export interface TeamGoals {
  readonly goals: readonly DeclaredGoal[];
  readonly registers: LaunchPlan["registers"];
}

export async function goalsOfTeam(
  workspace: WritingWorkspace,
  spec: LaunchSpec,
  request: LaunchRequest,
): Promise<Reply<TeamGoals>> {
  const rows = await registryRows(workspace);
  if (rows.kind !== "done") return rows;
  const goals = spec.goals.length === 0 ? await activeGoals(rows.value) : await namedGoals(rows.value, spec.goals);
  if (goals.kind !== "done") return goals;
  const registers = missingAgents(goals.value, spec.agents);
  const [strange] = Object.entries(registers);
  if (strange !== undefined && !request.register) return notRegistered(...strange);
  return done({ goals: goals.value, registers });
}

async function namedGoals(rows: RegistryRows, ids: readonly string[]): Promise<Reply<readonly DeclaredGoal[]>> {
  const goals: DeclaredGoal[] = [];
  for (const id of ids) {
    const found = await findWritable(rows, id);
    if (found.kind !== "done") return found;
    const { goal } = found.value;
    if (goal.activation.state !== "active") return stopped(goal);
    goals.push(goal);
  }
  return done(goals);
}

function stopped({ goal_id, activation: { reason } }: DeclaredGoal): Reply<never> {
  return refuse("goal_stopped", `Goal ${goal_id} is stopped${reason === null ? "" : `: ${reason}`}.`, {
    details: { goal_id },
    fix: loopxCommand("goal", "resume", "--goal-id", goal_id),
  });
}

const NAMED_AT_MOST = 5;

async function activeGoals(rows: RegistryRows): Promise<Reply<readonly DeclaredGoal[]>> {
  const goals: DeclaredGoal[] = [];
  const stopped: string[] = [];
  for await (const { goal } of everyGoal(rows)) {
    if (goal.standing === "clear" && goal.activation.state === "active") goals.push(goal);
    else stopped.push(goal.goal_id);
  }
  if (goals.length > 0) return done(goals);
  const [first] = stopped;
  const named = stopped.slice(0, NAMED_AT_MOST).join(", ");
  const message = first === undefined ? "The registry has no goal." : `No goal is active; stopped: ${named}.`;
  const fix = first === undefined ? loopxCommand("goal", "add") : loopxCommand("goal", "resume", "--goal-id", first);
  return refuse("no_active_goal", message, { details: { stopped: stopped.slice(0, NAMED_AT_MOST) }, fix });
}

/** A goal that registers nobody takes everybody. */
function missingAgents(goals: readonly DeclaredGoal[], agents: readonly AgentId[]): LaunchPlan["registers"] {
  const missing: Record<string, readonly string[]> = {};
  for (const { goal_id, registered_agents: known } of goals) {
    const strange = known.length === 0 ? [] : agents.filter((id) => !known.includes(id));
    if (strange.length > 0) missing[goal_id] = strange;
  }
  return missing;
}

function notRegistered(goal_id: string, agents: readonly string[]): Reply<never> {
  const message = `Goal ${goal_id} has registered agents, and ${agents.join(", ")} ${agents.length === 1 ? "is" : "are"} not among them. --register adds them.`;
  return refuse("agents_not_registered", message, {
    details: { goal_id, agents },
    fix: loopxCommand("agent", "add", "--goal-id", goal_id, ...agents.flatMap((id) => ["--agent-id", id])),
  });
}

export async function registerAgents(workspace: WritingWorkspace, registers: LaunchPlan["registers"]): Promise<Reply<null>> {
  for (const [goalId, agentIds] of Object.entries(registers)) {
    const added = await agentAdd(workspace, { goalId, agentIds, requireNew: false, dryRun: false });
    if (added.kind !== "done") return added;
  }
  return done(null);
}
