/**
 * Which open gates concern an agent or hold up a todo.
 *
 * G1  A gate that names todos holds up those; one that names agents holds up their work; one with a decision scope holds up
 *     what requires it; only one that names nothing, or says `global_gate`, holds up the whole goal.
 * G2  A monitor only looks: a gate about the whole goal does not stop it.
 * G3  A gate that ran out holds nothing up any more when its default is to approve, whether or not that was written down yet;
 *     with any other default it holds until it is decided.
 */
import type { TodoRecord } from "../events.ts";
import { scopeCovers } from "../goal/decision-scope.ts";
import { defaultAnswer } from "../goal/gate-expiry.ts";
import { isQuotaGate } from "../goal/quota-gate.ts";
import { coversByName, decisionScopesOf, expiresAtOf, gateScopeOf, kindOf } from "../goal/todo-traits.ts";
import { parseAgentId, type TodoId } from "../id.ts";
import type { Instant } from "../instant.ts";
import type { Situation } from "./asking.ts";

type Asking = Pick<Situation, "state" | "request" | "now">;

/** (G1) */
export function coveringGate(asking: Asking, todo: TodoRecord): TodoRecord | null {
  return standingGates(asking).find((gate) => covers(gate, { todo, agent: asking.request.agent })) ?? null;
}

function standingGates({ state, now }: Asking): readonly TodoRecord[] {
  return state.frontier.gates.filter((gate) => !isLapsed(gate, now));
}

/** (G3) */
export function isLapsed(gate: TodoRecord, now: Instant): boolean {
  const until = gate.metadata["default_outcome"] === "approve" ? expiresAtOf(gate) : null;
  return until !== null && until <= now;
}

/** What the todo still waits for, in the order of its ids (G3). */
export function awaitedBy({ state, now }: Asking, { waits_for = [] }: TodoRecord): readonly TodoId[] {
  if (waits_for.length === 0) return waits_for;
  const lapsed = new Set(state.frontier.gates.filter((gate) => isLapsed(gate, now)).map((gate) => gate.todo_id));
  return waits_for.filter((id) => !lapsed.has(id));
}

function covers(gate: TodoRecord, { todo, agent }: { readonly todo: TodoRecord; readonly agent: string | null }): boolean {
  const scope = gateScopeOf(gate);
  switch (scope.kind) {
    case "todos":
      return coversByName(gate).includes(todo.todo_id);
    case "agents":
      return agent !== null && scope.agents.some((named) => named === agent);
    case "decision":
      return decisionScopesOf(todo).some((needed) => scopeCovers(scope.scope, needed));
    case "goal":
      return kindOf(todo) !== "monitor"; // (G2)
  }
}

/** Gates that hold up work the agent could have. */
export function concerningGates(asking: Asking): readonly TodoRecord[] {
  const { state, request } = asking;
  const near = [...state.frontier.work, ...state.frontier.waiting];
  return standingGates(asking).filter((gate) => {
    const scope = gateScopeOf(gate);
    if (scope.kind === "goal") return true;
    if (scope.kind === "agents") return request.agent === null || scope.agents.some((named) => named === request.agent);
    return near.some((todo) => covers(gate, { todo, agent: request.agent }));
  });
}

/**
 * Gates the person should hear of: also one that holds up nothing by itself, but says why the goal pauses; none whose time is up,
 * since its answer stands (G3).
 */
export function gatesToTell(asking: Asking): readonly TodoRecord[] {
  const holding = concerningGates(asking);
  const open = standingGates(asking).filter((gate) => defaultAnswer(gate, asking.now) === null);
  return open.filter((gate) => holding.includes(gate) || isQuotaGate(gate));
}

/** Open gates that say nothing about whether all is done for who asks: what they hold up is still to be done itself, or is others'. */
export function idleGates({ state, request, now }: Asking): readonly TodoRecord[] {
  return state.frontier.gates.filter((gate) => isLapsed(gate, now) || isQuotaGate(gate) || !isAbout(gate, request.agent));
}

function isAbout(gate: TodoRecord, agent: Asking["request"]["agent"]): boolean {
  const scope = gateScopeOf(gate);
  return scope.kind === "goal" || (scope.kind === "agents" && (agent === null || scope.agents.includes(agent)));
}

/** User actions that are for this agent's work, or for anybody's. */
export function concerningActions({ state, request }: Pick<Asking, "state" | "request">): readonly TodoRecord[] {
  return state.frontier.actions.filter(({ metadata }) => {
    const bound = parseAgentId(metadata["bound_agent"] ?? "");
    return bound === null || request.agent === null || bound === request.agent;
  });
}
