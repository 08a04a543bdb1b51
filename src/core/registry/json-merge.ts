/** The edits that write the values of one object into another and leave its other keys alone. */
import { isJsonObject } from "./fields.ts";
import type { JsonObject, JsonValue } from "./json-node.ts";
import type { JsonPath } from "./json-path.ts";
import type { JsonEdit } from "./json-splice.ts";

/** `there`: what stands at `at`. A value of another kind than an object is replaced by one. */
export function mergeEdits(at: JsonPath, there: JsonValue | undefined, values: JsonObject): readonly JsonEdit[] {
  if (!isJsonObject(there)) return [{ kind: "set", path: at, value: values }];
  return Object.entries(values).flatMap(([key, value]): readonly JsonEdit[] => {
    const path = [...at, key];
    return isJsonObject(value) ? mergeEdits(path, there[key], value) : [{ kind: "set", path, value }];
  });
}
