/**
 * What one entry of `goals` declares, and what is wrong with it.
 *
 * Does not own: what several entries do to each other (`declare.ts`).
 *
 * N1  An id is taken as it is written or not at all: nothing is trimmed or repaired. A number is taken as its digits, as in
 *     the reference.
 * N2  A field that is missing or of the wrong type is a problem with its place; all other fields are read.
 */
import { checkRunArgv, parseRunArgv } from "../host/run-argv.ts";
import { type AgentId, type GoalId, type IdFlaw, parseAgentId, parseGoalId } from "../id.ts";
import { parseInstant } from "../instant.ts";
import { type FieldFlaw, type FieldReader, type GoalFields, isJsonObject } from "./fields.ts";
import type { JsonObject, JsonValue } from "./json-node.ts";
import type { Places } from "./place.ts";
import { type DeclaredQuota, declaredQuota } from "./quota.ts";
import type { DeclaredGoal, GoalActivation, RegistryProblem, UnusableEntry } from "./registry.ts";

export type DeclaredEntry =
  | { readonly kind: "goal"; readonly goal: DeclaredGoal }
  | { readonly kind: "unusable"; readonly entry: UnusableEntry };

interface EntryFacts {
  /** Of the registry, which holds what all goals have in common. */
  readonly root: JsonObject;
  /** What that declares; most goals say no more. */
  readonly root_quota: DeclaredQuota;
  readonly entry: JsonValue;
  readonly ordinal: number;
  readonly places: Places;
  readonly fields: FieldReader;
}

/** Makes one problem of the entry, placed at a field of it. */
type Complain = (code: string, message: string, path?: FieldFlaw["path"]) => RegistryProblem;

export function declareEntry({ entry, ordinal, places, fields, ...common }: EntryFacts): DeclaredEntry {
  const { line } = places.of(["goals", ordinal]);
  const complain = complaintsOf({ ordinal, places, goalId: null });
  if (!isJsonObject(entry)) {
    const problems = [complain("registry_goal_not_object", "an entry of `goals` is no object")];
    return { kind: "unusable", entry: { ordinal, line, shown_id: null, problems } };
  }
  const reading = fields.goal(entry);
  const named = idOf(reading.fields.id);
  if (named.kind === "id") {
    const own = complaintsOf({ ordinal, places, goalId: named.id });
    return { kind: "goal", goal: goalOf(named.id, { ...common, entry, ordinal, line, reading, complain: own }) };
  }
  const problem =
    named.kind === "missing"
      ? complain("registry_goal_missing_id", "an entry of `goals` has no id", ["id"])
      : complain("registry_goal_id_unsafe", `goal id ${JSON.stringify(named.shown)} ${named.flaw.message} (${named.flaw.code})`, [
          "id",
        ]);
  const problems = [problem, ...fieldProblems(reading.flaws, complain), ...missingFields(reading.fields, complain)];
  return { kind: "unusable", entry: { ordinal, line, shown_id: named.kind === "missing" ? null : named.shown, problems } };
}

function complaintsOf(of: { readonly ordinal: number; readonly places: Places; readonly goalId: GoalId | null }): Complain {
  return (code, message, path = []) => {
    const at = of.places.of(["goals", of.ordinal, ...path]);
    if (of.goalId === null) return { severity: "error", scope: "global", code, message, ...at };
    return { severity: "error", scope: "goal", code, message: `${of.goalId}: ${message}`, goal_id: of.goalId, ...at };
  };
}

type NamedEntry =
  | { readonly kind: "id"; readonly id: GoalId }
  | { readonly kind: "missing" }
  | { readonly kind: "unsafe"; readonly shown: string; readonly flaw: IdFlaw };

// N1
function idOf(written: string | number | null | undefined): NamedEntry {
  if (written === undefined || written === null || written === "" || written === 0) return { kind: "missing" };
  const shown = String(written);
  const parsed = parseGoalId(shown);
  return parsed.ok ? { kind: "id", id: parsed.id } : { kind: "unsafe", shown, flaw: parsed.flaw };
}

interface GoalFacts extends Pick<EntryFacts, "root" | "root_quota"> {
  readonly entry: JsonObject;
  readonly ordinal: number;
  readonly line: number;
  readonly reading: { readonly fields: GoalFields; readonly flaws: readonly FieldFlaw[] };
  readonly complain: Complain;
}

/** What is not of that form has no effect; it stays in the entry. */
function workRules(entry: JsonObject): Pick<DeclaredGoal, "monitor_only_agents" | "write_scope"> {
  const coordination = isJsonObject(entry["coordination"]) ? entry["coordination"] : {};
  const scope = coordination["write_scope"] ?? entry["write_scope"];
  const modes = coordination["agent_work_modes"];
  const monitoring = Object.entries(isJsonObject(modes) ? modes : {}).flatMap(([agent, mode]) =>
    mode === "monitor_only" ? (parseAgentId(agent) ?? []) : [],
  );
  return {
    monitor_only_agents: monitoring,
    write_scope: Array.isArray(scope) ? scope.filter((pattern) => typeof pattern === "string") : [],
  };
}

function goalOf(goal_id: GoalId, facts: GoalFacts): DeclaredGoal {
  const { entry, ordinal, line, reading, complain } = facts;
  const { fields, flaws } = reading;
  const agents = agentsOf(fields.coordination?.registered_agents ?? [], complain);
  const activation = activationOf(reading, complain);
  const cadence = cadenceOf(fields.cadence ?? null, complain);
  const quota = quotaOf(facts);
  return {
    goal_id,
    ordinal,
    line,
    standing: "clear",
    display_name: orNull(fields.display_name),
    domain: orNull(fields.domain),
    status: orNull(fields.status),
    role: fields.role || "controller",
    parent_goal_id: orNull(fields.parent_goal_id),
    repo: orNull(fields.repo),
    state_file: orNull(fields.state_file),
    source_registry: orNull(fields.source_registry),
    adapter: { kind: orNull(fields.adapter?.kind), status: orNull(fields.adapter?.status) },
    activation: activation.value,
    registered_agents: agents.value,
    ...workRules(entry),
    quota,
    cadence_ms: cadence.value,
    entry,
    problems: [
      ...missingFields(fields, complain),
      ...fieldProblems(flaws, complain),
      ...activation.problems,
      ...agents.problems,
      ...cadence.problems,
      ...runProblems(entry["run"] ?? null, complain),
      ...quotaProblems(quota, complain),
    ],
  };
}

function orNull(text: string | null | undefined): string | null {
  return text === undefined || text === "" ? null : text;
}

// N2
function missingFields(fields: GoalFields, complain: Complain): readonly RegistryProblem[] {
  const wanted: readonly (readonly [name: string, code: string, value: string | null | undefined])[] = [
    ["repo", "registry_goal_missing_repo", fields.repo],
    ["domain", "registry_goal_missing_domain", fields.domain],
    ["state_file", "registry_goal_missing_state_file", fields.state_file],
    ["adapter.kind", "registry_goal_missing_adapter_kind", fields.adapter?.kind],
  ];
  return wanted.flatMap(([name, code, value]) => (value ? [] : [complain(code, `missing ${name}`, name.split("."))]));
}

function fieldProblems(flaws: readonly FieldFlaw[], complain: Complain): readonly RegistryProblem[] {
  return flaws.map(({ path, wanted }) => {
    const code = path[0] === "activation" ? "registry_activation_invalid" : "registry_field_invalid";
    return complain(code, `\`${path.join(".")}\` must be ${wanted}`, path);
  });
}

interface Judged<T> {
  readonly value: T;
  readonly problems: readonly RegistryProblem[];
}

function activationOf({ fields, flaws }: GoalFacts["reading"], complain: Complain): Judged<GoalActivation> {
  const { activation } = fields;
  const flawed = flaws.some(({ path }) => path[0] === "activation");
  if (flawed) return { value: { state: "invalid", updated_at: null, reason: null }, problems: [] };
  if (activation === undefined || activation === null)
    return { value: { state: "active", updated_at: null, reason: null }, problems: [] };
  const { state, reason } = activation;
  const rest = { updated_at: parseInstant(activation.updated_at), reason: orNull(reason) };
  if (state === "active" || state === "stopped") return { value: { state, ...rest }, problems: [] };
  const message = `activation.state must be "active" or "stopped"${state === undefined ? "" : `, not ${JSON.stringify(state)}`}`;
  return {
    value: { state: "invalid", ...rest },
    problems: [complain("registry_activation_invalid", message, ["activation", "state"])],
  };
}

/** Names and `{id}` objects, each once, in the order of the file. */
function agentsOf(entries: readonly unknown[], complain: Complain): Judged<readonly AgentId[]> {
  const agents = new Set<AgentId>();
  const problems: RegistryProblem[] = [];
  entries.forEach((entry, index) => {
    const written = typeof entry === "object" && entry !== null && "id" in entry ? entry.id : entry;
    const agent = typeof written === "string" ? parseAgentId(written) : null;
    if (agent !== null) agents.add(agent);
    else
      problems.push(
        complain("registry_agent_invalid", "an entry of registered_agents is no agent id", [
          "coordination",
          "registered_agents",
          index,
        ]),
      );
  });
  return { value: [...agents], problems };
}

const UNITS = [
  ["m", 60_000],
  ["h", 3_600_000],
  ["d", 86_400_000],
  ["w", 604_800_000],
] as const;

function cadenceOf(text: string | null, complain: Complain): Judged<number | null> {
  if (text === null || text === "") return { value: null, problems: [] };
  const unit = UNITS.find(([letter]) => text.endsWith(letter));
  const count = text.slice(0, -1);
  if (unit !== undefined && /^[1-9]\d{0,5}$/.test(count)) return { value: Number(count) * unit[1], problems: [] };
  const message = "cadence must be a number with m, h, d or w, as in 2h";
  return { value: null, problems: [complain("registry_cadence_invalid", message, ["cadence"])] };
}

/** As JSON text it is taken, too: that is how a todo has it. */
function runProblems(run: JsonValue, complain: Complain): readonly RegistryProblem[] {
  if (run === null) return [];
  const argv = typeof run === "string" ? parseRunArgv(run) : checkRunArgv(run);
  return argv.kind === "done" ? [] : [complain("registry_run_invalid", argv.message, ["run"])];
}

function quotaOf({ root, root_quota, entry, ordinal }: GoalFacts): DeclaredQuota {
  const isSilent = (entry["quota"] ?? entry["limits"] ?? null) === null;
  return isSilent ? root_quota : declaredQuota(root, { entry, ordinal });
}

/** Those of this entry; what is wrong for all goals is told once, with the registry. */
function quotaProblems(quota: DeclaredQuota, complain: Complain): readonly RegistryProblem[] {
  const [flaws, severity] = quota.kind === "set" ? [quota.warnings, "warning" as const] : [quota.problems, "error" as const];
  return flaws.flatMap(({ code, message, path }) => {
    return path[0] === "goals" ? [{ ...complain(code, message, path.slice(2)), severity }] : [];
  });
}
