/**
 * Runs of one index held in memory: the small case of what the store keeps in a table.
 *
 * Does not own: the rules of merging and order (`history.ts`).
 */
import { comparePlaced, mergePlaced, type PlacedRow } from "./history.ts";
import { speaksForGoal } from "./speaks.ts";

export interface RunPage {
  readonly which: "all" | "speaking";
  readonly skip: number;
  readonly limit: number;
}

export class RunTable {
  readonly #rows = new Map<string, PlacedRow>();
  #sorted: readonly PlacedRow[] | null = null;

  get count(): number {
    return this.#rows.size;
  }

  /** Rows in the order of the file. */
  add(rows: readonly PlacedRow[]): void {
    for (const row of rows) {
      const known = this.#rows.get(row.identity);
      this.#rows.set(row.identity, known === undefined ? row : mergePlaced(known, row));
    }
    this.#sorted = null;
  }

  /** Newest first. */
  page({ which, skip, limit }: RunPage): readonly PlacedRow[] {
    this.#sorted ??= [...this.#rows.values()].sort(comparePlaced);
    const chosen = which === "all" ? this.#sorted : this.#sorted.filter(({ row }) => speaksForGoal(row));
    return chosen.slice(skip, skip + Math.max(0, limit));
  }
}
