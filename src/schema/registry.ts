/**
 * The shape of a registry file at the boundary: which type each field has. Unknown fields pass.
 *
 * Does not own: which fields must be there, ids, duplicates, versions (`core/registry/declare.ts`): a goal that breaks
 * one of those is shown with its problem, it does not make the file unreadable.
 *
 * R1  A field of the wrong type is left out and named; the other fields of the entry stay.
 */
import * as z from "zod/mini";
import type { FieldFlaw, FieldReader, FieldReading, GoalFields, RegistryFields } from "../core/registry/fields.ts";
import type { JsonObject } from "../core/registry/json-node.ts";

const text = z.nullish(z.string());
const textOrNumber = z.nullish(z.union([z.string(), z.number()]));

export const goalEntrySchema: z.ZodMiniType<GoalFields> = z.looseObject({
  id: textOrNumber,
  display_name: text,
  domain: text,
  status: text,
  role: text,
  parent_goal_id: text,
  repo: text,
  state_file: text,
  source_registry: text,
  cadence: text,
  adapter: z.nullish(z.looseObject({ kind: text, status: text })),
  activation: z.nullish(z.looseObject({ state: z.optional(z.unknown()), updated_at: text, reason: text })),
  coordination: z.nullish(z.looseObject({ registered_agents: z.nullish(z.array(z.unknown())) })),
});

export const registryRootSchema: z.ZodMiniType<RegistryFields> = z.looseObject({
  schema_version: textOrNumber,
  version: textOrNumber,
  updated_at: text,
  registry_role: text,
  role: text,
  common_runtime_root: text,
});

/** What `declareGoals` asks for the fields of a registry. */
export const registryFieldReader: FieldReader = {
  registry: (root) => readFields(registryRootSchema, root),
  goal: (entry) => readFields(goalEntrySchema, entry),
};

// R1
function readFields<T extends object>(schema: z.ZodMiniType<T>, source: JsonObject): FieldReading<Partial<T>> {
  const whole = schema.safeParse(source);
  if (whole.success) return { fields: whole.data, flaws: [] };
  const flaws = whole.error.issues.map(flawOf);
  const wrong = new Set(flaws.map(({ path }) => path[0]));
  const rest = schema.safeParse(Object.fromEntries(Object.entries(source).filter(([key]) => !wrong.has(key))));
  return { fields: rest.success ? rest.data : {}, flaws };
}

function flawOf(issue: z.core.$ZodIssue): FieldFlaw {
  const path = issue.path.filter((step) => typeof step !== "symbol");
  return { path, wanted: issue.code === "invalid_type" ? (NAMES[issue.expected] ?? issue.expected) : "a text or a number" };
}

const NAMES: Readonly<Record<string, string>> = { string: "a text", object: "an object", array: "a list", number: "a number" };
