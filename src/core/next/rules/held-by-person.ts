import type { TodoRecord } from "../../events.ts";
import { defaultAnswer } from "../../goal/gate-expiry.ts";
import { expiresAtOf } from "../../goal/todo-traits.ts";
import type { Finding } from "../decision.ts";
import { hindranceOf } from "../doable.ts";
import { concerningGates } from "../gates.ts";
import type { Rule, Situation } from "../rule.ts";

/** Row 15: what is left waits for an answer, or for something that only the owner has. */
export const heldByPerson: Rule = (situation) => gateFinding(situation) ?? ownerFinding(situation);

function gateFinding(situation: Situation): Finding | null {
  const [gate] = concerningGates(situation);
  if (gate === undefined) return null;
  const due = defaultAnswer(gate, situation.now);
  const because =
    due === null
      ? `${gate.todo_id} waits for an answer`
      : `the time of ${gate.todo_id} is up: its answer, ${due.outcome}, is due`;
  return { act: "ask", why: "gate", because, todo: gate, until: expiresAtOf(gate) };
}

function ownerFinding(situation: Situation): Finding | null {
  const candidates: readonly TodoRecord[] = [...situation.state.frontier.work, ...situation.state.frontier.waiting];
  for (const todo of candidates) {
    const found = hindranceOf(situation, todo);
    if (found?.code === "owner_capability") return { act: "ask", why: "owner_capability", because: found.message, todo };
  }
  return null;
}
