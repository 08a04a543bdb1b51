/** Texts that neither a store nor a program can be given as they stand. */
import type { Problem } from "../result.ts";

const HALF_PAIR = /\p{Surrogate}/u;

/** Completes "<field> …"; null when there is nothing wrong. */
export function unstorableFlaw(text: string): Pick<Problem, "code" | "message"> | null {
  if (text.includes("\0")) return { code: "text_holds_nul", message: "holds the character U+0000" };
  return HALF_PAIR.test(text) ? { code: "text_not_unicode", message: "holds half of a surrogate pair" } : null;
}
