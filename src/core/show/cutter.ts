/** Shortens the texts of one shown object and counts how many it had to shorten. */
import { shorten, shortenPath } from "../shorten.ts";

export interface Cutter {
  readonly text: (text: string) => string;
  readonly textOrNull: (text: string | null) => string | null;
  /** Keeps the end. */
  readonly path: (path: string) => string;
  /** The key with its shortened text, or nothing where there is none. */
  readonly present: <Key extends string>(key: Key, text: string | undefined) => { readonly [key in Key]?: string };
  readonly count: () => number;
}

export function cutter(limit: number): Cutter {
  let count = 0;
  const noted = (before: string, after: string): string => {
    if (after !== before) count += 1;
    return after;
  };
  const text = (whole: string): string => noted(whole, shorten(whole, limit));
  return {
    text,
    textOrNull: (whole) => (whole === null ? null : text(whole)),
    path: (whole) => noted(whole, shortenPath(whole, limit)),
    present: (key, whole) => (whole === undefined ? {} : ({ [key]: text(whole) } as { readonly [name in typeof key]?: string })),
    count: () => count,
  };
}
