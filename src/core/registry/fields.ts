/**
 * The fields of a registry and of a goal entry that LoopX reads, each of the type that it must have.
 *
 * Does not own: the check that they have it (`schema/registry.ts`, whose types must fit these) and what they mean
 * (`declare.ts`). A field of another type is left out here and named in `flaws`.
 */
import type { JsonObject, JsonValue } from "./json-node.ts";

export interface GoalFields {
  readonly id?: string | number | null | undefined;
  readonly display_name?: string | null | undefined;
  readonly domain?: string | null | undefined;
  readonly status?: string | null | undefined;
  readonly role?: string | null | undefined;
  readonly parent_goal_id?: string | null | undefined;
  readonly repo?: string | null | undefined;
  readonly state_file?: string | null | undefined;
  readonly source_registry?: string | null | undefined;
  readonly cadence?: string | null | undefined;
  readonly adapter?:
    | { readonly kind?: string | null | undefined; readonly status?: string | null | undefined }
    | null
    | undefined;
  readonly activation?:
    | {
        readonly state?: unknown;
        readonly updated_at?: string | null | undefined;
        readonly reason?: string | null | undefined;
      }
    | null
    | undefined;
  readonly coordination?: { readonly registered_agents?: readonly unknown[] | null | undefined } | null | undefined;
}

export interface RegistryFields {
  readonly schema_version?: string | number | null | undefined;
  readonly version?: string | number | null | undefined;
  readonly updated_at?: string | null | undefined;
  readonly registry_role?: string | null | undefined;
  readonly role?: string | null | undefined;
}

/** A field that has another type than it must have. */
export interface FieldFlaw {
  readonly path: readonly (string | number)[];
  /** What it must be, for example "a text". */
  readonly wanted: string;
}

export interface FieldReading<T> {
  readonly fields: T;
  readonly flaws: readonly FieldFlaw[];
}

/** Told apart from the rules of `declare.ts` so that the core needs no schema library. */
export interface FieldReader {
  readonly registry: (root: JsonObject) => FieldReading<RegistryFields>;
  readonly goal: (entry: JsonObject) => FieldReading<GoalFields>;
}

export function isJsonObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
