/**
 * Changes what the registry says about a goal: quota, write scope, who is waited on, and its agents.
 *
 * Does not own: which bytes that touches (`core/registry/edit-goal.ts`, `edit-registry.ts`), what a decision makes of it.
 */
import { type AgentId, parseAgentId } from "../core/id.ts";
import type { RegistryChange } from "../core/registry/edit.ts";
import { type GoalSettings, WORK_MODES, type WorkMode } from "../core/registry/edit-goal.ts";
import { done, type Reply, reject } from "../core/result.ts";
import { type ConfigurationChange, configurationChange } from "../core/show/goal-configuration.ts";
import type { AgentAddRequest, ConfigureGoalRequest, GoalEditRequest } from "./app.ts";
import { editRegistryFile, rehearseEdit } from "./edit-registry.ts";
import { editable } from "./goal-edit.ts";
import type { WritingWorkspace } from "./workspace.ts";

export interface ConfigureGoalAnswer extends ConfigurationChange {
  readonly ok: true;
  readonly goal_id: string;
  readonly changed: boolean;
  readonly dry_run: boolean;
  readonly execute: boolean;
  readonly written: boolean;
  readonly registry: string;
}

export async function configureGoal(
  workspace: WritingWorkspace,
  request: ConfigureGoalRequest,
): Promise<Reply<ConfigureGoalAnswer>> {
  const settings = settingsOf(request);
  if (settings.kind !== "done") return settings;
  return await edit(workspace, request, (goal_id) => ({ kind: "configure_goal", goal_id, settings: settings.value }));
}

export async function agentAdd(workspace: WritingWorkspace, request: AgentAddRequest): Promise<Reply<ConfigureGoalAnswer>> {
  const agents = agentsOf(request.agentIds);
  if (agents.kind !== "done") return agents;
  const change = { kind: "add_agents", agents: agents.value, must_be_new: request.requireNew } as const;
  return await edit(workspace, request, (goal_id) => ({ ...change, goal_id }));
}

type ChangeOf = (goalId: Extract<RegistryChange, { kind: "configure_goal" }>["goal_id"]) => RegistryChange;

async function edit(
  workspace: WritingWorkspace,
  { goalId, dryRun }: GoalEditRequest,
  changeOf: ChangeOf,
): Promise<Reply<ConfigureGoalAnswer>> {
  const found = await editable(workspace, goalId);
  if (found.kind !== "done") return found;
  const { goal_id } = found.value.goal;
  const change = changeOf(goal_id);
  const edited = dryRun ? await rehearseEdit(workspace, change) : await editRegistryFile(workspace, change);
  if (edited.kind !== "done") return edited;
  const { changed, registry, text } = edited.value;
  const modes = { dry_run: dryRun, execute: !dryRun, written: changed && !dryRun };
  return done({ ok: true, goal_id, changed, ...configurationChange(text, goal_id), ...modes, registry });
}

function settingsOf(request: ConfigureGoalRequest): Reply<GoalSettings> {
  const { quotaCompute, quotaWindowHours, writeScope, waitingOn } = request;
  const modes = workModesOf(request.agentWorkModes);
  if (modes.kind !== "done") return modes;
  const quota = {
    ...(quotaCompute !== null && { compute: quotaCompute }),
    ...(quotaWindowHours !== null && { window_hours: quotaWindowHours }),
  };
  return done({ quota: { quota, limits: {} }, write_scope: writeScope, waiting_on: waitingOn, work_modes: modes.value });
}

/** `a1=monitor_only` */
function workModesOf(words: readonly string[]): Reply<Readonly<Record<string, WorkMode>>> {
  const modes: Record<string, WorkMode> = {};
  for (const word of words) {
    const [name = "", written = ""] = word.split("=");
    const agent = parseAgentId(name);
    const mode = WORK_MODES.find((known) => known === written.trim());
    if (agent === null || mode === undefined)
      return reject("work_mode_invalid", `${JSON.stringify(word)} is no AGENT=MODE, with the mode ${WORK_MODES.join(" or ")}.`);
    modes[agent] = mode;
  }
  return done(modes);
}

function agentsOf(words: readonly string[]): Reply<readonly AgentId[]> {
  const agents: AgentId[] = [];
  for (const word of words) {
    const agent = parseAgentId(word);
    if (agent === null)
      return reject("agent_id_invalid", `${JSON.stringify(word)} is no agent id: a letter, then at most 79 of a-z 0-9 _ . : @ -`);
    agents.push(agent);
  }
  return agents.length === 0 ? reject("nothing_to_set", "Name at least one agent.") : done(agents);
}
