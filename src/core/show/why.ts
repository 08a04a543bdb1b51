/**
 * What `why` and `why-not` answer.
 *
 * Does not own: the explanation (`core/next/explain.ts`, `core/next/why-not.ts`).
 *
 * Y1  At most 4 KiB, whatever the goal says: texts are shortened until it fits; codes, ids, numbers and commands are not.
 */
import { loopxCommand } from "../command-line.ts";
import type { TodoRecord } from "../events.ts";
import type { Instant } from "../instant.ts";
import type { Explanation } from "../next/explain.ts";
import type { Fact, FactOrigin } from "../next/facts.ts";
import type { WhyNot } from "../next/why-not.ts";
import { type Cutter, cutter } from "./cutter.ts";
import { type DecisionPayload, decisionPayload } from "./decision.ts";
import { printedBytes } from "./print-json.ts";

export const WHY_BYTES = 4096;

/** The point of the journal that the answer is about. */
export interface ShownMoment {
  /** 0 where there is no journal yet. */
  readonly seq: number;
  readonly time: Instant;
}

export interface ShownFact {
  readonly about: string;
  readonly says: string;
  /** The newest event that says so, where it was found. */
  readonly seq?: number;
  readonly file?: string;
}

export interface WhyPayload extends Pick<DecisionPayload, "ok" | "goal_id" | "agent_id" | "act" | "why" | "because" | "token"> {
  readonly at: ShownMoment;
  readonly todo_id: string | null;
  readonly rule: string;
  readonly facts: readonly ShownFact[];
  /** Rules that come before and said nothing. */
  readonly passed: readonly string[];
  readonly wait_until: string | null;
  readonly then: readonly string[];
}

/** Where the facts stand, as far as it was found. */
export interface Origins {
  readonly seqOf: (origin: FactOrigin) => number | null;
  readonly registry: string;
  readonly state_file: string | null;
}

export interface Explained {
  readonly goal_id: string;
  readonly agent_id: string | null;
  readonly at: ShownMoment;
  readonly explanation: Explanation;
  readonly origins: Origins;
}

const LIMITS = [400, 200, 100, 60, 32];

/** (Y1) */
export function whyPayload(explained: Explained): WhyPayload {
  let payload = shownWhy(explained, cutter(800));
  for (const limit of LIMITS) {
    if (printedBytes(payload) <= WHY_BYTES) return payload;
    payload = shownWhy(explained, cutter(limit));
  }
  return payload;
}

function shownWhy({ goal_id, agent_id, at, explanation, origins }: Explained, cut: Cutter): WhyPayload {
  const { decision, rule, passed, facts } = explanation;
  const { act, why, token, then, wait } = decisionPayload(decision, { goal_id, agent_id });
  return {
    ok: true,
    goal_id,
    agent_id,
    at,
    act,
    why,
    because: cut.text(decision.because),
    todo_id: decision.todo?.todo_id ?? null,
    rule,
    facts: facts.map((fact) => shownFact(fact, origins, cut)),
    passed,
    wait_until: wait?.until ?? null,
    then,
    token,
  };
}

function shownFact({ about, says, origin }: Fact, { seqOf, registry, state_file }: Origins, cut: Cutter): ShownFact {
  const seq = seqOf(origin);
  const file = origin.kind === "registry" ? registry : origin.kind === "state_file" ? state_file : null;
  return {
    about,
    says: cut.text(says),
    ...(seq !== null && { seq }),
    ...(file !== null && { file: cut.path(file) }),
  };
}

export interface WhyNotPayload {
  readonly ok: true;
  readonly goal_id: string;
  readonly agent_id: string | null;
  readonly at: ShownMoment;
  readonly todo: { readonly todo_id: string; readonly text: string; readonly status: string; readonly claimed_by: string | null };
  readonly may_be_done: boolean;
  /** The first condition that fails; `not_first`: it may be done, and something comes before it. */
  readonly code: string | null;
  readonly message: string;
  /** What would change it: a command, or what has to happen. */
  readonly change: string | null;
  readonly by: string | null;
  readonly then: readonly string[];
}

export interface WhyNotFacts {
  readonly goal_id: string;
  readonly agent_id: string | null;
  readonly at: ShownMoment;
  readonly todo: TodoRecord;
  readonly found: WhyNot | null;
}

export function whyNotPayload(facts: WhyNotFacts): WhyNotPayload {
  let payload = shownWhyNot(facts, cutter(1200));
  for (const limit of LIMITS) {
    if (printedBytes(payload) <= WHY_BYTES) return payload;
    payload = shownWhyNot(facts, cutter(limit));
  }
  return payload;
}

function shownWhyNot({ goal_id, agent_id, at, todo, found }: WhyNotFacts, cut: Cutter): WhyNotPayload {
  const { todo_id, text, status, archived, metadata } = todo;
  const may_be_done = found === null || found.code === "not_first";
  const who = agent_id === null ? [] : ["--agent-id", agent_id];
  const about = ["--goal-id", goal_id, ...who];
  return {
    ok: true,
    goal_id,
    agent_id,
    at,
    todo: {
      todo_id,
      text: cut.text(text),
      status: archived ? "archived" : status,
      claimed_by: cut.textOrNull(metadata["claimed_by"] ?? null),
    },
    may_be_done,
    code: found?.code ?? null,
    message: found === null ? "nothing stands in its way" : cut.text(found.message),
    change: found?.change ?? null,
    by: found?.by ?? null,
    then: may_be_done ? [loopxCommand("claim", ...about, "--todo-id", todo_id)] : [loopxCommand("next", ...about)],
  };
}
