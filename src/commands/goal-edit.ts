/**
 * Stops, resumes and removes goals: the registry says so first, the journal follows.
 *
 * Does not own: adding goals (`add-goal.ts`), the registry's bytes (`edit-registry.ts`).
 *
 * B1  What the journal would refuse is refused before the registry is touched.
 * B2  The same command again changes nothing and says so.
 * B3  Removing takes the entry out of the registry and nothing else: state file, runs and journal stay.
 * B4  A goal that a global registry shows is edited in the registry that owns it.
 */
import { handle, quote } from "../core/goal/handle.ts";
import type { GoalHead } from "../core/goal/head.ts";
import { parseGoalId } from "../core/id.ts";
import type { RegistryChange } from "../core/registry/edit.ts";
import type { DeclaredGoal } from "../core/registry/registry.ts";
import { done, type Problem, type Refusal, type Reply, refuse } from "../core/result.ts";
import type { GoalActivationRequest, GoalEditRequest } from "./app.ts";
import { editRegistryFile, rehearseEdit } from "./edit-registry.ts";
import { placesOf } from "./goal-places.ts";
import { persistGoal } from "./persist-goal.ts";
import { findWritable, registryRows } from "./registry-rows.ts";
import { goalsFolder, type WritingWorkspace } from "./workspace.ts";

export interface ActivationAnswer {
  readonly ok: true;
  readonly goal_id: string;
  readonly before: "active" | "stopped";
  readonly activation: "active" | "stopped";
  readonly reason: string | null;
  readonly changed: boolean;
  readonly dry_run: boolean;
  readonly registry: string;
  readonly warnings: readonly Problem[];
}

export interface GoalRemoveAnswer {
  readonly ok: true;
  readonly goal_id: string;
  readonly changed: boolean;
  readonly dry_run: boolean;
  readonly registry: string;
  /** What stays where it is; null for what is not there. */
  readonly kept: { readonly state_file: string | null; readonly runtime: string | null };
  readonly next_commands: readonly string[];
}

export async function goalStop(workspace: WritingWorkspace, request: GoalActivationRequest): Promise<Reply<ActivationAnswer>> {
  return await setActivation(workspace, { ...request, state: "stopped" });
}

export async function goalResume(workspace: WritingWorkspace, request: GoalActivationRequest): Promise<Reply<ActivationAnswer>> {
  return await setActivation(workspace, { ...request, state: "active" });
}

async function setActivation(
  workspace: WritingWorkspace,
  asked: GoalActivationRequest & { readonly state: "active" | "stopped" },
): Promise<Reply<ActivationAnswer>> {
  const found = await editable(workspace, asked.goalId);
  if (found.kind !== "done") return found;
  const { goal, head } = found.value;
  const { state } = asked;
  const barred = journalBar(head, { state, reason: asked.reason ?? goal.activation.reason ?? "" });
  if (barred !== null) return barred;
  const change: RegistryChange = { kind: "set_activation", goal_id: goal.goal_id, state, reason: asked.reason ?? undefined };
  const edited = asked.dryRun ? await rehearseEdit(workspace, change) : await editRegistryFile(workspace, change);
  if (edited.kind !== "done") return edited;
  const { changed, registry } = edited.value;
  const persisted = asked.dryRun ? done({ events: 0, warnings: [] }) : await persistGoal(workspace, goal.goal_id);
  if (persisted.kind !== "done") return persisted;
  return done({
    ok: true,
    goal_id: goal.goal_id,
    before: changed ? stateOf(goal) : state,
    activation: state,
    reason: changed ? asked.reason : goal.activation.reason,
    changed,
    dry_run: asked.dryRun,
    registry,
    warnings: persisted.value.warnings,
  });
}

function stateOf({ activation }: DeclaredGoal): "active" | "stopped" {
  return activation.state === "stopped" ? "stopped" : "active";
}

/** (B1) */
function journalBar(
  head: GoalHead | null,
  { state, reason }: { readonly state: "active" | "stopped"; readonly reason: string },
): Refusal | null {
  if (head === null) return null;
  const handled = handle({ head, todos: new Map() }, { kind: "set-activation", activation: state, reason }, head.last_at);
  return "kind" in handled ? handled : null;
}

export async function goalRemove(workspace: WritingWorkspace, request: GoalEditRequest): Promise<Reply<GoalRemoveAnswer>> {
  const found = await editable(workspace, request.goalId);
  if (found.kind !== "done") return (await removedBefore(workspace, request)) ?? found;
  const { goal } = found.value;
  const change: RegistryChange = { kind: "remove_goal", goal_id: goal.goal_id };
  const edited = request.dryRun ? await rehearseEdit(workspace, change) : await editRegistryFile(workspace, change);
  if (edited.kind !== "done") return edited;
  if (!request.dryRun) await workspace.store.forgetViews(edited.value.registry, [goal.goal_id]);
  const { state_file } = placesOf(workspace, goal);
  return done(removal(workspace, request, { changed: edited.value.changed, state_file }));
}

/** (B2) Null: LoopX never knew a goal of that name here. */
async function removedBefore(workspace: WritingWorkspace, request: GoalEditRequest): Promise<Reply<GoalRemoveAnswer> | null> {
  const parsed = parseGoalId(request.goalId);
  if (!parsed.ok) return null;
  const rows = await registryRows(workspace);
  if (rows.kind !== "done" || (await rows.value.find(parsed.id)).length > 0) return null;
  const { head } = await workspace.store.load({ goal_id: parsed.id, todos: "none", base: "none" });
  if (head === null || head.registry !== rows.value.path) return null;
  return done(removal(workspace, request, { changed: false, state_file: null }));
}

/** (B3) */
function removal(
  workspace: WritingWorkspace,
  { goalId, dryRun }: GoalEditRequest,
  { changed, state_file }: { readonly changed: boolean; readonly state_file: string | null },
): GoalRemoveAnswer {
  const there = (path: string | null): string | null => (path === null || workspace.tree.look(path) === "missing" ? null : path);
  const runtime = there(`${goalsFolder(workspace)}/${goalId}`);
  return {
    ok: true,
    goal_id: goalId,
    changed,
    dry_run: dryRun,
    registry: workspace.roots.registry_path,
    kept: { state_file: there(state_file), runtime },
    next_commands: runtime === null ? [] : [`loopx archive --goal-id ${quote(goalId)}`],
  };
}

export async function editable(
  workspace: WritingWorkspace,
  goalId: string,
): Promise<Reply<{ readonly goal: DeclaredGoal; readonly head: GoalHead | null }>> {
  const rows = await registryRows(workspace);
  if (rows.kind !== "done") return rows;
  const found = await findWritable(rows.value, goalId);
  if (found.kind !== "done") return found;
  const { goal } = found.value;
  const owner = placesOf(workspace, goal).registry_path;
  if ((workspace.tree.realPath(owner) ?? owner) !== rows.value.path) return ofAnother(goal, owner);
  const { head } = await workspace.store.load({ goal_id: goal.goal_id, todos: "none", base: "none" });
  return done({ goal, head });
}

/** (B4) */
function ofAnother({ goal_id }: DeclaredGoal, owner: string): Refusal {
  return refuse("goal_belongs_to", `Goal ${goal_id} is declared in ${owner}; change it there.`, {
    fix: `loopx goal show --registry ${quote(owner)} --goal-id ${quote(goal_id)}`,
    details: { goal_id, registry: owner },
  });
}
