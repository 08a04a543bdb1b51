/**
 * What the text of a registry says, for comparing it before and after an edit. The text was read before: it is an object.
 */
import { isJsonObject } from "./fields.ts";
import type { JsonObject, JsonValue } from "./json-node.ts";
import { parseJsonText } from "./json-text.ts";
import type { QuotaEntry } from "./quota.ts";

export interface EntryInText {
  readonly root: JsonObject;
  readonly goal: QuotaEntry | null;
}

/** `goalId` null, or no goal of that id: only the root. */
export function entryInText(text: string, goalId: string | null): EntryInText {
  const document = parseJsonText(text);
  const root = objectOf(document.ok ? document.value : null);
  const goals = root["goals"];
  const entries = Array.isArray(goals) ? goals.map(objectOf) : [];
  const ordinal = goalId === null ? -1 : entries.findIndex((entry) => String(entry["id"]) === goalId);
  return { root, goal: ordinal < 0 ? null : { entry: objectOf(entries[ordinal]), ordinal } };
}

function objectOf(value: JsonValue | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}
