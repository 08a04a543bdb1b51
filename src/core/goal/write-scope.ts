/**
 * Whether two lists of path patterns can mean the same file (decision-plane 2).
 *
 * O1  Two patterns overlap when the literal beginning of one is the beginning of the other's; a literal path overlaps a
 *     pattern that matches it; `*` and `**` overlap everything; an empty list overlaps nothing.
 * O2  A path that is written without a pattern means what lies in it as well.
 */

/** (O1) */
export function scopesOverlap(a: readonly string[], b: readonly string[]): boolean {
  return a.some((one) => b.some((other) => patternsOverlap(one, other)));
}

/** Whether every pattern of `needed` lies within one of `allowed`; an empty `allowed` allows everything. */
export function scopesWithin(needed: readonly string[], allowed: readonly string[]): boolean {
  return allowed.length === 0 || needed.every((scope) => allowed.some((outer) => isWithin(scope, outer)));
}

function isWithin(scope: string, outer: string): boolean {
  return outer === scope || patternMatches(outer, scope) || patternMatches(outer, `${scope}/`) || isInside(scope, outer); // (O2)
}

function patternsOverlap(a: string, b: string): boolean {
  const [fromA, fromB] = [literalPart(a), literalPart(b)];
  if (fromA === a && fromB === b) return a === b || isInside(a, b) || isInside(b, a);
  if (fromA === a) return patternMatches(b, a) || isInside(fromB, a);
  if (fromB === b) return patternMatches(a, b) || isInside(fromA, b);
  return fromA.startsWith(fromB) || fromB.startsWith(fromA);
}

function isInside(path: string, folder: string): boolean {
  return path.startsWith(folder.endsWith("/") ? folder : `${folder}/`);
}

function literalPart(pattern: string): string {
  return pattern.slice(0, pattern.search(/[*?[]|$/));
}

/** `*` stands for any run of characters, also across folders, `?` for one (the reference's fnmatch). */
export function patternMatches(pattern: string, path: string): boolean {
  let [at, from, star, back] = [0, 0, -1, 0];
  while (from < path.length) {
    if (pattern[at] === "*") [star, back, at] = [at, from, at + 1];
    else if (at < pattern.length && (pattern[at] === "?" || pattern[at] === path[from])) [at, from] = [at + 1, from + 1];
    else if (star < 0) return false;
    else [at, from, back] = [star + 1, back + 1, back + 1];
  }
  while (pattern[at] === "*") at += 1;
  return at === pattern.length;
}
