/** The questions of a simulated world: `next`, a turn that is opened with it, and the claim, each by the code that answers it outside. */
import type { TodoRecord } from "../../core/events.ts";
import type { GoalDraft } from "../../core/goal/draft.ts";
import { type ClaimAsked, judgeClaim } from "../../core/next/claim.ts";
import type { DecisionRequest } from "../../core/next/decision.ts";
import { next } from "../../core/next/next.ts";
import { decisionStateOf } from "../../core/next/state-of.ts";
import { decisionPayload } from "../../core/show/decision.ts";
import type { SimRequest } from "../../core/sim/request.ts";
import type { Decided } from "../../core/sim/step.ts";
import { stateInWrite } from "../decide-in-write.ts";
import { mayBeBeyondPage, PAGE_GROWTH } from "../frontier-page.ts";
import { nowFor } from "../goal-clock.ts";
import { spendQuery } from "../read-decision.ts";
import type { WriteMaterial } from "../write-goal.ts";
import { type SimGoal, type SimWrite, type SimWritten, write } from "./goal.ts";
import { proof } from "./hand.ts";

export type Question = Extract<SimRequest, { kind: "next" | "open_turn" | "claim" }>;

export interface Answered {
  readonly written: SimWritten;
  readonly decided: Decided | null;
}

/** What a decision rests on, as the use cases ask the store for it. */
export function decisionLoad(goal: SimGoal, agent: Question["agent"], limit: number): SimWrite["load"] {
  const now = goal.wall();
  const spend = spendQuery(goal.registered().goal, now);
  return { todos: "none", frontier: { agent, now, limit }, ...(spend !== null && { spend }) };
}

function requestOf({ agent, instance, capabilities }: Question): DecisionRequest {
  return { agent, instance, capabilities, seen: null };
}

export async function readNext(goal: SimGoal, question: Question): Promise<Decided> {
  const declared = goal.registered().goal;
  const request = requestOf(question);
  for (let limit = goal.page; ; limit *= PAGE_GROWTH) {
    const { frontier, ...loaded } = await goal.store.load({
      goal_id: declared.goal_id,
      base: "none",
      ...decisionLoad(goal, question.agent, limit),
    });
    if (frontier === null) throw new Error("a frontier that was asked for is there");
    const now = nowFor(loaded.head, goal.wall());
    const state = decisionStateOf({ ...loaded, declared, frontier, problem: null, now });
    const decision = next(state, request, now);
    if (!mayBeBeyondPage(decision, { frontier, limit, now })) return decidedOf(goal, { state, request, now, decision });
  }
}

function decidedOf(goal: SimGoal, decided: Omit<Decided, "payload">): Decided {
  const { goal_id } = goal.registered().goal;
  return { ...decided, payload: decisionPayload(decided.decision, { goal_id, agent_id: decided.request.agent }) };
}

/** As `open-turn.ts` does. */
export async function openTurn(goal: SimGoal, question: Extract<Question, { kind: "open_turn" }>): Promise<Answered> {
  const registered = goal.registered();
  const { agent, turn } = question;
  const request = requestOf(question);
  const fingerprint = JSON.stringify(request);
  let all: SimWritten | null = null;
  for (let limit = goal.page; ; limit *= PAGE_GROWTH) {
    let decided: Decided | null = null;
    let beyond = false;
    const written = await write(goal, {
      actor: { agent_id: agent, turn_id: turn },
      load: decisionLoad(goal, agent, limit),
      idempotency: proof(`next ${turn}`, fingerprint, "turn.decided"),
      commands: (draft, material) => {
        const state = stateInWrite(registered, { draft, reading: { kind: "not_declared", since: material.at }, material });
        const decision = next(state, request, material.at);
        beyond = mayBeBeyondPage(decision, { frontier: state.frontier, limit, now: material.at });
        if (beyond) return [];
        const found = decidedIn(goal, question, { state, now: material.at, decision });
        decided = found;
        if (draft.head?.lifecycle.kind !== "active") return [];
        const { act, why, todo } = decision;
        const answer = { ...found.payload };
        return [
          { kind: "open-turn", turn: { turn_id: turn, act, why, todo_id: todo?.todo_id ?? null, request: fingerprint, answer } },
        ];
      },
    });
    all = all === null ? written : joined(all, written);
    if (!beyond) return { written: all, decided };
  }
}

/** As `claim.ts` does. */
export async function claim(goal: SimGoal, question: Claim): Promise<Answered> {
  const { agent, turn, todo_id, ttl_ms } = question;
  const fingerprint = JSON.stringify({ agent, todo_id, ttl_ms, instance: question.instance, scopes: [] });
  let all: SimWritten | null = null;
  for (let limit = goal.page; ; limit *= PAGE_GROWTH) {
    const found: Found = { decided: null, beyond: false };
    const written = await write(goal, {
      actor: { agent_id: agent, turn_id: turn },
      load: { ...decisionLoad(goal, agent, limit), todos: todo_id === null ? [] : [todo_id] },
      idempotency: proof(`claim ${turn}`, fingerprint, "lease.taken"),
      commands: (draft, material) => claimCommands(goal, question, { draft, material, limit, found }),
    });
    all = all === null ? written : joined(all, written);
    if (!found.beyond) return { written: all, decided: found.decided };
  }
}

/** What the transaction found out, beside what it stored. */
interface Found {
  decided: Decided | null;
  beyond: boolean;
}

interface Claiming {
  readonly draft: GoalDraft;
  readonly material: WriteMaterial;
  readonly limit: number;
  readonly found: Found;
}

function claimCommands(
  goal: SimGoal,
  question: Claim,
  { draft, material, limit, found }: Claiming,
): ReturnType<SimWrite["commands"]> {
  const named = question.todo_id === null ? null : draft.todos.get(question.todo_id);
  if (named === undefined) return { kind: "bad_input", code: "unknown_todo", message: "", problems: [] };
  const state = stateInWrite(goal.registered(), { draft, reading: { kind: "not_declared", since: material.at }, material });
  const judged = judgeClaim(state, claimAsked(goal, question, named), material.at);
  if (judged.kind !== "judged") return judged;
  if (named !== null) return judged.commands; // Who names a todo is not told what comes first.
  found.decided = decidedIn(goal, question, { state, now: material.at, decision: judged.decision });
  found.beyond = mayBeBeyondPage(judged.decision, { frontier: state.frontier, limit, now: material.at });
  return found.beyond ? [] : judged.commands;
}

type Claim = Extract<Question, { kind: "claim" }>;

function claimAsked(goal: SimGoal, question: Claim, named: TodoRecord | null): ClaimAsked {
  const { agent: owner, instance, turn: turn_id, ttl_ms } = question;
  const lease = { owner, instance, turn_id, ttl_ms };
  return { request: requestOf(question), named, lease, write_scopes: [], quota: goal.registered().goal };
}

/** As the draft stood: it goes on to change. */
function decidedIn(
  goal: SimGoal,
  question: Question,
  { state, now, decision }: Pick<Decided, "state" | "now" | "decision">,
): Decided {
  const asStood = { ...state, todos: new Map(state.todos) };
  return decidedOf(goal, { state: asStood, request: requestOf(question), now, decision });
}

/** What a look at a smaller page has stored already: a change of the registry that was taken in. */
function joined(first: SimWritten, then: SimWritten): SimWritten {
  if (first.events.length === 0) return then;
  const head = then.head ?? first.head;
  return { ...then, before: first.before, events: [...first.events, ...then.events], head, put: [...first.put, ...then.put] };
}
