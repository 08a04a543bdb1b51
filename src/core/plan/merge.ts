/**
 * One field that both the file and the journal may have changed since they last agreed (design 3).
 *
 * Y1  A side that still says what the base says has no say. Where both changed it differently the file's value stands,
 *     because a person wrote it, and the other is kept beside it.
 */

export type Merged<T> =
  | { readonly kind: "agreed"; readonly value: T }
  /** Only the file changed: the journal has to follow. */
  | { readonly kind: "from_file"; readonly value: T }
  /** Only the journal changed: the file has to follow. */
  | { readonly kind: "from_state"; readonly value: T }
  | { readonly kind: "conflict"; readonly value: T; readonly other: T };

export interface Sides<T> {
  readonly base: T;
  readonly file: T;
  readonly state: T;
}

/** (Y1) Which value of one field stands. */
export function mergeField<T>({ base, file, state }: Sides<T>, same: (a: T, b: T) => boolean = Object.is): Merged<T> {
  if (same(file, state)) return { kind: "agreed", value: file };
  if (same(state, base)) return { kind: "from_file", value: file };
  if (same(file, base)) return { kind: "from_state", value: state };
  return { kind: "conflict", value: file, other: state };
}
