/**
 * Which goals a command is about: entries of the registry, and folders under `goals/` that no entry names.
 *
 * Does not own: reading them (`read-goal.ts`).
 *
 * J1  A folder counts as an unregistered goal of this project unless another registry is known to own it: by the goal's
 *     journal, or by the global registry beside the store.
 * J2  Names that are no safe ids, links and stray files are never followed.
 */
import { type GoalId, parseGoalId } from "../core/id.ts";
import { millisecondsBetween } from "../core/instant.ts";
import { done, type Reply } from "../core/result.ts";
import { everyGoal, findRegistered, type RegisteredGoal, type RegistryRows } from "./registry-rows.ts";
import type { GoalSubject } from "./view-key.ts";
import { goalsFolder, type Workspace } from "./workspace.ts";

const GLOBAL_REGISTRY = "registry.global.json";
/** A folder that changed less than this before it was listed may change again within one tick of its clock. */
const SETTLING_MS = 2000;

export async function subjectOf(workspace: Workspace, rows: RegistryRows, goalId: string): Promise<Reply<GoalSubject>> {
  const found = await findRegistered(rows, goalId);
  if (found.kind === "done") return done({ goal_id: found.value.goal.goal_id, registered: found.value });
  const parsed = parseGoalId(goalId);
  if (!parsed.ok || workspace.tree.look(`${goalsFolder(workspace)}/${parsed.id}`) !== "folder") return found;
  const mine = await ownUnregistered(workspace, rows, [parsed.id]);
  return mine.length === 0 ? found : done({ goal_id: parsed.id, registered: null });
}

/** One subject an id, by id: of two entries with one id the first. */
export async function registeredSubjects(rows: RegistryRows): Promise<readonly GoalSubject[]> {
  const subjects: GoalSubject[] = [];
  for await (const registered of everyGoal(rows)) addSubject(subjects, registered);
  return subjects;
}

export function addSubject(subjects: GoalSubject[], registered: RegisteredGoal): void {
  const { goal_id } = registered.goal;
  if (subjects.at(-1)?.goal_id !== goal_id) subjects.push({ goal_id, registered });
}

/** Folders of this project that no entry names, by id (J1, J2). */
export async function unregisteredSubjects(workspace: Workspace, rows: RegistryRows): Promise<readonly GoalSubject[]> {
  const { tree, files, store } = workspace;
  const folder = goalsFolder(workspace);
  const changed = tree.changedAt(folder);
  if (changed === null) return [];
  const stamp = `${changed} ${rows.fingerprint} ${files.fingerprint(`${workspace.roots.runtime_root}/${GLOBAL_REGISTRY}`) ?? ""}`;
  const known = await store.note(noteKey(rows));
  if (known?.startsWith(`${stamp}\n`)) return listed(known.slice(stamp.length + 1));
  const declared = new Set((await registeredSubjects(rows)).map((subject) => subject.goal_id));
  const folders = tree.entries(folder).flatMap((entry) => (entry.kind === "folder" ? safeId(entry.name) : []));
  const mine = await ownUnregistered(
    workspace,
    rows,
    folders.filter((id) => !declared.has(id)),
  );
  if (millisecondsBetween(changed, workspace.clock.now()) >= SETTLING_MS) {
    await store.saveNote(noteKey(rows), `${stamp}\n${mine.join("\n")}`);
  }
  return mine.map((goal_id) => ({ goal_id, registered: null }));
}

function noteKey(rows: RegistryRows): string {
  return `unregistered ${rows.path}`;
}

function listed(text: string): readonly GoalSubject[] {
  return text.split("\n").flatMap((name) => safeId(name).map((goal_id) => ({ goal_id, registered: null })));
}

function safeId(name: string): readonly GoalId[] {
  const parsed = parseGoalId(name);
  return parsed.ok ? [parsed.id] : [];
}

/** (J1) */
async function ownUnregistered(workspace: Workspace, rows: RegistryRows, ids: readonly GoalId[]): Promise<readonly GoalId[]> {
  if (ids.length === 0) return [];
  const elsewhere = await declaredElsewhere(workspace, rows);
  const mine: GoalId[] = [];
  for (const goal_id of ids) {
    const { head } = await workspace.store.load({ goal_id, todos: "none", base: "none" });
    const ofAnother = head !== null && head.registry !== rows.path;
    if (!ofAnother && !elsewhere.has(goal_id)) mine.push(goal_id);
  }
  return mine;
}

async function declaredElsewhere(workspace: Workspace, rows: RegistryRows): Promise<ReadonlySet<string>> {
  const path = `${workspace.roots.runtime_root}/${GLOBAL_REGISTRY}`;
  if (workspace.tree.realPath(path) === rows.path || workspace.files.fingerprint(path) === null) return new Set();
  const read = (await workspace.files.registryReader())(path);
  if (read.kind !== "done") return new Set();
  return new Set(read.value.registry.goals.map((goal) => goal.goal_id));
}
