/**
 * How a row in a shared file names the event behind it: `<goal_id>/<generation>/<seq>`.
 */

export interface EventRef {
  readonly goal_id: string;
  readonly generation: number;
  readonly seq: number;
}

const REF = /^([^/]+)\/([1-9]\d{0,8})\/([1-9]\d{0,14})$/;

export function formatEventRef({ goal_id, generation, seq }: EventRef): string {
  return `${goal_id}/${generation}/${seq}`;
}

/** Null for anything that is not exactly what `formatEventRef` writes. */
export function parseEventRef(value: unknown): EventRef | null {
  if (typeof value !== "string") return null;
  const match = REF.exec(value);
  if (match === null) return null;
  const [, goal_id = "", generation, seq] = match;
  return { goal_id, generation: Number(generation), seq: Number(seq) };
}
