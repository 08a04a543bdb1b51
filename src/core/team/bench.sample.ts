/** A team whose clock, luck and workers a test has in its hands. */
import type { WorkerFact } from "../host/worker-protocol.ts";
import type { AgentId } from "../id.ts";
import { addMilliseconds, type Instant, parseInstant } from "../instant.ts";
import { TEAM_SETTINGS, type TeamSettings } from "./settings.ts";
import { superviseStep } from "./supervise.ts";
import { newTeam, nextInstant, type Team, type TeamEvent, type TeamNote, type TeamOrder } from "./team.ts";

const START = parseInstant("2026-11-30T09:00:00Z") as Instant;
export const FAST: Partial<TeamSettings> = { backoff: { base_ms: 1000, max_ms: 8000 }, max_restarts: 3 };

export class Bench {
  team: Team;
  now = START;
  orders: TeamOrder[] = [];
  notes: TeamNote[] = [];
  load = 0;
  bar: string | null = null;
  luck = 0.5;
  #turns = new Map<string, number>();

  constructor(agents: number, settings: Partial<TeamSettings> = {}) {
    const ids = Array.from({ length: agents }, (_, at) => `agent-${at + 1}` as AgentId);
    this.team = newTeam(ids, { ...TEAM_SETTINGS, ...settings }, { now: START, random: () => this.luck });
    this.happen({ kind: "tick" });
  }

  happen(event: TeamEvent): void {
    const around = { now: this.now, random: () => this.luck, load: this.load, bar: () => this.bar };
    const step = superviseStep(this.team, event, around);
    this.team = step.team;
    this.orders.push(...step.orders);
    this.notes.push(...step.notes);
  }

  /** Time goes by, and the team is looked at whenever it said that it should be. */
  pass(milliseconds: number): void {
    const end = addMilliseconds(this.now, milliseconds);
    for (let looks = 0; looks < 1000; looks += 1) {
      const next = nextInstant(this.team);
      if (next === null || next > end) break;
      this.now = next > this.now ? next : addMilliseconds(this.now, 1);
      this.happen({ kind: "tick" });
    }
    this.now = end;
  }

  say(agent: number, fact: WorkerFact): void {
    const agent_id = id(agent);
    const ended = fact.event === "turn_settled" || fact.event === "turn_failed" ? 1 : 0;
    const turns = (this.#turns.get(agent_id) ?? 0) + ended;
    this.#turns.set(agent_id, turns);
    this.happen({ kind: "report", agent_id, report: { ...fact, at: this.now, turns } });
  }

  start(agent: number): void {
    this.#turns.set(id(agent), 0);
    this.happen({ kind: "started", agent_id: id(agent), pid: 100 + agent });
  }

  end(agent: number, code = 1): void {
    this.happen({ kind: "ended", agent_id: id(agent), end: { kind: "exited", code } });
  }

  startAll(): void {
    this.pass(TEAM_SETTINGS.stagger_ms * this.team.workers.length);
    for (let agent = 1; agent <= this.team.workers.length; agent += 1) this.start(agent);
    this.orders = [];
    this.notes = [];
  }

  phase(agent: number): Team["workers"][number]["phase"] {
    return this.worker(agent).phase;
  }

  worker(agent: number): Team["workers"][number] {
    const found = this.team.workers[agent - 1];
    if (found === undefined) throw new Error("no such agent");
    return found;
  }

  told(agent: number): readonly object[] {
    return this.orders.flatMap((order) => (order.do === "tell" && order.agent_id === id(agent) ? [order.order] : []));
  }

  did(what: TeamOrder["do"]): readonly string[] {
    return this.orders.filter((order) => order.do === what).map(({ agent_id }) => agent_id);
  }

  noted(event: string): readonly TeamNote[] {
    return this.notes.filter((note) => note.event === event);
  }
}

export function id(agent: number): AgentId {
  return `agent-${agent}` as AgentId;
}
