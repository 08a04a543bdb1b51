/**
 * Which edits of a registry set quota and limits.
 *
 * Does not own: what the values mean (`quota.ts`), how an edit is made (`json-splice.ts`).
 *
 * Q1  A limit is written where it counts: into `quota.limits`, or into `limits` where that holds it and `quota.limits` does not.
 * Q2  The result is read as a whole: when anything about it is invalid, nothing is changed and all of it is named.
 */
import { type BadInput, reject } from "../result.ts";
import { isJsonObject } from "./fields.ts";
import { mergeEdits } from "./json-merge.ts";
import type { JsonObject, JsonValue } from "./json-node.ts";
import type { JsonPath } from "./json-path.ts";
import type { JsonEdit } from "./json-splice.ts";
import { declaredQuota, type QuotaEntry } from "./quota.ts";
import type { LimitKey, QuotaKey } from "./quota-settings.ts";

/** What is to be written; what is not named stays as it is. */
export interface QuotaValues {
  readonly quota: Readonly<Partial<Record<QuotaKey, number | string>>>;
  readonly limits: Readonly<Partial<Record<LimitKey, number>>>;
}

/** `of`: a goal's entry, or the registry itself. */
export function quotaEdits(
  { at, of }: { readonly at: JsonPath; readonly of: JsonObject },
  values: QuotaValues,
): readonly JsonEdit[] {
  const limits = Object.entries(values.limits);
  const beside = Object.fromEntries(limits.filter(([key]) => isBeside(of, key)));
  const inside = Object.fromEntries(limits.filter(([key]) => !isBeside(of, key)));
  const quota = { ...values.quota, ...(hasAny(inside) && { limits: inside }) };
  return mergeEdits(at, of, { ...(hasAny(quota) && { quota }), ...(hasAny(beside) && { limits: beside }) });
}

/** (Q1) */
function isBeside(of: JsonObject, key: string): boolean {
  return isWritten(section(of, "limits")[key]) && !isWritten(section(section(of, "quota"), "limits")[key]);
}

/** (Q2) What is wrong with the quota of a goal, or of the registry, after an edit. */
export function quotaFlaw(root: JsonObject, goal: QuotaEntry | null): BadInput | null {
  const quota = declaredQuota(root, goal);
  if (quota.kind === "set") return null;
  const problems = quota.problems.map(({ code, message, path }) => ({ path: path.join("."), code, message }));
  return reject("quota_invalid", `Nothing was changed: ${problems.map(({ message }) => message).join("; ")}.`, { problems });
}

/** Of the keys of `values` those that the two say differently: `compute`, `limits.max_open_todos`. */
export function changedQuotaKeys(
  values: QuotaValues,
  { before, after }: { readonly before: JsonObject; readonly after: JsonObject },
): readonly string[] {
  const quota = Object.keys(values.quota).filter((key) => section(before, "quota")[key] !== section(after, "quota")[key]);
  const limits = Object.keys(values.limits).filter((key) => writtenLimit(before, key) !== writtenLimit(after, key));
  return [...quota, ...limits.map((key) => `limits.${key}`)];
}

function writtenLimit(of: JsonObject, key: string): JsonValue | undefined {
  return section(isBeside(of, key) ? of : section(of, "quota"), "limits")[key];
}

function section(of: JsonObject, key: string): JsonObject {
  const value = of[key];
  return isJsonObject(value) ? value : {};
}

function isWritten(value: JsonValue | undefined): boolean {
  return value !== undefined && value !== null;
}

function hasAny(values: object): boolean {
  return Object.keys(values).length > 0;
}
