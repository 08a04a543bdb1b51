/** A rule of the decision: what it says of a situation, or nothing. */
import type { Finding } from "./decision.ts";
import type { Situation } from "./situation.ts";

export type { Situation };
export type Rule = (situation: Situation) => Finding | null;
