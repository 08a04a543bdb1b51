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
  const span = spanOf(Math.abs(passed));
  if (span === null) return "just now";
  return passed > 0 ? `${span} ago` : `in ${span}`;
}

/** `3 d`, `now`, `in 2 h`: for a column whose head says the rest. */
export function shortAge(at: Instant, now: Instant): string {
  const passed = millisecondsBetween(at, now);
  const span = spanOf(Math.abs(passed));
  if (span === null) return "now";
  return passed > 0 ? span : `in ${span}`;
}

/** Null: less than the smallest unit. */
function spanOf(milliseconds: number): string | null {
  const [name, size] = UNITS.find(([, unit]) => milliseconds >= unit) ?? [];
  return name === undefined || size === undefined ? null : `${Math.floor(milliseconds / size)} ${name}`;
}

export function ageOrDash(at: Instant | null, now: Instant): string {
  return at === null ? "-" : age(at, now);
}
