/**
 * A new goal: its state file, then its entry in the registry, then its journal.
 *
 * Does not own: finding or making the project (`init.ts`), the registry's bytes (`edit-registry.ts`).
 *
 * A1  Everything that can say no is asked before the first write.
 * A2  The entry comes after the file that it names: a kill between the two leaves a file that nothing points to, and the same
 *     command again adopts it.
 * A3  A state file that is there is adopted and keeps its bytes.
 * A4  A goal that is there is left as it is: the same command again changes nothing and says so.
 */
import { handle, quote } from "../core/goal/handle.ts";
import { type GoalId, parseGoalId } from "../core/id.ts";
import type { JsonObject } from "../core/registry/json-node.ts";
import { folderOf, resolvePath } from "../core/registry/path-text.ts";
import { done, type Problem, type Reply, refuse, reject } from "../core/result.ts";
import type { GoalAddRequest } from "./app.ts";
import { editRegistryFile, rehearseEdit } from "./edit-registry.ts";
import { placesOf } from "./goal-places.ts";
import type { Ground } from "./ground.ts";
import { newStateText } from "./new-state-text.ts";
import { persistGoal } from "./persist-goal.ts";
import { everyGoal, findWritable, type RegistryRows, registryRows } from "./registry-rows.ts";
import type { WritingWorkspace } from "./workspace.ts";

export interface NewGoal {
  readonly goal_id: GoalId;
  readonly objective: string;
  readonly display_name: string | null;
  /** As it is declared, seen from the project. */
  readonly state_file: string;
}

export interface AddedGoal {
  readonly goal_created: boolean;
  /** Absolute; null for a goal that was there and declares none. */
  readonly state_file: string | null;
  readonly state_action: "created" | "adopted" | "kept";
  readonly warnings: readonly Problem[];
}

export interface GoalAddAnswer {
  readonly ok: true;
  readonly goal_id: string;
  readonly changed: boolean;
  readonly dry_run: boolean;
  readonly registry: string;
  readonly runtime_root: string;
  readonly state_file: string | null;
  readonly state_action: AddedGoal["state_action"];
  readonly warnings: readonly Problem[];
  readonly next_commands: readonly string[];
}

/** Where the reference keeps state files: skills and editors of agents know this place. */
export function defaultStateFile(goalId: GoalId): string {
  return `.codex/goals/${goalId}/ACTIVE_GOAL_STATE.md`;
}

export async function goalAdd(workspace: WritingWorkspace, request: GoalAddRequest): Promise<Reply<GoalAddAnswer>> {
  const goal = newGoalOf({ ...request, goal_id: request.goalId });
  if (goal.kind !== "done") return goal;
  const added = await addGoal(workspace, goal.value, request.dryRun ? "rehearse" : "store");
  if (added.kind !== "done") return added;
  const { goal_created, state_file, state_action, warnings } = added.value;
  return done({
    ok: true,
    goal_id: goal.value.goal_id,
    changed: goal_created || state_action === "created",
    dry_run: request.dryRun,
    registry: workspace.roots.registry_path,
    runtime_root: workspace.roots.runtime_root,
    state_file,
    state_action,
    warnings,
    next_commands: nextCommands(goal.value.goal_id),
  });
}

export function nextCommands(goalId: GoalId): readonly string[] {
  const id = quote(goalId);
  return [`loopx status --goal-id ${id}`, `loopx refresh --goal-id ${id} --next-action "…"`];
}

export function newGoalOf(
  asked: Pick<GoalAddRequest, "objective" | "displayName" | "stateFile"> & { readonly goal_id: string },
): Reply<NewGoal> {
  const parsed = parseGoalId(asked.goal_id);
  if (!parsed.ok) return reject(parsed.flaw.code, `goal id ${JSON.stringify(asked.goal_id)} ${parsed.flaw.message}`);
  if (asked.objective.trim() === "") return reject("objective_empty", "The objective is empty; say what the goal is for.");
  const state_file = asked.stateFile ?? defaultStateFile(parsed.id);
  return done({ goal_id: parsed.id, objective: asked.objective, display_name: asked.displayName, state_file });
}

export function entryOf(goal: NewGoal): JsonObject {
  return {
    id: goal.goal_id,
    ...(goal.display_name !== null && { display_name: goal.display_name }),
    domain: "general",
    status: "active",
    repo: ".",
    state_file: goal.state_file,
    adapter: { kind: "generic_project_goal_v0", status: "connected" },
  };
}

export async function addGoal(workspace: WritingWorkspace, goal: NewGoal, mode: "store" | "rehearse"): Promise<Reply<AddedGoal>> {
  const rows = await registryRows(workspace);
  if (rows.kind !== "done") return rows;
  const [there] = await rows.value.find(goal.goal_id);
  const planned = there === undefined ? await planNew(workspace, rows.value, goal) : await planThere(workspace, rows.value, goal);
  if (planned.kind !== "done" || mode === "rehearse") return planned;
  const made = makeStateFile(workspace, goal, planned.value);
  if (made.kind !== "done") return made;
  const registered = await register(workspace, goal);
  if (registered.kind !== "done") return registered;
  const persisted = await persistGoal(workspace, goal.goal_id);
  if (persisted.kind !== "done") return persisted;
  return done({ ...made.value, goal_created: registered.value, warnings: persisted.value.warnings });
}

/** False: it stands there already (A4); what an attempt that was cut off left beside the registry is ended all the same. */
async function register(workspace: WritingWorkspace, goal: NewGoal): Promise<Reply<boolean>> {
  const edited = await editRegistryFile(workspace, { kind: "add_goal", entry: entryOf(goal) });
  if (edited.kind === "done") return done(true);
  return edited.kind === "refusal" && edited.code === "goal_exists" ? done(false) : edited;
}

/** (A1) */
async function planNew(workspace: WritingWorkspace, rows: RegistryRows, goal: NewGoal): Promise<Reply<AddedGoal>> {
  if (workspace.roots.registry_source === "global") return globalRegistry(rows.path);
  const possible = await rehearseEdit(workspace, { kind: "add_goal", entry: entryOf(goal) });
  if (possible.kind !== "done") return possible;
  const mine = await ownJournal(workspace, goal.goal_id);
  if (mine.kind !== "done") return mine;
  const path = resolvePath(workspace.roots.project_root, goal.state_file);
  if (goal.state_file !== defaultStateFile(goal.goal_id)) {
    const sharer = await sharerOf(workspace, rows, path);
    if (sharer !== null)
      return refuse("state_file_shared", `${path} is the state file of goal ${sharer}; give this goal one of its own.`);
  }
  const action = stateActionFor(workspace, workspace.roots.project_root, path);
  return action.kind === "done"
    ? done({ goal_created: true, state_file: path, state_action: action.value, warnings: [] })
    : action;
}

/** (A4) */
async function planThere(workspace: WritingWorkspace, rows: RegistryRows, goal: NewGoal): Promise<Reply<AddedGoal>> {
  const found = await findWritable(rows, goal.goal_id);
  if (found.kind !== "done") return found;
  const { repo, state_file } = placesOf(workspace, found.value.goal);
  if (state_file === null) return done({ goal_created: false, state_file, state_action: "kept", warnings: [] });
  const action = stateActionFor(workspace, repo, state_file);
  if (action.kind !== "done") return action;
  return done({
    goal_created: false,
    state_file,
    state_action: action.value === "adopted" ? "kept" : action.value,
    warnings: [],
  });
}

/** Whether the goal's journal, if there is one, is this project's. */
export async function ownJournal(workspace: WritingWorkspace, goalId: GoalId): Promise<Reply<null>> {
  const { head } = await workspace.store.load({ goal_id: goalId, todos: "none", base: "none" });
  const handled = handle(
    { head, todos: new Map() },
    { kind: "open-goal", registry: workspace.roots.registry_path },
    workspace.clock.now(),
  );
  return "kind" in handled ? handled : done(null);
}

async function sharerOf(workspace: WritingWorkspace, rows: RegistryRows, path: string): Promise<string | null> {
  for await (const { goal } of everyGoal(rows)) if (placesOf(workspace, goal).state_file === path) return goal.goal_id;
  return null;
}

/** Refuses a place outside of the project, by its name or by a link on the way. */
export function stateActionFor(
  { files, tree }: Pick<Ground, "files" | "tree">,
  folder: string,
  path: string,
): Reply<"created" | "adopted"> {
  const real = realPathAbove(tree, folder);
  const above = realPathAbove(tree, path);
  if (!path.startsWith(`${folder}/`) || !(above === real || above.startsWith(`${real}/`))) {
    const message = `${path} is outside of the project ${folder}`;
    return reject("state_file_outside", message, { problems: [{ path, code: "state_file_outside", message }] });
  }
  const read = files.readText(path);
  if (read.kind === "unreadable")
    return reject(read.problem.code, `The state file cannot be used: ${read.problem.message}`, { problems: [read.problem] });
  return done(read.kind === "text" ? "adopted" : "created");
}

/** Of the path, or of the nearest folder above it that is there. */
function realPathAbove(tree: Ground["tree"], path: string): string {
  for (let at = path; at !== "/"; at = folderOf(at)) if (tree.look(at) !== "missing") return tree.realPath(at) ?? "/";
  return "/";
}

/** (A2, A3) */
export function makeStateFile(
  { files, clock }: Pick<Ground, "files" | "clock">,
  goal: NewGoal,
  plan: AddedGoal,
): Reply<AddedGoal> {
  if (plan.state_action !== "created" || plan.state_file === null) return done(plan);
  const text = newStateText({ goal_id: goal.goal_id, objective: goal.objective, now: clock.now() });
  const outcome = files.createFile(plan.state_file, text);
  if (outcome.kind === "refused") return reject(outcome.problem.code, outcome.problem.message, { problems: [outcome.problem] });
  return done(outcome.kind === "exists" ? { ...plan, state_action: "adopted" } : plan);
}

function globalRegistry(path: string): Reply<never> {
  return refuse(
    "registry_is_global",
    `${path} is the global registry; its goals are declared in the registries of their projects.`,
    {
      fix: 'loopx init --objective "…"',
    },
  );
}
