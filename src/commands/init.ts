/**
 * Makes a folder a project with one goal, or adds a goal to the project that is there.
 *
 * Does not own: the goal's entry and state file (`add-goal.ts`), the runtime folder's line (`ignore-runtime.ts`).
 *
 * I1  All or nothing: the registry is what makes a folder a project, it is written last, and its first text has the goal. A kill
 *     before leaves files that nothing points to; the same command again uses them and goes on.
 * I2  Nothing that is there is written over. A second run changes nothing and says so.
 * I3  A project is found as every command finds it, but never the global registry. In a linked git worktree it is the main
 *     repository's; `--project` names a folder and nothing above it counts.
 * I4  The store is opened before the first file of the project is written: a machine that cannot hold one is left as it was.
 */
import { type GoalId, parseGoalId } from "../core/id.ts";
import { newRegistryText } from "../core/registry/edit.ts";
import { spliceJson } from "../core/registry/json-splice.ts";
import { projectRootOf } from "../core/registry/locate.ts";
import { expandHome, lastPart, resolvePath } from "../core/registry/path-text.ts";
import {
  chooseRegistry,
  declaredRootPath,
  REGISTRY_IN_PROJECT,
  type Roots,
  resolveRoots,
} from "../core/registry/resolve-roots.ts";
import { done, type Problem, type Reply, reject } from "../core/result.ts";
import {
  type AddedGoal,
  addGoal,
  entryOf,
  makeStateFile,
  type NewGoal,
  newGoalOf,
  nextCommands,
  ownJournal,
  stateActionFor,
} from "./add-goal.ts";
import type { InitRequest } from "./app.ts";
import { accessToLook, type Ground } from "./ground.ts";
import { type Ignored, ignoreRuntime, rehearseIgnore } from "./ignore-runtime.ts";
import { persistGoal } from "./persist-goal.ts";
import type { WritingWorkspace } from "./workspace.ts";

export interface InitAnswer {
  readonly ok: true;
  readonly goal_id: string;
  readonly changed: boolean;
  readonly dry_run: boolean;
  readonly registry: string;
  readonly runtime_root: string;
  readonly state_file: string | null;
  readonly state_action: AddedGoal["state_action"];
  /** What was made, or would be; false for what was there or is not needed. */
  readonly created: {
    readonly registry: string | false;
    readonly goal: string | false;
    readonly state_file: string | false;
    readonly gitignore: string | false;
  };
  readonly warnings: readonly Problem[];
  readonly next_commands: readonly string[];
}

const RUNTIME_ROOT = ".loopx/runtime";

interface Target {
  readonly roots: Roots;
  /** The text of `common_runtime_root` of a registry that is to be made; null: the registry is there. */
  readonly declared_root: string | null;
}

export async function initProject(ground: Ground, request: InitRequest): Promise<Reply<InitAnswer>> {
  const target = targetOf(ground, request);
  if (target.kind !== "done") return target;
  const goal_id = request.goalId ?? idFromFolder(target.value.roots.project_root);
  if (goal_id === null) return noIdInFolder(target.value.roots.project_root);
  const goal = newGoalOf({ goal_id, objective: request.objective, displayName: null, stateFile: null });
  if (goal.kind !== "done") return goal;
  const mode = request.dryRun ? "rehearse" : "store";
  return target.value.declared_root === null
    ? await addToProject(ground, { target: target.value, goal: goal.value, mode })
    : await makeProject(ground, { target: target.value, goal: goal.value, mode });
}

interface Initialising {
  readonly target: Target;
  readonly goal: NewGoal;
  readonly mode: "store" | "rehearse";
}

async function addToProject(ground: Ground, { target, goal, mode }: Initialising): Promise<Reply<InitAnswer>> {
  const { roots } = target;
  const workspace = await ground.open(roots, mode === "store" ? "read_write" : accessToLook(ground, roots));
  const added = await addGoal(workspace, goal, mode);
  if (added.kind !== "done") return added;
  const ignored = mode === "store" ? await ignoreRuntime(workspace) : rehearseIgnore(ground, roots);
  return done(answerOf({ target, goal, mode }, { added: added.value, ignored, registry: false }));
}

async function makeProject(ground: Ground, init: Initialising): Promise<Reply<InitAnswer>> {
  const { goal, mode } = init;
  const { roots } = init.target;
  const path = resolvePath(roots.project_root, goal.state_file);
  const action = stateActionFor(ground, roots.project_root, path);
  if (action.kind !== "done") return action;
  const planned: AddedGoal = { goal_created: true, state_file: path, state_action: action.value, warnings: [] };
  if (mode === "rehearse")
    return done(answerOf(init, { added: planned, ignored: rehearseIgnore(ground, roots), registry: true }));
  const workspace = await ground.open(roots, "read_write"); // (I4)
  const mine = await ownJournal(workspace, goal.goal_id);
  if (mine.kind !== "done") return mine;
  const made = makeStateFile(ground, goal, planned);
  if (made.kind !== "done") return made;
  const ignored = await ignoreRuntime(workspace);
  const registry = ground.files.createFile(roots.registry_path, registryText(ground, init)); // (I1)
  if (registry.kind === "refused")
    return reject(registry.problem.code, registry.problem.message, { problems: [registry.problem] });
  const added =
    registry.kind === "created" ? await persisted(workspace, goal, made.value) : await addGoal(workspace, goal, "store");
  if (added.kind !== "done") return added;
  return done(answerOf(init, { added: added.value, ignored, registry: registry.kind === "created" }));
}

async function persisted(workspace: WritingWorkspace, goal: NewGoal, made: AddedGoal): Promise<Reply<AddedGoal>> {
  const taken = await persistGoal(workspace, goal.goal_id);
  return taken.kind === "done" ? done({ ...made, warnings: taken.value.warnings }) : taken;
}

function registryText({ clock }: Ground, { target, goal }: Initialising): string {
  const empty = newRegistryText(clock.now(), target.declared_root ?? RUNTIME_ROOT);
  const spliced = spliceJson(empty, [{ kind: "append", path: ["goals"], value: entryOf(goal) }]);
  if (spliced.kind !== "edited") throw new Error(`a new registry takes no goal: ${spliced.kind}`);
  return spliced.text;
}

interface Outcome {
  readonly added: AddedGoal;
  readonly ignored: Ignored;
  readonly registry: boolean;
}

function answerOf({ target, goal, mode }: Initialising, { added, ignored, registry }: Outcome): InitAnswer {
  const { roots } = target;
  const created = {
    registry: registry && roots.registry_path,
    goal: added.goal_created && goal.goal_id,
    state_file: added.state_action === "created" && added.state_file !== null && added.state_file,
    gitignore: ignored.path ?? (false as const),
  };
  return {
    ok: true,
    goal_id: goal.goal_id,
    changed: Object.values(created).some((made) => made !== false),
    dry_run: mode === "rehearse",
    registry: roots.registry_path,
    runtime_root: roots.runtime_root,
    state_file: added.state_file,
    state_action: added.state_action,
    created,
    warnings: [...added.warnings, ...ignored.warnings],
    next_commands: nextCommands(goal.goal_id),
  };
}

/** (I3) */
function targetOf(ground: Ground, { project }: InitRequest): Reply<Target> {
  const { view, flags } = ground;
  const folder = resolvePath(view.cwd, expandHome(project ?? ".", view.home) ?? ".");
  if (view.look(folder) !== "folder") {
    return reject("project_not_folder", `There is no folder ${folder}.`, {
      problems: [{ path: folder, code: "project_not_folder", message: "is no folder" }],
    });
  }
  const named = flags.registry ?? (view.env_registry || undefined);
  if (named !== undefined) return atRegistry(ground, resolvePath(view.cwd, expandHome(named, view.home) ?? named));
  if (project !== null) return atRegistry(ground, resolvePath(folder, REGISTRY_IN_PROJECT));
  const found = chooseRegistry({}, view);
  if (found.kind === "done" && found.value.source === "search") return existing(ground, found.value.path);
  return planned(ground, resolvePath(view.mainRepositoryOf(folder) ?? folder, REGISTRY_IN_PROJECT));
}

function atRegistry(ground: Ground, path: string): Reply<Target> {
  return ground.view.look(path) === "missing" ? planned(ground, path) : existing(ground, path);
}

function existing({ view, flags }: Ground, path: string): Reply<Target> {
  const roots = resolveRoots({ ...flags, registry: path }, view);
  return roots.kind === "done" ? done({ roots: roots.value, declared_root: null }) : roots;
}

function planned({ view, flags }: Ground, path: string): Reply<Target> {
  const registry_path = view.realPath(path);
  const project_root = projectRootOf(registry_path);
  const expected = view.realPath(projectRootOf(path));
  if (project_root !== expected) {
    const message = `${path} leads out of ${expected} through a link`;
    return reject("registry_outside", message, { problems: [{ path, code: "registry_outside", message }] });
  }
  const text = flags.runtime_root || RUNTIME_ROOT;
  const root = declaredRootPath({ kind: "text", text }, { view, project_root, registry_path });
  if (root.kind !== "done") return root;
  return done({
    roots: {
      registry_path,
      registry_source: "search",
      project_root,
      runtime_root: view.realPath(root.value.path),
      runtime_root_source: flags.runtime_root ? "flag" : "registry",
    },
    declared_root: text,
  });
}

/** Null: nothing of the name is usable. */
function idFromFolder(folder: string): GoalId | null {
  const name = lastPart(folder)
    .normalize("NFC")
    .replace(/[^\p{L}\p{N}._-]+/gu, "-")
    .replace(/^[-.]+|[-.]+$/g, "");
  const parsed = parseGoalId(name);
  return parsed.ok ? parsed.id : null;
}

function noIdInFolder(folder: string): Reply<never> {
  return reject("goal_id_missing", `No goal id can be made from the name of ${folder}; name one with --goal-id.`, {
    fix: 'loopx init --goal-id ID --objective "…"',
  });
}
