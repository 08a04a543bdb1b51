/**
 * Points in time, as text that sorts by time.
 *
 * Does not own: the clock (a port) and how an age is worded (surfaces).
 *
 * I1  An `Instant` is always `YYYY-MM-DDTHH:mm:ss.sssZ`: equal instants are equal strings, and string order is time order.
 * I2  A time without an offset is UTC (data-plane 0.5); text that is no time gives `null`, never a guess.
 */

declare const instantBrand: unique symbol;

/** UTC with milliseconds, 24 characters (I1). Made only by the functions of this file. */
export type Instant = string & { readonly [instantBrand]: true };

const ISO = /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?(Z|z|[+-]\d{2}:?\d{2}(?::?\d{2})?)?)?$/;

/** Milliseconds since 1970 to an `Instant`; `null` outside the years 0000 to 9999. */
export function instantFromEpoch(milliseconds: number): Instant | null {
  if (!Number.isFinite(milliseconds)) return null;
  if (milliseconds < -62_167_219_200_000 || milliseconds > 253_402_300_799_999) return null;
  const days = Math.floor(milliseconds / 86_400_000);
  const rest = Math.floor(milliseconds - days * 86_400_000);
  const [year, month, day] = civilFromDays(days);
  const date = `${pad(year, 4)}-${pad(month, 2)}-${pad(day, 2)}`;
  const hours = Math.floor(rest / 3_600_000);
  const minutes = Math.floor(rest / 60_000) % 60;
  const seconds = Math.floor(rest / 1000) % 60;
  return `${date}T${pad(hours, 2)}:${pad(minutes, 2)}:${pad(seconds, 2)}.${pad(rest % 1000, 3)}Z` as Instant;
}

/** An ISO-8601 date or date-time with `Z`, an offset or neither (I2) to an `Instant`; `null` for anything else. */
export function parseInstant(text: unknown): Instant | null {
  if (typeof text !== "string") return null;
  const match = ISO.exec(text.trim());
  if (match === null) return null;
  const [year = 0, month = 0, day = 0, hours = 0, minutes = 0, seconds = 0] = match.slice(1, 7).map((part) => Number(part ?? 0));
  if (!isCivilTime(year, month, day, hours, minutes, seconds)) return null;
  const offset = offsetMilliseconds(match[8]);
  if (offset === null) return null;
  const milliseconds = Number((match[7] ?? "0").padEnd(3, "0").slice(0, 3));
  const clock = (hours * 3600 + minutes * 60 + seconds) * 1000 + milliseconds;
  return instantFromEpoch(daysFromCivil(year, month, day) * 86_400_000 + clock - offset);
}

/** Milliseconds since 1970. */
export function epochOf(instant: Instant): number {
  const part = (from: number, to: number): number => Number(instant.slice(from, to));
  const days = daysFromCivil(part(0, 4), part(5, 7), part(8, 10));
  return days * 86_400_000 + (part(11, 13) * 3600 + part(14, 16) * 60 + part(17, 19)) * 1000 + part(20, 23);
}

/** The instant `milliseconds` after (or, negative, before) `instant`, held inside the representable years. */
export function addMilliseconds(instant: Instant, milliseconds: number): Instant {
  return instantFromEpoch(epochOf(instant) + milliseconds) ?? instant;
}

/** Milliseconds from `earlier` to `later`; negative when they are the other way round. */
export function millisecondsBetween(earlier: Instant, later: Instant): number {
  return epochOf(later) - epochOf(earlier);
}

export function laterOf(a: Instant, b: Instant): Instant {
  return a >= b ? a : b;
}

/** The reference's spelling of a run time: UTC, whole seconds, numeric offset (`2026-11-30T08:10:01+00:00`). */
export function toRunTime(instant: Instant): string {
  return `${instant.slice(0, 19)}+00:00`;
}

/** The stamp in archive names: `20261130T081001Z`. */
export function toStamp(instant: Instant): string {
  return `${instant.slice(0, 19).replace(/[-:]/g, "")}Z`;
}

function pad(value: number, width: number): string {
  return String(value).padStart(width, "0");
}

function isCivilTime(year: number, month: number, day: number, hours: number, minutes: number, seconds: number): boolean {
  if (month < 1 || month > 12 || day < 1 || hours > 23 || minutes > 59 || seconds > 59) return false;
  const [, actualMonth, actualDay] = civilFromDays(daysFromCivil(year, month, day));
  return actualMonth === month && actualDay === day;
}

function offsetMilliseconds(text: string | undefined): number | null {
  if (text === undefined || text === "Z" || text === "z") return 0;
  const digits = text.slice(1).replaceAll(":", "");
  const hours = Number(digits.slice(0, 2));
  const minutes = Number(digits.slice(2, 4));
  const seconds = Number(digits.slice(4, 6) || "0");
  if (hours > 23 || minutes > 59 || seconds > 59) return null;
  return (text.startsWith("-") ? -1 : 1) * (hours * 3600 + minutes * 60 + seconds) * 1000;
}

// Days since 1970-01-01 in the proleptic Gregorian calendar (Howard Hinnant's public algorithms): `Date` is not
// available in the core.
function daysFromCivil(year: number, month: number, day: number): number {
  const shifted = month <= 2 ? year - 1 : year;
  const era = Math.floor(shifted / 400);
  const yearOfEra = shifted - era * 400;
  const dayOfYear = Math.floor((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) + day - 1;
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear;
  return era * 146_097 + dayOfEra - 719_468;
}

function civilFromDays(days: number): [year: number, month: number, day: number] {
  const shifted = days + 719_468;
  const era = Math.floor(shifted / 146_097);
  const dayOfEra = shifted - era * 146_097;
  const yearOfEra = Math.floor(
    (dayOfEra - Math.floor(dayOfEra / 1460) + Math.floor(dayOfEra / 36_524) - Math.floor(dayOfEra / 146_096)) / 365,
  );
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const monthShifted = Math.floor((5 * dayOfYear + 2) / 153);
  const day = dayOfYear - Math.floor((153 * monthShifted + 2) / 5) + 1;
  const month = monthShifted < 10 ? monthShifted + 3 : monthShifted - 9;
  return [yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day];
}
