/**
 * The registry of this project as rows: read and parsed only when the file changed, one look-up a goal otherwise.
 *
 * Does not own: what an entry says (`core/registry`), editing the file (`edit-registry.ts`).
 *
 * Q1  An equal, settled fingerprint means the rows are those of the file; nothing else does.
 * Q2  Rows that a program with other fields stored are read anew.
 * Q3  Where the rows cannot be stored, the answer is the same from memory.
 */

import { type GoalId, parseGoalId } from "../core/id.ts";
import { type Instant, instantFromEpoch } from "../core/instant.ts";
import { nearest } from "../core/near.ts";
import { locateGoal } from "../core/registry/locate.ts";
import type { DeclaredGoal, Registry } from "../core/registry/registry.ts";
import { done, type Problem, type Reply, refuse, reject } from "../core/result.ts";
import { compareText } from "../core/show/rank.ts";
import type { RegistryFile } from "../ports/files.ts";
import type { Declared } from "../ports/store.ts";
import type { DeclaredRow, RegistryCheckpoint } from "../ports/store-declared.ts";
import type { Workspace } from "./workspace.ts";

/** A goal of the registry and what only the whole registry tells about it. */
export interface RegisteredGoal {
  readonly goal: DeclaredGoal;
  /** Other goals that name the same state file. */
  readonly shares_state_file_with: readonly string[];
  /** Stands for everything above, made when the registry was read: equal digests are equal goals. */
  readonly digest: string;
}

export interface RegistryRows {
  readonly path: string;
  readonly goal_count: number;
  readonly fingerprint: string;
  readonly changed_at: Instant;
  readonly writable: Registry["writable"];
  readonly schema_version: string | null;
  readonly updated_at: string | null;
  readonly registry_role: string | null;
  /** Those that belong to no goal. */
  readonly problems: readonly Problem[];
  /** Entries with that id, in the order of the file. */
  find(goalId: string): Promise<readonly RegisteredGoal[]>;
  /** By id, code point order; `after` is a goal id. Entries with one id are never on two pages. */
  page(after: string | null, limit: number): Promise<readonly RegisteredGoal[]>;
}

/** Rises with every change of `DeclaredGoal`. */
const ROW_FORMAT = 3;

/** What a checkpoint keeps beside the goals. */
type Header = Pick<RegistryRows, "writable" | "schema_version" | "updated_at" | "registry_role">;

export async function registryRows(workspace: Workspace): Promise<Reply<RegistryRows>> {
  const { files, store, roots } = workspace;
  const path = roots.registry_path;
  const fingerprint = files.fingerprint(path);
  const known = fingerprint === null ? null : await store.registry(path);
  if (known !== null && known.fingerprint === fingerprint && isOurs(known)) return done(storedRows(store, known)); // (Q1)
  const read = (await files.registryReader())(path);
  if (read.kind !== "done") return read;
  return done(await freshRows(workspace, read.value));
}

/** (Q2) */
function isOurs({ header }: RegistryCheckpoint): boolean {
  return JSON.parse(header).row_format === ROW_FORMAT;
}

/** For reading: of two entries with one id the first. */
export async function findRegistered(rows: RegistryRows, text: string): Promise<Reply<RegisteredGoal>> {
  const parsed = parseGoalId(text);
  if (!parsed.ok) return reject(parsed.flaw.code, `goal id ${JSON.stringify(text)} ${parsed.flaw.message}`);
  const [first] = await rows.find(parsed.id);
  return first === undefined ? unknownGoal(rows, parsed.id) : done(first);
}

/** For writing: also refuses entries that cannot be told apart and goals whose settings cannot be understood. */
export async function findWritable(rows: RegistryRows, text: string): Promise<Reply<RegisteredGoal>> {
  const found = await findRegistered(rows, text);
  if (found.kind !== "done") return found;
  const { goal } = found.value;
  const problem = goal.problems.find((entry) => entry.severity === "error") ?? goal.problems[0];
  const details = { goal_id: goal.goal_id, path: rows.path, line: problem?.line ?? goal.line };
  if (goal.standing !== "clear") {
    const message = `${problem?.message ?? `goal ${goal.goal_id} cannot be told from another one`}; change one of the two ids in ${rows.path}`;
    return refuse(`goal_${goal.standing}`, message, { details });
  }
  if (goal.activation.state === "invalid") {
    const message = `The activation of goal ${goal.goal_id} in ${rows.path}:${goal.line} is neither active nor stopped; set it to one of the two.`;
    return refuse("goal_activation_invalid", message, { details });
  }
  return found;
}

export async function unknownGoal(rows: RegistryRows, goalId: GoalId): Promise<Reply<never>> {
  const ids: string[] = [];
  for await (const entry of everyGoal(rows)) ids.push(entry.goal.goal_id);
  const near = nearest(goalId, ids);
  const first = near[0];
  return reject("unknown_goal", `The registry ${rows.path} has no goal "${goalId}".`, {
    near,
    fix: first === undefined ? "loopx goal list" : `loopx status --goal-id ${first}`,
  });
}

export async function* everyGoal(rows: RegistryRows): AsyncGenerator<RegisteredGoal> {
  const step = 1000;
  for (let after: string | null = null; ; ) {
    const page: readonly RegisteredGoal[] = await rows.page(after, step);
    yield* page;
    const last = page.at(-1);
    if (last === undefined || page.length < step) return;
    after = last.goal.goal_id;
  }
}

async function freshRows(workspace: Workspace, file: RegistryFile): Promise<RegistryRows> {
  const { registry } = file;
  const now = workspace.clock.now();
  const header: Header = pickHeader(registry);
  const checkpoint: RegistryCheckpoint = {
    path: workspace.roots.registry_path,
    fingerprint: workspace.files.isSettled(file.fingerprint, now) ? file.fingerprint : "",
    sha256: workspace.digest.sha256(file.document.text),
    goal_count: registry.goals.length,
    header: JSON.stringify({ ...header, row_format: ROW_FORMAT }),
    problems: registry.problems.filter((problem) => problem.goal_id === undefined || problem.scope !== "goal"),
  };
  const rows = rowsOf(workspace, registry);
  await workspace.store.saveRegistry(checkpoint, rows);
  return memoryRows({ ...checkpoint, fingerprint: file.fingerprint }, rows); // (Q3)
}

function pickHeader({ writable, schema_version, updated_at, registry_role }: Registry): Header {
  return { writable, schema_version, updated_at, registry_role };
}

function rowsOf(workspace: Workspace, registry: Registry): readonly DeclaredRow[] {
  const registryPath = workspace.roots.registry_path;
  const stateFiles = registry.goals.map((goal) => locateGoal(goal, { registryPath, home: workspace.home }).state_file);
  const sharers = new Map<string, string[]>();
  registry.goals.forEach((goal, at) => {
    const file = stateFiles[at];
    if (file !== undefined && file !== null) sharers.set(file, [...(sharers.get(file) ?? []), goal.goal_id]);
  });
  return registry.goals.map((goal, at) => {
    const others = (sharers.get(stateFiles[at] ?? "") ?? []).filter((id) => id !== goal.goal_id);
    const shares_state_file_with = others.slice(0, 5);
    const digest = workspace.digest.sha256(JSON.stringify({ goal, shares_state_file_with })).slice(0, 16);
    const data = JSON.stringify({ goal, shares_state_file_with, digest });
    return { goal_id: goal.goal_id, ordinal: goal.ordinal, data };
  });
}

function storedRows(store: Declared, checkpoint: RegistryCheckpoint): RegistryRows {
  return {
    ...described(checkpoint),
    find: async (goalId) => (await store.declared(checkpoint.path, goalId)).map(registeredOf),
    page: async (after, limit) => (await store.declaredPage(checkpoint.path, { after, limit })).map(registeredOf),
  };
}

function memoryRows(checkpoint: RegistryCheckpoint, rows: readonly DeclaredRow[]): RegistryRows {
  const sorted = [...rows].sort((a, b) => compareText(a.goal_id, b.goal_id) || a.ordinal - b.ordinal);
  return {
    ...described(checkpoint),
    find: async (goalId) => sorted.filter((row) => row.goal_id === goalId).map(registeredOf),
    page: async (after, limit) => wholeGoals(sorted, after, limit).map(registeredOf),
  };
}

/** At most `limit` rows, and then the others with the id of the last one. */
function wholeGoals(sorted: readonly DeclaredRow[], after: string | null, limit: number): readonly DeclaredRow[] {
  const rest = after === null ? sorted : sorted.filter((row) => compareText(row.goal_id, after) > 0);
  const last = rest[limit - 1];
  return rest.filter((row, at) => at < limit || row.goal_id === last?.goal_id);
}

function described(checkpoint: RegistryCheckpoint): Omit<RegistryRows, "find" | "page"> {
  const { path, goal_count, fingerprint, problems } = checkpoint;
  const changed = fingerprint.split(":")[1]?.slice(0, -6);
  const { writable, schema_version, updated_at, registry_role }: Header = JSON.parse(checkpoint.header);
  const changed_at = instantFromEpoch(Number(changed ?? 0)) ?? ("1970-01-01T00:00:00.000Z" as Instant);
  return { path, goal_count, fingerprint, changed_at, problems, writable, schema_version, updated_at, registry_role };
}

function registeredOf(row: DeclaredRow): RegisteredGoal {
  return JSON.parse(row.data);
}
