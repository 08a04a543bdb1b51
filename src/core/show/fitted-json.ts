/**
 * A value as JSON within a number of bytes: long texts are shortened and long lists end early, step by step, until it fits.
 *
 * Does not own: what is left out of an answer that people or programs see (each page's own file).
 */
import { shorten } from "../shorten.ts";
import { utf8Length } from "./print-json.ts";

interface Bounds {
  readonly text: number;
  readonly entries: number;
}

const STEPS: readonly Bounds[] = [
  { text: Number.MAX_SAFE_INTEGER, entries: Number.MAX_SAFE_INTEGER },
  { text: 1000, entries: 100 },
  { text: 200, entries: 20 },
  { text: 40, entries: 5 },
];

export interface FittedJson {
  readonly text: string;
  readonly whole: boolean;
}

/** Null: there are too many fields. */
export function fittedJson(value: unknown, maxBytes: number): FittedJson | null {
  for (const [step, bounds] of STEPS.entries()) {
    const text = JSON.stringify(step === 0 ? value : bounded(value, bounds));
    if (utf8Length(text) <= maxBytes) return { text, whole: step === 0 };
  }
  return null;
}

function bounded(value: unknown, bounds: Bounds): unknown {
  if (typeof value === "string") return shorten(value, bounds.text);
  if (Array.isArray(value)) return value.slice(0, bounds.entries).map((entry) => bounded(entry, bounds));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, bounded(entry, bounds)]));
}
