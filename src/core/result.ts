/**
 * How a "no" travels (design 5): refusals and bad input are values, faults are thrown (`errors.ts`).
 */

/** One thing that is wrong with something a person wrote. Lines and columns count from 1. */
export interface Problem {
  /** Absolute path of the file, or the option or field that was wrong. */
  readonly path?: string;
  readonly line?: number;
  readonly column?: number;
  readonly code: string;
  readonly message: string;
}

/** An expected no: nothing is broken, the answer is no. */
export interface Refusal {
  readonly kind: "refusal";
  readonly code: string;
  readonly message: string;
  /** The exact next command, ready to paste. */
  readonly fix?: string;
  /** Machine-readable facts of this refusal, for example the holder's name. */
  readonly details?: Readonly<Record<string, unknown>>;
}

/** Input that cannot be used, or names something that does not exist. */
export interface BadInput {
  readonly kind: "bad_input";
  readonly code: string;
  readonly message: string;
  readonly problems: readonly Problem[];
  /** Near matches for a name that was not found. */
  readonly near?: readonly string[];
  readonly fix?: string;
}

/** What a use case answers: its value, or why not. */
export type Reply<T> = { readonly kind: "done"; readonly value: T } | Refusal | BadInput;

export function done<T>(value: T): Reply<T> {
  return { kind: "done", value };
}

export function refuse(code: string, message: string, extra: Pick<Refusal, "fix" | "details"> = {}): Refusal {
  return { kind: "refusal", code, message, ...extra };
}

export function reject(
  code: string,
  message: string,
  extra: Partial<Pick<BadInput, "problems" | "near" | "fix">> = {},
): BadInput {
  return { kind: "bad_input", code, message, problems: [], ...extra };
}
