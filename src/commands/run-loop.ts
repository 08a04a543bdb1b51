/**
 * An agent's turns one after another: ask what to do, do it, ask again; wait where nothing can be done.
 *
 * Does not own: one turn (`run-turn.ts`), what is told to whom (the surface), the team (the supervisor).
 *
 * L1  Turns that were cut off come to their end before a new one begins.
 * L2  What the host could not do (nothing to run, no check) is passed over until something changes; other work goes on.
 * L3  What only a person can put right, and holds for whatever else there is to do, ends the run; one that time puts right is waited for.
 * L4  Deciding and waiting write nothing.
 * L5  Each end of a turn is told once it is stored, and taken for told only when the one who was told says so.
 */

import { fullJitter } from "../core/host/backoff.ts";
import { reactionTo } from "../core/host/failure.ts";
import type { TurnRecord } from "../core/host/turn-record.ts";
import type { WorkerFact } from "../core/host/worker-protocol.ts";
import type { AgentId } from "../core/id.ts";
import { addMilliseconds, type Instant } from "../core/instant.ts";
import type { Act, Decision } from "../core/next/decision.ts";
import type { BadInput, Refusal, Reply } from "../core/result.ts";
import { outwardOf } from "../errors.ts";
import { bestCandidate, type Candidate } from "./best-goal.ts";
import { placesOf } from "./goal-places.ts";
import { everyGoal, type RegistryRows, registryRows } from "./registry-rows.ts";
import { resumeTurns } from "./resume-turns.ts";
import {
  endOf,
  FIXES,
  idleEnd,
  isBackOff,
  isHostFailure,
  type PassedOver,
  plainEnd,
  type RunEnd,
  refusedOf,
  type WaitReason,
} from "./run-end.ts";
import { hostTurnOf, newTurnId, runTurn } from "./run-turn.ts";
import type { RunPorts, TurnSettings } from "./turn-ports.ts";
import { isOfTheRun, preflight } from "./turn-preflight.ts";
import { type Glimpse, glimpse, waitForChange } from "./wait-for-change.ts";
import type { WorkerOrders } from "./worker-orders.ts";
import type { WritingWorkspace } from "./workspace.ts";

export interface RunPlan {
  /** Null: every goal that the agent may act on. */
  readonly goals: ReadonlySet<string> | null;
  readonly agent: AgentId;
  /** Null: as many as there are. */
  readonly most_turns: number | null;
  /** How long nothing can be done before it ends; null: for ever. */
  readonly idle_exit_ms: number | null;
  readonly retry_host: boolean;
}

export interface RunLive {
  readonly ports: RunPorts;
  readonly settings: TurnSettings;
  readonly orders: WorkerOrders;
  /** (L5) */
  readonly tell: (fact: WorkerFact, turns: number, acknowledge: () => void) => Promise<void>;
}

const HOSTED: ReadonlySet<Act> = new Set<Act>(["run", "poll"]);
const MOST_WATCHED = 32;
const MOST_CONFLICTS = 20;

/** One execution of one agent. */
export class AgentRun {
  readonly #workspace: WritingWorkspace;
  readonly #plan: RunPlan;
  readonly #live: RunLive;
  readonly #passed = new Map<string, PassedOver>();
  #turns = 0;
  /** Of those, the ones that another execution had begun. */
  #resumed = 0;
  #idleSince: number | null = null;
  #failures: { readonly kind: string; readonly count: number } = { kind: "", count: 0 };
  #notBefore: Instant | null = null;
  #lastWait = "";
  #conflicts = 0;

  constructor(workspace: WritingWorkspace, plan: RunPlan, live: RunLive) {
    this.#workspace = workspace;
    this.#plan = plan;
    this.#live = live;
  }

  get turns(): number {
    return this.#turns;
  }

  async run(): Promise<RunEnd> {
    const resumed = await this.#resume();
    if (resumed !== null) return resumed;
    for (;;) {
      const ended = this.#endBetweenTurns() ?? (await this.#step());
      if (ended !== null) return ended;
    }
  }

  /** L1. */
  async #resume(): Promise<RunEnd | null> {
    const rows = await registryRows(this.#workspace);
    if (rows.kind !== "done") return endOf("fatal", rows);
    const { agent, goals, retry_host } = this.#plan;
    for await (const registered of everyGoal(rows.value)) {
      if (goals?.has(registered.goal.goal_id) === false) continue;
      const running = { ...this.#live, signal: this.#live.orders.stopped, tell: () => {} };
      const records = await resumeTurns(this.#workspace, registered, { running, rows: rows.value, agent, retry_host });
      for (const record of records) await this.#told(record);
    }
    this.#resumed = this.#turns;
    return null;
  }

  #endBetweenTurns(): RunEnd | null {
    const { end } = this.#live.orders;
    if (end === "stop") return plainEnd("stopped", "It was told to stop.");
    if (end === "drain") return plainEnd("drained", "It was told to begin no other turn.");
    const { most_turns } = this.#plan;
    const taken = this.#turns - this.#resumed;
    return most_turns !== null && taken >= most_turns ? plainEnd("turns_done", `${taken} of ${most_turns} turns taken.`) : null;
  }

  async #step(): Promise<RunEnd | null> {
    const held = this.#held();
    if (held !== null) return await this.#wait(await glimpse(this.#workspace, []), held);
    if (this.#lastWait === "") await this.#say({ event: "deciding" });
    const rows = await registryRows(this.#workspace);
    if (rows.kind !== "done") return endOf("fatal", rows);
    const since = await glimpse(this.#workspace, await this.#watchedFiles(rows.value));
    const found = await this.#ask(rows.value);
    if (found.kind !== "done") return endOf("fatal", found);
    const { decision } = found.value;
    const { todo } = decision;
    if (todo !== null && !this.#passed.has(todo.todo_id)) {
      if (HOSTED.has(decision.act)) return await this.#take(rows.value, found.value);
      if (decision.why === "stalled") return this.#passOver(todo.todo_id, { no: needsPlan(decision), by: "standing" }); // (L2)
    }
    return await this.#wait(since, { until: decision.wait?.until ?? null, why: decision.why, message: decision.because });
  }

  #held(): WaitReason | null {
    const now = this.#workspace.clock.now();
    const held = this.#live.orders.heldAt(now);
    if (held !== null) return { until: held.until, why: "held", message: "It was told to hold on." };
    if (this.#notBefore === null || this.#notBefore <= now) return null;
    return { until: this.#notBefore, why: "back_off", message: "The last turn failed." };
  }

  async #watchedFiles(rows: RegistryRows): Promise<readonly string[]> {
    const files = [rows.path];
    for await (const { goal } of everyGoal(rows)) {
      if (this.#plan.goals?.has(goal.goal_id) === false) continue;
      const { state_file } = placesOf(this.#workspace, goal);
      if (state_file !== null) files.push(state_file);
      if (files.length >= MOST_WATCHED) break;
    }
    return files;
  }

  async #ask(rows: RegistryRows): Promise<Reply<Candidate>> {
    const { agent, goals } = this.#plan;
    const { instance, capabilities } = this.#live.settings;
    const request = { goalId: null, agentId: agent, turnInstanceId: null, instance, capabilities, seen: null };
    return await bestCandidate(this.#workspace, rows, { request, goals, passes_over: new Set(this.#passed.keys()) });
  }

  async #take(rows: RegistryRows, { registered, decision }: Candidate): Promise<RunEnd | null> {
    const { todo, act } = decision;
    if (todo === null) return null;
    const { ports, settings, orders } = this.#live;
    const turn_id = newTurnId(this.#workspace);
    const about = { rows, registered, agent: this.#plan.agent, todo, turn_id, act: act === "poll" ? act : "run" } as const;
    const turn = hostTurnOf(this.#workspace, this.#live, about);
    const flaw = preflight(ports, settings, { todo, act: about.act, turn });
    if (flaw.kind !== "done")
      return isOfTheRun(flaw, settings) ? endOf("fatal", flaw) : this.#passOver(todo.todo_id, { no: flaw, by: "preflight" }); // (L3)
    this.#idleSince = null;
    this.#lastWait = "";
    const tells: Promise<void>[] = [];
    const tell = (event: "claimed" | "turn_started", { goal_id, todo_id, text }: TurnRecord, epoch: number): void => {
      const named = { goal_id, todo_id, turn_id };
      tells.push(this.#say(event === "claimed" ? { event, ...named, text, epoch } : { event, ...named }));
    };
    const ended = await runTurn(this.#workspace, about, { ports, settings, signal: orders.stopped, tell });
    await Promise.all(tells);
    if (ended.kind !== "done") return this.#notClaimed(todo.todo_id, ended);
    this.#conflicts = 0;
    await this.#told(ended.value);
    return this.#react(ended.value);
  }

  /** L2. */
  #passOver(todoId: string, passed: PassedOver): null {
    this.#passed.set(todoId, passed);
    return null;
  }

  /** Somebody was faster, or the todo changed: what there is to do is asked anew. */
  #notClaimed(todoId: string, no: Refusal | BadInput): null {
    this.#conflicts += 1;
    if (!outwardOf(no).retry || this.#conflicts > MOST_CONFLICTS) this.#passOver(todoId, { no, by: "standing" });
    return null;
  }

  /** L5. */
  async #told(record: TurnRecord): Promise<void> {
    if (record.phase.kind !== "settled") return;
    const { goal_id, todo_id, turn_id } = record;
    const { settled } = record.phase;
    const { end: outcome, summary, usage, failure } = settled;
    const named = { goal_id, todo_id, turn_id };
    this.#turns += 1;
    const fact: WorkerFact =
      failure === null
        ? { event: "turn_settled", ...named, outcome, summary, usage }
        : { event: "turn_failed", ...named, failure, usage };
    await this.#live.tell(fact, this.#turns, () => this.#live.ports.records.remove(record));
  }

  /** L3. */
  #react({ todo_id, phase }: TurnRecord): RunEnd | null {
    if (phase.kind !== "settled") return null;
    const { failure, end, until } = phase.settled;
    if (end === "wait" && until === null)
      this.#passOver(todo_id, {
        no: { kind: "refusal", code: "waits", message: phase.settled.summary },
        by: "standing",
      });
    const kind = failure?.kind ?? "";
    const count = kind === this.#failures.kind ? this.#failures.count + 1 : 1;
    this.#failures = { kind, count };
    if (failure === null || !isHostFailure(kind)) return null;
    const { retry, ask, cool_down, backoff } = reactionTo(kind, count - 1);
    if (kind === "rate_limited") return { ...plainEnd("rate_limited", failure.message), code: kind, until };
    if (ask === "person" && cool_down === "team")
      return { ...plainEnd("fatal", failure.message), code: kind, fix: FIXES[kind] ?? null };
    if (retry !== "after_backoff") return null;
    const wait = fullJitter(backoff, count - 1, this.#live.ports.random);
    this.#notBefore = addMilliseconds(this.#workspace.clock.now(), wait);
    return null;
  }

  async #wait(since: Glimpse, reason: WaitReason): Promise<RunEnd | null> {
    const { scheduler } = this.#live.ports;
    const passed = [...this.#passed.values()];
    const backsOff = isBackOff(reason);
    if (!backsOff) this.#idleSince ??= scheduler.elapsed();
    const give_up_ms = this.#giveUpAfter(backsOff);
    if (give_up_ms !== null && give_up_ms <= 0) return idleEnd(reason, passed);
    await this.#tellWaiting(reason, backsOff ? null : refusedOf(passed));
    const woken = await waitForChange(this.#workspace, {
      since,
      until: reason.until,
      give_up_ms,
      orders: this.#live.orders,
      scheduler,
    });
    if (woken === "idle_limit") return idleEnd(reason, passed);
    this.#passed.clear();
    return null;
  }

  async #say(fact: WorkerFact): Promise<void> {
    await this.#live.tell(fact, this.#turns, () => {});
  }

  #giveUpAfter(backsOff: boolean): number | null {
    const { idle_exit_ms } = this.#plan;
    if (idle_exit_ms === null || backsOff) return null;
    return idle_exit_ms - (this.#live.ports.scheduler.elapsed() - (this.#idleSince ?? 0));
  }

  async #tellWaiting({ until, ...reason }: WaitReason, refused: PassedOver["no"] | null): Promise<void> {
    const why = refused?.code ?? reason.why;
    const told = `${why} ${until === null ? "" : until.slice(0, 16)}`;
    if (told === this.#lastWait) return;
    this.#lastWait = told;
    const said = { why, ...(refused !== null && { message: refused.message }) };
    await this.#say(until === null ? { event: "idle", ...said } : { event: "waiting", until, ...said });
  }
}

function needsPlan({ because }: Decision): Refusal {
  return { kind: "refusal", code: "stalled", message: because };
}
