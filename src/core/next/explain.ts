/**
 * The decision together with why it is that one: the rule that answered, those before it that said nothing, and the facts.
 *
 * Does not own: the decision (`next.ts`); what is explained is what `next` answers.
 */
import type { Instant } from "../instant.ts";
import type { Decision, DecisionRequest, DecisionState } from "./decision.ts";
import { type Fact, factsOf } from "./facts.ts";
import { next } from "./next.ts";
import { NAMED_RULES } from "./rules.ts";
import { situationOf } from "./situation.ts";

export interface Explanation {
  readonly decision: Decision;
  readonly rule: string;
  /** Names of the rules before it, in their order. */
  readonly passed: readonly string[];
  readonly facts: readonly Fact[];
}

export function explain(state: DecisionState, request: DecisionRequest, now: Instant): Explanation {
  const situation = situationOf(state, request, now);
  const passed: string[] = [];
  for (const [name, rule] of NAMED_RULES) {
    const finding = rule(situation);
    if (finding !== null) {
      return { decision: next(state, request, now), rule: name, passed, facts: factsOf(situation, finding) };
    }
    passed.push(name);
  }
  throw new Error("no rule of the decision answered");
}
