/** Where ours differs: what was found, against the list of what differs on purpose. */
import { readFileSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";
import type { Facts } from "./facts/facts.ts";
import type { Json } from "./json.ts";

export interface Difference {
  readonly field: string;
  readonly reference: Json;
  readonly ours: Json;
}

export interface ListedDifference extends Difference {
  /** `*`: in every case, in every step where it is found. */
  readonly case: string;
  readonly step: string;
  readonly why: string;
}

const LIST = new URL("../differences.json", import.meta.url);

export function listedDifferences(): readonly ListedDifference[] {
  return JSON.parse(readFileSync(LIST, "utf8"));
}

/** What stays comparable when only one of the two did as it was told. */
const AFTER_REFUSAL = /^(?:ends|refused|status|files)/;

/** The reference's facts are the measure; where it says nothing, we are free, but not to refuse. */
export function differencesOf(reference: Facts, ours: Facts): readonly Difference[] {
  const comparable = (field: string): boolean =>
    (sameEnd(reference, ours) || AFTER_REFUSAL.test(field)) && !isOfSomethingNotThere(field, ours);
  const fields = new Set([...Object.keys(reference), ...("refused" in ours && reference["ends"] === "well" ? ["refused"] : [])]);
  return [...fields]
    .filter(comparable)
    .map((field) => ({ field, reference: reference[field] ?? null, ours: ours[field] ?? null }))
    .filter((found) => !isDeepStrictEqual(found.reference, found.ours));
}

function sameEnd(reference: Facts, ours: Facts): boolean {
  const refused = "refused" in reference || "refused" in ours;
  return !refused && reference["status"] === ours["status"];
}

/** `goals` and `attention` are lists of ids: what is not in our list is one difference, not one for each of its facts. */
function isOfSomethingNotThere(field: string, ours: Facts): boolean {
  return ["goals", "attention"].some((name) => {
    const ids = ours[name];
    if (!Array.isArray(ids) || !field.startsWith(`${name}.`)) return false;
    return !ids.some((id) => field.startsWith(`${name}.${id}.`));
  });
}

/** Which suite a row is for: cases of decisions are named `decisions/…`. */
export type Suite = "trees" | "decisions";

function isOf(suite: Suite, row: ListedDifference): boolean {
  return row.case.startsWith("decisions/") === (suite === "decisions");
}

/** What the list says of this step: its own rows, and those for all steps that were found in it. */
export class DifferenceList {
  readonly #rows: readonly ListedDifference[];
  readonly #met = new Set<ListedDifference>();

  constructor(suite: Suite = "trees") {
    this.#rows = listedDifferences().filter((row) => isOf(suite, row));
  }

  /** The differences of a step that the list does not hold, and the rows of the step that were not found in it. */
  check(place: { readonly case: string; readonly step: string }, found: readonly Difference[]): Checked {
    const general = this.#rows.filter((row) => row.case === "*");
    const special = this.#rows.filter((row) => row.case === place.case && row.step === place.step);
    const unlisted = found.filter((difference) => !this.#meet([...general, ...special], difference));
    return { unlisted, stale: special.filter((row) => !this.#met.has(row)) };
  }

  /** Rows that nothing answered to. */
  neverMet(): readonly ListedDifference[] {
    return this.#rows.filter((row) => !this.#met.has(row));
  }

  get size(): number {
    return this.#rows.length;
  }

  #meet(rows: readonly ListedDifference[], difference: Difference): boolean {
    const row = rows.find((listed) => sameDifference(listed, difference));
    if (row !== undefined) this.#met.add(row);
    return row !== undefined;
  }
}

export interface Checked {
  readonly unlisted: readonly Difference[];
  readonly stale: readonly ListedDifference[];
}

function sameDifference(a: Difference, b: Difference): boolean {
  return a.field === b.field && isDeepStrictEqual(a.reference, b.reference) && isDeepStrictEqual(a.ours, b.ours);
}
