/**
 * What the registry says about a goal, as `configure-goal` shows it before and after.
 *
 * C1  It stays small however long the lists are: the first entries of each are shown, the others counted.
 */
import { parseAgentId } from "../id.ts";
import { type EntryInText, entryInText } from "../registry/entry-in-text.ts";
import { isJsonObject } from "../registry/fields.ts";
import type { JsonObject, JsonValue } from "../registry/json-node.ts";
import { declaredQuota } from "../registry/quota.ts";
import { shorten } from "../shorten.ts";

export interface GoalConfiguration {
  /** Null: it could not be understood. */
  readonly quota: { readonly compute: number; readonly window_hours: number } | null;
  readonly waiting_on: string | null;
  readonly write_scope: readonly string[];
  readonly registered_agents: readonly string[];
  readonly agent_work_modes: Readonly<Record<string, string>>;
}

export interface ShownConfiguration extends GoalConfiguration {
  /** Entries of the lists that are not shown. */
  readonly left_out: number;
}

export interface ConfigurationChange {
  readonly changed_fields: readonly string[];
  readonly before: ShownConfiguration;
  readonly after: ShownConfiguration;
}

export function configurationChange(
  text: { readonly before: string; readonly after: string },
  goalId: string,
): ConfigurationChange {
  const [before, after] = [configurationOf(entryInText(text.before, goalId)), configurationOf(entryInText(text.after, goalId))];
  const fields = ["quota", "waiting_on", "write_scope", "registered_agents", "agent_work_modes"] as const;
  const changed_fields = fields.filter((field) => JSON.stringify(before[field]) !== JSON.stringify(after[field]));
  return { changed_fields, before: shownConfiguration(before), after: shownConfiguration(after) };
}

function configurationOf({ root, goal }: EntryInText): GoalConfiguration {
  const entry: JsonObject = goal?.entry ?? {};
  const { coordination = null, waiting_on = null } = entry;
  const { agent_work_modes, registered_agents, write_scope }: JsonObject = isJsonObject(coordination) ? coordination : {};
  const modes = isJsonObject(agent_work_modes) ? Object.entries(agent_work_modes) : [];
  const quota = declaredQuota(root, goal);
  return {
    quota: quota.kind === "set" ? { compute: quota.settings.compute, window_hours: quota.settings.window_hours } : null,
    waiting_on: typeof waiting_on === "string" ? waiting_on : null,
    write_scope: textsIn(write_scope),
    registered_agents: agentsIn(registered_agents),
    agent_work_modes: Object.fromEntries(
      modes.filter(([, mode]) => typeof mode === "string").map(([agent, mode]) => [agent, String(mode)]),
    ),
  };
}

function textsIn(list: JsonValue | undefined): readonly string[] {
  return Array.isArray(list) ? list.filter((item) => typeof item === "string") : [];
}

function agentsIn(list: JsonValue | undefined): readonly string[] {
  const named = Array.isArray(list) ? list.map((item: JsonValue) => (isJsonObject(item) ? item["id"] : item)) : [];
  return textsIn(named.filter((item) => item !== undefined)).flatMap((text) => parseAgentId(text) ?? []);
}

const MOST_UNITS = 300;

/** (C1) */
function shownConfiguration(whole: GoalConfiguration): ShownConfiguration {
  const { quota, waiting_on, write_scope, registered_agents, agent_work_modes } = whole;
  const [scopes, agents] = [beginning(write_scope), beginning(registered_agents)];
  const modes = Object.entries(agent_work_modes);
  const shown_modes = beginning(modes);
  const all = write_scope.length + registered_agents.length + modes.length;
  return {
    quota,
    waiting_on: waiting_on === null ? null : shorten(waiting_on, 100),
    write_scope: scopes,
    registered_agents: agents,
    agent_work_modes: Object.fromEntries(shown_modes),
    left_out: all - scopes.length - agents.length - shown_modes.length,
  };
}

function beginning<T>(list: readonly T[]): readonly T[] {
  let units = 0;
  const end = list.findIndex((item) => {
    units += JSON.stringify(item).length;
    return units > MOST_UNITS;
  });
  return end < 0 ? list : list.slice(0, end);
}
