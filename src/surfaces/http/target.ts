/**
 * The request target, taken apart before anything decodes it.
 *
 * T1  A path segment is percent-decoded exactly once, as UTF-8; what does not decode is no segment.
 * T2  Segments are those that were sent: dot segments, empty segments and encoded slashes are not resolved.
 */

export interface Target {
  readonly path: string;
  /** Without the question mark. */
  readonly query: string;
}

/** T2. Of `/path?query` or `http://host/path?query`; a fragment is cut off. */
export function parseTarget(sent: string): Target {
  const local = sent.replace(/^https?:\/\/[^/?#]*/i, "");
  const whole = local.split("#", 1)[0] ?? "";
  const at = whole.indexOf("?");
  const path = at < 0 ? whole : whole.slice(0, at);
  return { path: path === "" ? "/" : path, query: at < 0 ? "" : whole.slice(at + 1) };
}

/** T1. */
export function decodeSegment(segment: string): string | null {
  try {
    return decodeURIComponent(segment);
  } catch {
    return null;
  }
}

/** The value of each `{name}` of `pattern`, still encoded; null when the path is of another shape. */
export function matchPath(pattern: string, path: string): Readonly<Record<string, string>> | null {
  const wanted = pattern.split("/");
  const sent = path.split("/");
  if (wanted.length !== sent.length) return null;
  const found: Record<string, string> = {};
  for (const [at, part] of wanted.entries()) {
    const name = /^\{(\w+)\}$/.exec(part)?.[1];
    const segment = sent[at] ?? "";
    if (name === undefined && part !== segment) return null;
    if (name !== undefined) found[name] = segment;
  }
  return found;
}
