/**
 * Texts made shorter to be shown; what is stored and compared stays whole.
 *
 * C1  Lengths count code points, and no surrogate pair is halved.
 * C2  What was cut carries `…` at the place of the cut and is never longer than the limit.
 */

const LAST_SPACE = / $/;

/** The head of `text` in at most `limit` code points; white space before the mark is dropped. */
export function shorten(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const kept = headOf(text, limit);
  if (kept === text) return text;
  return `${headOf(kept, limit - 1).replace(LAST_SPACE, "")}…`; // (C2)
}

/** The tail of a path, where its name is. */
export function shortenPath(path: string, limit: number): string {
  if (path.length <= limit) return path;
  const points = [...path];
  return points.length <= limit ? path : `…${points.slice(points.length - limit + 1).join("")}`;
}

const HALF = /[\ud800-\udfff]/;

/** C1. The first `count` code points; walks no further, however long the text is. */
export function headOf(text: string, count: number): string {
  const units = text.slice(0, count);
  if (!HALF.test(units)) return units;
  let end = 0;
  for (let taken = 0; taken < count && end < text.length; taken += 1) {
    end += Number(text.codePointAt(end)) > 0xffff ? 2 : 1;
  }
  return text.slice(0, end);
}
