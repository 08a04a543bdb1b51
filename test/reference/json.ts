/** JSON values, and a way into them that never throws. */

export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/** The value at the end of the keys, else null. */
export function at(value: Json, ...keys: readonly string[]): Json {
  let here = value;
  for (const key of keys) {
    if (!isObject(here)) return null;
    here = here[key] ?? null;
  }
  return here;
}

export function listAt(value: Json, ...keys: readonly string[]): readonly Json[] {
  const found = at(value, ...keys);
  return Array.isArray(found) ? found : [];
}

export function textAt(value: Json, ...keys: readonly string[]): string | null {
  const found = at(value, ...keys);
  return typeof found === "string" ? found : null;
}

export function numberAt(value: Json, ...keys: readonly string[]): number | null {
  const found = at(value, ...keys);
  return typeof found === "number" ? found : null;
}

/** Null for what is no JSON. */
export function parseJson(text: string): Json {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

export function isObject(value: Json): value is { readonly [key: string]: Json } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
