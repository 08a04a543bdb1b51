/**
 * Which edits of a registry change what a goal says about its agents and its bounds.
 *
 * Does not own: quota (`edit-quota.ts`), how an edit is made (`json-splice.ts`).
 *
 * A1  Agents and write scopes are added behind those that are there; what is there keeps its bytes and its order.
 * A2  An agent that a setting is about must be one of the goal's.
 */
import type { AgentId } from "../id.ts";
import { nearest } from "../near.ts";
import { done, type Reply, refuse, reject } from "../result.ts";
import { type QuotaValues, quotaEdits } from "./edit-quota.ts";
import { isJsonObject } from "./fields.ts";
import { mergeEdits } from "./json-merge.ts";
import type { JsonObject } from "./json-node.ts";
import type { JsonEdit } from "./json-splice.ts";
import type { DeclaredGoal } from "./registry.ts";

export const WAITING_ON = ["user_or_controller", "controller", "codex", "external_evidence", "monitor_signal"] as const;

export type WaitingOn = (typeof WAITING_ON)[number];

export const WORK_MODES = ["active", "monitor_only"] as const;

export type WorkMode = (typeof WORK_MODES)[number];

/** What is to be written; null and empty: stays as it is. */
export interface GoalSettings {
  readonly quota: QuotaValues;
  readonly write_scope: { readonly mode: "add" | "replace"; readonly items: readonly string[] } | null;
  readonly waiting_on: { readonly kind: "set"; readonly value: WaitingOn } | { readonly kind: "clear" } | null;
  readonly work_modes: Readonly<Record<string, WorkMode>>;
}

export function setsQuota({ quota }: GoalSettings): boolean {
  return hasAny(quota.quota) || hasAny(quota.limits);
}

export function configureEdits(goal: DeclaredGoal, settings: GoalSettings): Reply<readonly JsonEdit[]> {
  const { ordinal, entry, registered_agents } = goal;
  const { quota, waiting_on, work_modes, write_scope } = settings;
  const known: readonly string[] = registered_agents;
  const stranger = Object.keys(work_modes).find((agent) => !known.includes(agent));
  if (stranger !== undefined) return unknownAgent(goal, stranger); // (A2)
  const at = ["goals", ordinal];
  const scopes = write_scope === null ? NO_EDITS : listEdits(goal, { key: "write_scope", ...write_scope });
  const coordination: JsonObject = { ...(hasAny(work_modes) && { agent_work_modes: work_modes }), ...scopes.values };
  const values: JsonObject = {
    ...(waiting_on?.kind === "set" && { waiting_on: waiting_on.value }),
    ...(hasAny(coordination) && { coordination }),
  };
  const isCleared = waiting_on?.kind === "clear" && entry["waiting_on"] !== undefined;
  const cleared: readonly JsonEdit[] = isCleared ? [{ kind: "remove", path: [...at, "waiting_on"] }] : [];
  return done([...quotaEdits({ at, of: entry }, quota), ...mergeEdits(at, entry, values), ...scopes.edits, ...cleared]);
}

/** With `must_be_new` an agent that the goal has already is a refusal. */
export function agentEdits(
  goal: DeclaredGoal,
  { agents, must_be_new }: { readonly agents: readonly AgentId[]; readonly must_be_new: boolean },
): Reply<readonly JsonEdit[]> {
  const there = agents.filter((agent) => goal.registered_agents.includes(agent));
  if (must_be_new && there.length > 0)
    return refuse("agent_exists", `goal "${goal.goal_id}" has the agent ${there.join(", ")} already`, {
      details: { agents: there },
    });
  const items = agents.filter((agent) => !there.includes(agent));
  if (items.length === 0) return done([]);
  const { edits, values } = listEdits(goal, { key: "registered_agents", mode: "add", items });
  const merged = hasAny(values) ? mergeEdits(["goals", goal.ordinal], goal.entry, { coordination: values }) : [];
  return done([...merged, ...edits]);
}

interface ListChange {
  readonly key: "write_scope" | "registered_agents";
  readonly mode: "add" | "replace";
  readonly items: readonly string[];
}

interface ListEdits {
  /** What `coordination` gets as a whole. */
  readonly values: JsonObject;
  readonly edits: readonly JsonEdit[];
}

const NO_EDITS: ListEdits = { values: {}, edits: [] };

/** (A1) */
function listEdits({ ordinal, entry }: DeclaredGoal, { key, mode, items }: ListChange): ListEdits {
  const coordination = entry["coordination"];
  const there = isJsonObject(coordination) ? coordination[key] : null;
  const wanted = [...new Set(items)];
  if (mode === "replace" || !Array.isArray(there)) return { values: { [key]: wanted }, edits: [] };
  const path = ["goals", ordinal, "coordination", key];
  const added = wanted.filter((item) => !there.includes(item));
  return { values: {}, edits: added.map((value) => ({ kind: "append", path, value })) };
}

function unknownAgent({ goal_id, registered_agents }: DeclaredGoal, agent: string): Reply<never> {
  return reject("unknown_agent", `"${agent}" is no agent of goal "${goal_id}"`, { near: nearest(agent, registered_agents) });
}

function hasAny(values: object): boolean {
  return Object.keys(values).length > 0;
}
