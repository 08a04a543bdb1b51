/** Shortens the texts of one shown object and counts how many it had to shorten. */
import { shorten, shortenPath } from "../shorten.ts";

export interface Cutter {
  readonly text: (text: string) => string;
  readonly textOrNull: (text: string | null) => string | null;
  /** Programs read it back: whole if it can be an instant at all. */
  readonly instantOrNull: (text: string | null) => string | null;
  /** Keeps the end. */
  readonly path: (path: string) => string;
  /** The key with its shortened text, or nothing where there is none. */
  readonly present: <Key extends string>(key: Key, text: string | undefined) => { readonly [key in Key]?: string };
  readonly count: () => number;
}

/** The longest way to write one: microseconds and an offset. */
const INSTANT_LENGTH = 32;

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
    instantOrNull: (whole) => (whole === null || whole.length <= INSTANT_LENGTH ? whole : text(whole)),
    path: (whole) => noted(whole, shortenPath(whole, limit)),
    present: (key, whole) => (whole === undefined ? {} : ({ [key]: text(whole) } as { readonly [name in typeof key]?: string })),
    count: () => count,
  };
}
