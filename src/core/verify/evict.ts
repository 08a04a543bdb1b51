/**
 * What leaves a cache that has bounds.
 *
 * E1  First goes what was not used for longest; of equals, by name.
 * E2  Nothing goes without need: what stays is as much as the bounds allow, from the newest on.
 */
import { compareText } from "../show/rank.ts";

export interface Held {
  readonly name: string;
  /** Milliseconds since 1970. */
  readonly used_at: number;
  readonly bytes: number;
}

export interface Bounds {
  readonly max_entries: number;
  readonly max_bytes: number;
  /** What was used before it goes, however little there is. */
  readonly used_since: number;
}

export const NO_BOUNDS: Bounds = { max_entries: Infinity, max_bytes: Infinity, used_since: -Infinity };

/** Oldest first. */
export function toEvict<T extends Held>(held: readonly T[], bounds: Bounds): readonly T[] {
  const oldestFirst = held.toSorted((a, b) => a.used_at - b.used_at || compareText(a.name, b.name)); // (E1)
  let entries = held.length;
  let bytes = held.reduce((sum, each) => sum + each.bytes, 0);
  return oldestFirst.filter((each) => {
    const goes = entries > bounds.max_entries || bytes > bounds.max_bytes || each.used_at < bounds.used_since; // (E2)
    if (goes) {
      entries -= 1;
      bytes -= each.bytes;
    }
    return goes;
  });
}
