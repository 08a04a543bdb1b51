/** What a simulation answers: what happened in it, and the first law that was broken. */
import type { GoalEvent } from "../events.ts";
import type { SimRequest } from "./request.ts";
import { wordsOf } from "./request.ts";
import { replayLine, type SimSettings } from "./settings.ts";
import type { Flaw, Step } from "./step.ts";

export interface SimPayload {
  readonly ok: boolean;
  readonly code?: "simulation_failed";
  readonly message?: string;
  /** The line that makes the same world again. */
  readonly fix: string;
  readonly seed: number;
  readonly agents: number;
  readonly hours: number;
  readonly todos: number;
  readonly commands: number;
  readonly turns: number;
  readonly todos_done: number;
  readonly events: number;
  readonly failed_commits: number;
  readonly replays: number;
  readonly answers: Readonly<Record<string, number>>;
  readonly refusals: Readonly<Record<string, number>>;
  readonly simulated_hours: number;
  readonly seconds: number;
  readonly commands_per_second: number;
  readonly failure: SimFailure | null;
}

export interface SimFailure {
  readonly step: number;
  readonly invariant: string;
  readonly message: string;
  /** Oldest first. */
  readonly last_commands: readonly string[];
}

const LAST = 12;

export class Report {
  #turns = 0;
  #done = 0;
  #events = 0;
  #failed = 0;
  #replays = 0;
  #steps = 0;
  readonly #answers = new Map<string, number>();
  readonly #refusals = new Map<string, number>();
  readonly #last: string[] = [];

  get steps(): number {
    return this.#steps;
  }

  note(step: Step): void {
    this.#steps += 1;
    this.#events += step.events.length;
    if (step.failed) this.#failed += 1;
    if (step.replayed) this.#replays += 1;
    if (step.decided !== null) add(this.#answers, step.decided.decision.why);
    if (step.refused !== null) add(this.#refusals, step.refused);
    for (const event of step.events) this.#count(event);
    this.#last.push(lineOf(step));
    if (this.#last.length > LAST) this.#last.shift();
  }

  #count({ type, data }: GoalEvent): void {
    if (type === "turn.written") this.#turns += 1;
    if (type === "todo.closed" && "outcome" in data && data.outcome === "done") this.#done += 1;
  }

  payload(settings: SimSettings, { passed, seconds, flaw }: Ended): SimPayload {
    const failure = flaw === null ? null : { step: this.#steps, ...flaw, last_commands: [...this.#last] };
    const failed = failure === null ? null : { code: "simulation_failed" as const, message: messageOf(failure) };
    return {
      ok: failure === null,
      ...failed,
      fix: replayLine(settings),
      ...settings,
      commands: this.#steps,
      turns: this.#turns,
      todos_done: this.#done,
      events: this.#events,
      failed_commits: this.#failed,
      replays: this.#replays,
      answers: inOrder(this.#answers),
      refusals: inOrder(this.#refusals),
      simulated_hours: Math.round((passed / 3_600_000) * 10) / 10,
      seconds: Math.round(seconds * 1000) / 1000,
      commands_per_second: Math.round(this.#steps / Math.max(seconds, 0.001)),
      failure,
    };
  }
}

export interface Ended {
  /** Real milliseconds of the world. */
  readonly passed: number;
  /** Of this machine. */
  readonly seconds: number;
  readonly flaw: Flaw | null;
}

function messageOf({ step, invariant, message }: SimFailure): string {
  return `At step ${step} the law ${invariant} was broken: ${message}.`;
}

function add(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}

function inOrder(counts: ReadonlyMap<string, number>): Readonly<Record<string, number>> {
  return Object.fromEntries([...counts].sort(([a], [b]) => (a < b ? -1 : 1)));
}

function lineOf(step: Step): string {
  return `${step.number} ${step.wall} ${wordsOf(step.request)} → ${outcomeOf(step, step.request)}`;
}

function outcomeOf({ refused, failed, replayed, events, decided }: Step, request: SimRequest): string {
  if (failed) return "the commit failed";
  if (refused !== null) return `refused: ${refused}`;
  if (replayed) return "as before";
  const said =
    decided === null ? [] : [`${decided.decision.act} (${decided.decision.why}) ${decided.decision.todo?.todo_id ?? ""}`.trim()];
  const facts = request.kind === "next" ? [] : events.map(({ type }) => type);
  return [...said, ...facts].join(", ") || "nothing to do";
}
