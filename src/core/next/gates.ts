/**
 * Which open gates concern an agent or hold up a todo.
 *
 * G1  A gate that names todos holds up those; one that names agents holds up their work; one with a decision scope holds up
 *     what requires it; only one that names nothing, or says `global_gate`, holds up the whole goal.
 * G2  A monitor only looks: a gate about the whole goal does not stop it.
 */
import type { TodoRecord } from "../events.ts";
import { scopeCovers } from "../goal/decision-scope.ts";
import { coversByName, decisionScopesOf, gateScopeOf, kindOf } from "../goal/todo-traits.ts";
import { parseAgentId } from "../id.ts";
import type { Situation } from "./asking.ts";

type Asking = Pick<Situation, "state" | "request">;

/** (G1) */
export function coveringGate({ state, request }: Asking, todo: TodoRecord): TodoRecord | null {
  return state.frontier.gates.find((gate) => covers(gate, { todo, agent: request.agent })) ?? null;
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

/** Gates the agent should tell about: those that hold up work it could have. */
export function concerningGates({ state, request }: Asking): readonly TodoRecord[] {
  const near = [...state.frontier.work, ...state.frontier.waiting];
  return state.frontier.gates.filter((gate) => {
    const scope = gateScopeOf(gate);
    if (scope.kind === "goal") return true;
    if (scope.kind === "agents") return request.agent === null || scope.agents.some((named) => named === request.agent);
    return near.some((todo) => covers(gate, { todo, agent: request.agent }));
  });
}

/** User actions that are for this agent's work, or for anybody's. */
export function concerningActions({ state, request }: Asking): readonly TodoRecord[] {
  return state.frontier.actions.filter(({ metadata }) => {
    const bound = parseAgentId(metadata["bound_agent"] ?? "");
    return bound === null || request.agent === null || bound === request.agent;
  });
}
