/**
 * From the text of a registry to its goals as declared.
 *
 * Does not own: the types of fields (`fields.ts`), what one entry says (`declare-goal.ts`), the file (adapters).
 *
 * C1  A goal that is wrong is its own problem: every other goal is read as if it were alone.
 * C2  Two goals with one id, or with ids whose folders would be one somewhere, are both shown and neither is written to.
 * C3  A root that is no object, or whose `goals` is no list, is an error at its place, never an empty registry.
 */
import { collisionKey } from "../id.ts";
import { done, type Reply, reject } from "../result.ts";
import { declareEntry } from "./declare-goal.ts";
import { declaredRoot } from "./declared-root.ts";
import { type FieldFlaw, type FieldReader, isJsonObject, type RegistryFields } from "./fields.ts";
import type { JsonDocument, JsonObject } from "./json-node.ts";
import { resolvePath } from "./path-text.ts";
import { type Placed, type Places, placesIn } from "./place.ts";
import { type DeclaredQuota, declaredQuota } from "./quota.ts";
import type { DeclaredGoal, GoalStanding, Registry, RegistryProblem } from "./registry.ts";
import { writableAt } from "./version.ts";

export interface Declaration {
  readonly document: JsonDocument;
  /** Absolute path of the file, for the problems. */
  readonly path: string;
  readonly fields: FieldReader;
}

export function declareGoals({ document, path, fields }: Declaration): Reply<Registry> {
  const places = placesIn(document, path);
  const { value: root } = document;
  if (!isJsonObject(root)) return unreadable("registry_not_object", "the registry must be a JSON object", places.of([])); // C3
  const entries = root["goals"] ?? [];
  if (!Array.isArray(entries))
    return unreadable("registry_goals_not_list", "`goals` of the registry must be a list", places.of(["goals"])); // C3
  const reading = fields.registry(root);
  const root_quota = declaredQuota(root, null);
  const declared = entries.map((entry, ordinal) => declareEntry({ root, root_quota, entry, ordinal, places, fields })); // C1
  const goals = withStandings(
    declared.flatMap((entry) => (entry.kind === "goal" ? [entry.goal] : [])),
    places,
  );
  const unusable = declared.flatMap((entry) => (entry.kind === "unusable" ? [entry.entry] : []));
  const byOrdinal = [...goals, ...unusable].sort((a, b) => a.ordinal - b.ordinal);
  const problems = [
    ...rootProblems({ document, root, places, flaws: reading.flaws }, root_quota),
    ...byOrdinal.flatMap((entry) => entry.problems),
    ...sharedStateFiles(goals, places),
  ];
  return done({ path, ...headOf(root, reading.fields), goals, unusable, problems });
}

function unreadable(code: string, message: string, at: Placed): Reply<never> {
  return reject(code, message, { problems: [{ code, message, ...at }] });
}

function headOf(root: JsonObject, fields: RegistryFields): Omit<Registry, "path" | "goals" | "unusable" | "problems"> {
  const { schema_version, version, updated_at, registry_role, role } = fields;
  const shown = schema_version ?? version ?? null;
  return {
    schema_version: shown === null ? null : String(shown),
    updated_at: updated_at ?? null,
    registry_role: registry_role ?? role ?? null,
    common_runtime_root: declaredRoot(root["common_runtime_root"]),
    writable: writableAt([root["schema_version"], root["version"]]),
  };
}

interface RootFacts {
  readonly document: JsonDocument;
  readonly root: JsonObject;
  readonly places: Places;
  readonly flaws: readonly FieldFlaw[];
}

function rootProblems({ document, root, places, flaws }: RootFacts, quota: DeclaredQuota): readonly RegistryProblem[] {
  const repeated = document.repeated_keys.map(({ key, offset }): RegistryProblem => {
    const message = `key ${JSON.stringify(key)} is there twice; the last one counts`;
    return { severity: "warning", scope: "global", code: "registry_repeated_key", message, ...places.atOffset(offset) };
  });
  const wrong = flaws.map(({ path, wanted }): RegistryProblem => {
    const code = path[0] === "common_runtime_root" ? "registry_runtime_root_invalid" : "registry_field_invalid";
    return { severity: "error", scope: "global", code, message: `\`${path.join(".")}\` must be ${wanted}`, ...places.of(path) };
  });
  return [...versionProblems(root, places), ...repeated, ...wrong, ...quotaProblems(quota, places)];
}

function versionProblems(root: JsonObject, places: Places): readonly RegistryProblem[] {
  return ["schema_version", "version"].flatMap((key): RegistryProblem[] => {
    const verdict = writableAt([root[key]]);
    if (verdict === "yes") return [];
    const judged = verdict === "newer_version" ? "is newer than this program" : "is none that this program knows";
    const message = `${key} ${JSON.stringify(root[key])} ${judged}: the registry is read and not written`;
    return [{ severity: "warning", scope: "global", code: `registry_${verdict}`, message, ...places.of([key]) }];
  });
}

/** Of what holds for all goals. */
function quotaProblems(quota: DeclaredQuota, places: Places): readonly RegistryProblem[] {
  const [flaws, severity] = quota.kind === "set" ? [quota.warnings, "warning" as const] : [quota.problems, "error" as const];
  return flaws.map(({ code, message, path }) => ({ severity, scope: "global", code, message, ...places.of(path) }));
}

// C2
function withStandings(goals: readonly DeclaredGoal[], places: Places): readonly DeclaredGoal[] {
  const groups = [...groupBy(goals, ({ goal_id }) => collisionKey(goal_id)).values()].filter((group) => group.length > 1);
  const rivals = new Map(
    groups.flatMap((group) => group.map((goal) => [goal.ordinal, group.filter((other) => other !== goal)] as const)),
  );
  return goals.map((goal): DeclaredGoal => {
    const others = rivals.get(goal.ordinal);
    if (others === undefined) return goal;
    const standing = others.some(({ goal_id }) => goal_id === goal.goal_id) ? "duplicate_id" : "id_collision";
    const problem = { ...standingProblem(goal, standing, others), ...places.of(["goals", goal.ordinal, "id"]) };
    return { ...goal, standing, problems: [problem, ...goal.problems] };
  });
}

function standingProblem(goal: DeclaredGoal, standing: GoalStanding, others: readonly DeclaredGoal[]): RegistryProblem {
  const lines = others.map(({ line }) => line).join(", ");
  const base = { severity: "error", scope: "goal", goal_id: goal.goal_id } as const;
  if (standing === "duplicate_id") {
    const message = `goal id "${goal.goal_id}" is also that of the entry at line ${lines}`;
    return { ...base, code: "registry_duplicate_goal_id", message };
  }
  const goal_ids = [goal, ...others].map(({ goal_id }) => goal_id);
  const message = `goal id "${goal.goal_id}" and that of the entry at line ${lines} name one folder on some file systems`;
  return { ...base, code: "registry_goal_id_collision", message, goal_ids };
}

/** The paths are compared as text; what only symlinks make equal is found where files are read. */
function sharedStateFiles(goals: readonly DeclaredGoal[], places: Places): readonly RegistryProblem[] {
  const named = goals.flatMap(({ goal_id, ordinal, repo, state_file }) => {
    return state_file === null ? [] : [{ goal_id, ordinal, state_file, path: resolvePath(`/${repo ?? ""}`, state_file) }];
  });
  return [...groupBy(named, ({ path }) => path).values()].flatMap((group): RegistryProblem[] => {
    const goal_ids = [...new Set(group.map(({ goal_id }) => goal_id))];
    const second = group[1];
    if (second === undefined || goal_ids.length < 2) return [];
    const message = `state_file ${second.state_file} is shared by the goals ${goal_ids.join(", ")}`;
    const at = places.of(["goals", second.ordinal, "state_file"]);
    return [{ severity: "error", scope: "goals", code: "registry_state_file_shared", message, goal_ids, ...at }];
  });
}

function groupBy<T>(items: readonly T[], keyOf: (item: T) => string): ReadonlyMap<string, readonly T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return groups;
}
