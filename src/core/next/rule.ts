/** A rule of the decision: what it says of a situation, or nothing. */

import type { Situation } from "./asking.ts";
import type { Finding } from "./decision.ts";

export type { Situation };
export type Rule = (situation: Situation) => Finding | null;
