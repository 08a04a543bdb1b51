/**
 * What commands change in a registry, as the smallest edits of its text.
 *
 * Does not own: how an edit is made (`json-splice.ts`) and how the file is replaced (adapters).
 *
 * W1  A registry that a newer program wrote, or that has two entries for the goal, is not edited.
 * W2  Only the fields named here change; everything else, unknown fields included, keeps its bytes.
 * W3  Quota is set as a whole or not at all: a result that is invalid is not written.
 */
import type { AgentId, GoalId } from "../id.ts";
import { collisionKey, parseGoalId } from "../id.ts";
import { type Instant, toRunTime } from "../instant.ts";
import { type BadInput, done, type Refusal, type Reply, refuse, reject } from "../result.ts";
import { agentEdits, configureEdits, type GoalSettings, setsQuota } from "./edit-goal.ts";
import { type QuotaValues, quotaEdits, quotaFlaw } from "./edit-quota.ts";
import { entryInText } from "./entry-in-text.ts";
import { isJsonObject } from "./fields.ts";
import { findWritableGoal } from "./find-goal.ts";
import type { JsonDocument, JsonObject } from "./json-node.ts";
import { type JsonEdit, spliceJson } from "./json-splice.ts";
import { ACTIVATION_SCHEMA, type DeclaredGoal, type Registry } from "./registry.ts";
import { REGISTRY_VERSION } from "./version.ts";

const MAX_REASON = 600;

export type RegistryChange =
  | { readonly kind: "add_goal"; readonly entry: JsonObject }
  | {
      readonly kind: "set_activation";
      readonly goal_id: GoalId;
      readonly state: "active" | "stopped";
      readonly reason?: string | undefined;
    }
  /** Without a goal: for all goals of the registry. */
  | { readonly kind: "set_quota"; readonly goal_id: GoalId | null; readonly values: QuotaValues }
  | { readonly kind: "configure_goal"; readonly goal_id: GoalId; readonly settings: GoalSettings }
  | {
      readonly kind: "add_agents";
      readonly goal_id: GoalId;
      readonly agents: readonly AgentId[];
      readonly must_be_new: boolean;
    }
  | { readonly kind: "remove_goal"; readonly goal_id: GoalId }
  | { readonly kind: "set_field"; readonly field: "common_runtime_root" | "registry_role"; readonly value: string };

/** A registry as it was read: its text with positions, and what that declares. */
export interface OpenRegistry {
  readonly document: JsonDocument;
  readonly registry: Registry;
}

/** The new text, with `updated_at` set; the old text when nothing would change. */
export function editRegistry({ document, registry }: OpenRegistry, change: RegistryChange, now: Instant): Reply<string> {
  const barred = writeBar(registry); // W1
  if (barred !== null) return barred;
  const planned = editsFor({ document, registry }, { change, now });
  if (planned.kind !== "done") return planned;
  const edited = splice(document.text, planned.value);
  const flaw = flawAfter(edited, change);
  if (flaw !== null) return flaw;
  return done(edited === document.text ? edited : splice(edited, [{ kind: "set", path: ["updated_at"], value: toRunTime(now) }]));
}

/** A registry without goals, for `init`. */
export function newRegistryText(now: Instant, commonRuntimeRoot: string): string {
  const root = {
    schema_version: REGISTRY_VERSION,
    updated_at: toRunTime(now),
    common_runtime_root: commonRuntimeRoot,
    goals: [],
  };
  return `${JSON.stringify(root, null, 2)}\n`;
}

function writeBar({ path, schema_version, writable }: Registry): Refusal | null {
  if (writable === "yes") return null;
  const what = writable === "newer_version" ? "was written by a newer program" : "has a version that this program does not know";
  return refuse(`registry_${writable}`, `${path} ${what} (${schema_version}): it can be read here, not changed`, {
    details: { path, schema_version },
  });
}

function editsFor(
  open: OpenRegistry,
  { change, now }: { readonly change: RegistryChange; readonly now: Instant },
): Reply<readonly JsonEdit[]> {
  switch (change.kind) {
    case "add_goal":
      return additionOf(open, change.entry);
    case "set_activation":
      return activationEdits(open.registry, { change, now });
    case "set_quota":
      return quotaEditsFor(open, change);
    case "configure_goal":
      return ofGoal(open, change.goal_id, (goal) => configureEdits(goal, change.settings));
    case "add_agents":
      return ofGoal(open, change.goal_id, (goal) => agentEdits(goal, change));
    case "remove_goal":
      return ofGoal(open, change.goal_id, ({ ordinal }) => done([{ kind: "remove", path: ["goals", ordinal] }]));
    case "set_field":
      return done([{ kind: "set", path: [change.field], value: change.value }]);
  }
}

type EditsOf = (goal: DeclaredGoal) => Reply<readonly JsonEdit[]>;

function ofGoal({ registry }: OpenRegistry, goalId: GoalId, editsOf: EditsOf): Reply<readonly JsonEdit[]> {
  const goal = findWritableGoal(registry, goalId);
  return goal.kind === "done" ? editsOf(goal.value) : goal;
}

type QuotaChange = Extract<RegistryChange, { kind: "set_quota" }>;

function quotaEditsFor(open: OpenRegistry, { goal_id, values }: QuotaChange): Reply<readonly JsonEdit[]> {
  if (goal_id === null) return done(quotaEdits({ at: [], of: entryInText(open.document.text, null).root }, values));
  return ofGoal(open, goal_id, ({ ordinal, entry }) => done(quotaEdits({ at: ["goals", ordinal], of: entry }, values)));
}

/** W3. */
function flawAfter(edited: string, change: RegistryChange): BadInput | null {
  if (change.kind !== "set_quota" && !(change.kind === "configure_goal" && setsQuota(change.settings))) return null;
  const { root, goal } = entryInText(edited, change.goal_id);
  return quotaFlaw(root, goal);
}

function additionOf({ document, registry }: OpenRegistry, entry: JsonObject): Reply<readonly JsonEdit[]> {
  const parsed = parseGoalId(entry["id"]);
  if (!parsed.ok) return reject(parsed.flaw.code, `goal id ${JSON.stringify(entry["id"] ?? null)} ${parsed.flaw.message}`);
  const taken = registry.goals.find(({ goal_id }) => collisionKey(goal_id) === collisionKey(parsed.id));
  if (taken?.goal_id === parsed.id)
    return refuse("goal_exists", `the registry already has a goal "${parsed.id}"`, { details: { line: taken.line } });
  if (taken !== undefined) {
    return refuse(
      "goal_id_collision",
      `the folder of "${parsed.id}" would be that of the goal "${taken.goal_id}" on some file systems`,
    );
  }
  const { value: root } = document;
  const hasList = isJsonObject(root) && Array.isArray(root["goals"]);
  return done([hasList ? { kind: "append", path: ["goals"], value: entry } : { kind: "set", path: ["goals"], value: [entry] }]);
}

interface ActivationChange {
  readonly change: Extract<RegistryChange, { kind: "set_activation" }>;
  readonly now: Instant;
}

/** W2: an activation that is there keeps its other fields; the same state again changes nothing, and of a stop only the reason. */
function activationEdits(registry: Registry, { change, now }: ActivationChange): Reply<readonly JsonEdit[]> {
  const found = findWritableGoal(registry, change.goal_id);
  if (found.kind !== "done") return found;
  const { ordinal, entry, activation } = found.value;
  const reason = change.reason ?? "";
  if ([...reason].length > MAX_REASON) return reject("reason_too_long", `the reason is longer than ${MAX_REASON} characters`);
  const anew = change.state === "stopped" && change.reason !== undefined && activation.reason !== change.reason;
  if (activation.state === change.state && !anew) return done([]);
  const path = ["goals", ordinal, "activation"];
  const fields = { schema_version: ACTIVATION_SCHEMA, state: change.state, updated_at: toRunTime(now) };
  const value: JsonObject = reason === "" ? fields : { ...fields, reason };
  if (!isJsonObject(entry["activation"])) return done([{ kind: "set", path, value }]);
  const edits = Object.entries(value).map(([key, item]): JsonEdit => ({ kind: "set", path: [...path, key], value: item }));
  const stale = reason === "" && "reason" in entry["activation"];
  return done(stale ? [...edits, { kind: "remove", path: [...path, "reason"] }] : edits);
}

/** The document was read and the places come from it: a failure here is a mistake of the caller. */
function splice(text: string, edits: readonly JsonEdit[]): string {
  const spliced = spliceJson(text, edits);
  if (spliced.kind !== "edited") throw new Error(`the registry and its document do not belong together: ${spliced.kind}`);
  return spliced.text;
}
