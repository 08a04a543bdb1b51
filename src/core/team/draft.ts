/** A team while one step is made: what changes, what is ordered and what is noted. */
import type { WorkerOrder } from "../host/worker-protocol.ts";
import type { AgentId } from "../id.ts";
import { addMilliseconds, type Instant } from "../instant.ts";
import type { TeamSettings } from "./settings.ts";
import type { Around, Attention, CoolDown, Step, Team, TeamNote, TeamOrder } from "./team.ts";
import type { After, Ended, Worker } from "./worker.ts";

export class TeamDraft {
  readonly around: Around;
  readonly settings: TeamSettings;
  readonly #workers: Worker[];
  readonly #orders: TeamOrder[] = [];
  readonly #notes: TeamNote[] = [];
  #attention: readonly Attention[];
  mode: Team["mode"];
  cool_down: CoolDown | null;
  setbacks: readonly Instant[];
  breaker: Team["breaker"];

  constructor(team: Team, around: Around) {
    this.around = around;
    this.settings = team.settings;
    this.#workers = [...team.workers];
    this.#attention = team.attention;
    this.mode = team.mode;
    this.cool_down = team.cool_down;
    this.setbacks = team.setbacks;
    this.breaker = team.breaker;
  }

  /** As they are now; a copy, so that it may be walked through while they change. */
  get workers(): readonly Worker[] {
    return [...this.#workers];
  }

  worker(agentId: AgentId): Worker {
    const found = this.#workers.find(({ agent_id }) => agent_id === agentId);
    if (found === undefined) throw new Error(`the team has no ${agentId}`);
    return found;
  }

  put(worker: Worker): void {
    const index = this.#workers.findIndex(({ agent_id }) => agent_id === worker.agent_id);
    this.#workers[index] = worker;
  }

  order(order: TeamOrder): void {
    this.#orders.push(order);
  }

  tell(agent_id: AgentId, order: WorkerOrder): void {
    this.order({ do: "tell", agent_id, order });
  }

  note(event: string, agent_id: AgentId | null, facts: Readonly<Record<string, unknown>> = {}): void {
    this.#notes.push({ ...facts, event, at: this.around.now, agent_id });
  }

  end(worker: Worker, ended: Omit<Ended, "kind" | "at">): void {
    this.note("ended", worker.agent_id, ended);
    this.put({ ...worker, phase: { kind: "ended", at: this.around.now, ...ended } });
  }

  /** Tells a worker that has a process to end now. */
  endNow(worker: Worker, pid: number, after: After): void {
    const kill_at = addMilliseconds(this.around.now, this.settings.stop_ms);
    this.tell(worker.agent_id, { do: "stop" });
    this.put({ ...worker, phase: { kind: "ending", pid, kill_at, after } });
  }

  ask(attention: Omit<Attention, "at">): void {
    const { agent_id, ...facts } = attention;
    this.note("attention", agent_id, facts);
    this.#attention = [...this.#attention.filter((each) => each.agent_id !== agent_id), { at: this.around.now, ...attention }];
  }

  /** Nothing is asked about this agent any more. */
  settle(agentId: AgentId): void {
    this.#attention = this.#attention.filter(({ agent_id }) => agent_id !== agentId);
  }

  /** One by one after the cool-down; null: there is none. */
  releaseOf({ agent_id }: Worker): Instant | null {
    if (this.cool_down === null) return null;
    const rank = this.#workers.findIndex((each) => each.agent_id === agent_id);
    return addMilliseconds(this.cool_down.until, rank * RAMP_STEPS * this.settings.stagger_ms);
  }

  step(): Step {
    const { settings, mode, cool_down, setbacks, breaker } = this;
    const team = { settings, workers: this.#workers, mode, cool_down, setbacks, breaker, attention: this.#attention };
    return { team, orders: this.#orders, notes: this.#notes };
  }
}

/** After a limit the first ones show whether it is over before the others go on. */
const RAMP_STEPS = 8;
