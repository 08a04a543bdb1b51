/** I5, I7, I9, I10: what a decision is, whatever it says. */
import { gateScopeOf } from "../../goal/todo-traits.ts";
import type { Decision, DecisionState } from "../../next/decision.ts";
import { next } from "../../next/next.ts";
import { DECISION_BYTES } from "../../show/decision.ts";
import { printedBytes } from "../../show/print-json.ts";
import type { Ledger } from "../ledger.ts";
import { type Decided, type Flaw, flaw, type Step } from "../step.ts";

/** Of every answer; the dear ones of each eighth. */
export function answerFlaw(step: Step, ledger: Ledger): Flaw | null {
  const { decided } = step;
  if (decided === null) return turnFlaw(step, ledger);
  const { why, because } = decided.decision;
  if (why.length === 0 || because.length === 0) return flaw("rule", "a decision names no rule, or not what it rests on");
  const bytes = printedBytes(decided.payload);
  if (bytes > DECISION_BYTES) return flaw("I9", `a decision takes ${bytes} bytes`);
  return turnFlaw(step, ledger) ?? (step.number % 8 === 0 ? (repeatFlaw(decided) ?? gateFlaw(decided)) : null);
}

const MOST_REFUSED = 40;

/** Whoever does what they are told gets somewhere: no agent hears one no after the other. */
export function deadEndFlaw({ request, refused, events }: Step, { dead_ends }: Ledger): Flaw | null {
  const agent = request.kind === "plan" ? request.by : request.agent;
  if (agent === "person" || (refused === null && events.length === 0)) return null;
  const before = dead_ends.get(agent);
  const times = refused !== null && before?.code === refused ? before.times + 1 : 1;
  if (refused === null) dead_ends.delete(agent);
  else dead_ends.set(agent, { code: refused, times });
  return times > MOST_REFUSED ? flaw("dead_end", `${agent} was refused ${times} times in a row: ${refused}`) : null;
}

/** I10: a turn keeps its answer. */
function turnFlaw({ request, turn_answer }: Step, { turn_answers }: Ledger): Flaw | null {
  if (request.kind !== "open_turn" || turn_answer === null) return null;
  const before = turn_answers.get(request.turn);
  turn_answers.set(request.turn, turn_answer);
  return before === undefined || before === turn_answer
    ? null
    : flaw("I10", `turn ${request.turn} was answered otherwise before: ${before.slice(0, 200)}`);
}

/** I7: the same question again. */
function repeatFlaw({ state, request, now, decision }: Decided): Flaw | null {
  const again = next(state, request, now);
  return JSON.stringify(again) === JSON.stringify(decision)
    ? null
    : flaw("I7", `the same question was answered ${decision.why}, then ${again.why}`);
}

/** I5: without the gates of others the answer is the same. */
function gateFlaw({ state, request, now, decision }: Decided): Flaw | null {
  const ofOthers = state.frontier.gates.filter((gate) => {
    const scope = gateScopeOf(gate);
    return scope.kind === "agents" && request.agent !== null && !scope.agents.includes(request.agent);
  });
  if (ofOthers.length === 0) return null;
  const alone = next(withoutGates(state, ofOthers), request, now);
  return wordsOf(alone) === wordsOf(decision)
    ? null
    : flaw(
        "I5",
        `with ${ofOthers[0]?.todo_id}, a gate of another, ${request.agent} gets ${wordsOf(decision)}, without it ${wordsOf(alone)}`,
      );
}

function withoutGates(state: DecisionState, gone: DecisionState["frontier"]["gates"]): DecisionState {
  const gates = state.frontier.gates.filter((gate) => !gone.includes(gate));
  const counts = state.head?.todo_counts;
  if (state.head === null || counts === undefined) return state;
  const todo_counts = {
    ...counts,
    open: counts.open - gone.length,
    waiting_for_person: counts.waiting_for_person - gone.length,
  };
  return { ...state, head: { ...state.head, todo_counts }, frontier: { ...state.frontier, gates } };
}

function wordsOf({ act, why, todo, tell, wait, token }: Decision): string {
  return JSON.stringify([act, why, todo?.todo_id ?? null, tell, wait, token]);
}
