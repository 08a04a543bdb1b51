/**
 * How a row in a shared file names the event behind it: `loopx_event: "<goal_id>/<seq>"`, and the journal that the event is
 * in: `loopx_store: "<store_id>/<generation>"`.
 *
 * E1  A row is LoopX's own only while both name the journal that is read: rows of another store, or of a generation that
 *     was archived, are facts like those of any other program. A row that names no journal was written before rows did.
 */

export interface EventRef {
  readonly goal_id: string;
  readonly seq: number;
}

export interface JournalRef {
  readonly store_id: string;
  readonly generation: number;
}

const REF = /^([^/]+)\/([1-9]\d{0,14})$/;

export function formatEventRef({ goal_id, seq }: EventRef): string {
  return `${goal_id}/${seq}`;
}

export function formatJournalRef({ store_id, generation }: JournalRef): string {
  return `${store_id}/${generation}`;
}

/** Null for anything that is not exactly what `formatEventRef` writes. */
export function parseEventRef(value: unknown): EventRef | null {
  const match = typeof value === "string" ? REF.exec(value) : null;
  if (match === null) return null;
  const [, goal_id = "", seq] = match;
  return { goal_id, seq: Number(seq) };
}
