/** What everybody in a simulated world sees and shares. */
import type { GoalState } from "../goal/head.ts";
import { type AgentId, parseTodoId, parseTurnId, type TodoId, type TurnId } from "../id.ts";
import type { DeclaredGoal } from "../registry/registry.ts";
import type { SimClock } from "./clock.ts";
import type { Random } from "./random.ts";
import type { SimAnswer, SimRequest } from "./request.ts";

/** What stands in the registry; people change it without asking. */
export interface Terms {
  goal: DeclaredGoal;
  readonly ttl_ms: number;
  /** Of a frontier; small ones are read on more often. */
  readonly page: number;
}

export interface Surroundings {
  readonly random: Random;
  readonly clock: SimClock;
  readonly terms: Terms;
  readonly agents: readonly AgentId[];
  readonly names: Names;
  /** The goal as its journal tells it. */
  readonly goal: () => GoalState;
  /** Sends it later, whatever has become of the sender; nobody hears the answer. */
  readonly post: (after_ms: number, request: SimRequest) => void;
}

export interface Actor {
  /** When it does something next, in real milliseconds. */
  wakes_at: number;
  /** Null: nothing that the goal is asked. */
  act(): SimRequest | null;
  hear(answer: SimAnswer, request: SimRequest): void;
}

/** Names in order, so that the same seed gives the same ones. */
export class Names {
  #todos = 0;
  #turns = 0;

  todo(): TodoId {
    this.#todos += 1;
    return parseTodoId(`todo_${String(this.#todos).padStart(4, "0")}`) as TodoId;
  }

  turn(): TurnId {
    this.#turns += 1;
    return parseTurnId(`t${this.#turns}`) as TurnId;
  }
}
