/** How long ago, in one unit, as people say it. */
import type { Instant } from "../../instant.ts";
import { millisecondsBetween } from "../../instant.ts";

const UNITS: readonly (readonly [name: string, milliseconds: number])[] = [
  ["d", 86_400_000],
  ["h", 3_600_000],
  ["min", 60_000],
];

/** `3 d ago`, `just now`, `in 2 h`. */
export function age(at: Instant, now: Instant): string {
  const passed = millisecondsBetween(at, now);
  const span = Math.abs(passed);
  const [name, size] = UNITS.find(([, milliseconds]) => span >= milliseconds) ?? [];
  if (name === undefined || size === undefined) return "just now";
  const count = `${Math.floor(span / size)} ${name}`;
  return passed > 0 ? `${count} ago` : `in ${count}`;
}

export function ageOrDash(at: Instant | null, now: Instant): string {
  return at === null ? "-" : age(at, now);
}
