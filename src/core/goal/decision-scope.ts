/**
 * Scopes of decisions: `kind:granularity:key` (decision-plane 3).
 *
 * C1  A scope covers another of its kind and key, or of its kind when it is wider.
 */

const GRANULARITIES = ["action", "lane", "goal", "project", "global"];

/** (C1) Texts that are no scopes cover what is equal to them. */
export function scopeCovers(outer: string, needed: string): boolean {
  if (outer === needed) return true;
  const [kindA = "", widthA = "", keyA = ""] = parts(outer);
  const [kindB = "", widthB = "", keyB = ""] = parts(needed);
  if (kindA !== kindB || widthOf(widthA) < 0 || widthOf(widthB) < 0) return false;
  return widthOf(widthA) > widthOf(widthB) || (widthA === widthB && keyA === keyB);
}

function parts(scope: string): readonly string[] {
  const [kind = "", width = "", ...key] = scope.split(":");
  return [kind, width, key.join(":")];
}

function widthOf(granularity: string): number {
  return GRANULARITIES.indexOf(granularity);
}
