/**
 * Runs a team until it is over: events of processes, of people and of the clock into the step, its orders out to processes.
 *
 * Does not own: what follows from an event (`core/team/supervise.ts`), whether the team may be launched at all (`launch.ts`).
 *
 * T1  One event at a time, in the order in which they come; what a step orders is carried out before the next one.
 * T2  What a worker that has ended left running is ended before there is another one, and before the team is over.
 * T3  Records are written when they changed. What cannot be written is told, and ends nothing: the work is in the store.
 * T4  The clock of a team runs steadily: setting the machine's clock neither hurries nor stops it.
 */
import type { Environment } from "../core/host/turn-env.ts";
import type { AgentId } from "../core/id.ts";
import { addMilliseconds, type Instant, millisecondsBetween } from "../core/instant.ts";
import { type LaunchSpec, type Places, workerArguments } from "../core/team/launch-spec.ts";
import { type AgentRecord, agentRecord, type SessionRecord, sessionRecord } from "../core/team/records.ts";
import { teamSettings } from "../core/team/settings.ts";
import { superviseStep } from "../core/team/supervise.ts";
import {
  isOver,
  newTeam,
  nextInstant,
  outcomeOf,
  type Team,
  type TeamEvent,
  type TeamNote,
  type TeamOrder,
} from "../core/team/team.ts";
import { TEAM_EXITS } from "../errors.ts";
import type { TeamAudience, TeamEnding, TeamSignal, TeamView } from "./launch-words.ts";
import type { TeamPorts } from "./team-ports.ts";

export interface TeamLaunch {
  readonly spec: LaunchSpec;
  readonly places: Places;
  readonly version: string;
  /** Of the person, to which the marks of the team are added. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly marker: string;
  readonly now: Instant;
  /** Why no goal may have one more running task. */
  readonly bar: () => Promise<string | null>;
}

const LONGEST_TIMER_MS = 60_000;
const SWEEP_GRACE_MS = 2000;

export async function runTeam(ports: TeamPorts, launch: TeamLaunch, audience: TeamAudience): Promise<TeamEnding> {
  return await new TeamRun(ports, launch, audience).untilOver();
}

class TeamRun {
  readonly #ports: TeamPorts;
  readonly #launch: TeamLaunch;
  readonly #audience: TeamAudience;
  readonly #begun: number;
  readonly #workers = new Map<AgentId, ReturnType<TeamPorts["workers"]["start"]>>();
  readonly #records = new Map<AgentId, AgentRecord>();
  #session: SessionRecord;
  #team: Team;
  #written = new Map<string, string>();
  #queue: Promise<void> = Promise.resolve();
  #cancelTimer: () => void = () => undefined;
  #signal: TeamSignal | null = null;
  #flaw: string | null = null;
  #over: () => void = () => undefined;
  #broken: (error: unknown) => void = () => undefined;

  constructor(ports: TeamPorts, launch: TeamLaunch, audience: TeamAudience) {
    this.#ports = ports;
    this.#launch = launch;
    this.#audience = audience;
    this.#begun = ports.scheduler.elapsed();
    const around = { now: launch.now, random: ports.random };
    this.#team = newTeam(launch.spec.agents, teamSettings(launch.spec), around);
    this.#session = sessionRecord(this.#standing(), this.#team);
  }

  async untilOver(): Promise<TeamEnding> {
    const { folder } = this.#ports;
    folder.removeAgents(this.#launch.spec.agents);
    const over = new Promise<void>((resolve, reject) => {
      this.#over = resolve;
      this.#broken = reject;
    });
    const deaf = [folder.onOrder((order) => this.#onOrder(order)), this.#audience.onSignal((signal) => this.#onSignal(signal))];
    try {
      this.#keep([{ event: "launched", at: this.#now(), agent_id: null, pid: this.#session.pid }]);
      this.#happen({ kind: "tick" });
      await over;
      return await this.#end();
    } finally {
      for (const end of deaf) end();
      this.#cancelTimer();
    }
  }

  #onOrder(order: Parameters<Parameters<TeamPorts["folder"]["onOrder"]>[0]>[0]): void {
    if (order.do !== "wake") {
      this.#happen({ kind: "asked", what: order.do });
      return;
    }
    const agent = this.#launch.spec.agents.find((id) => id === order.agent_id);
    if (order.agent_id === null || agent !== undefined) this.#happen({ kind: "wake", agent_id: agent ?? null });
  }

  #onSignal(signal: TeamSignal): void {
    this.#signal ??= signal;
    this.#happen({ kind: "asked", what: "drain" });
  }

  /** T1. */
  #happen(event: TeamEvent): void {
    this.#queue = this.#queue.then(() => this.#carryOut(event)).catch((error: unknown) => this.#broken(error));
  }

  async #carryOut(event: TeamEvent): Promise<void> {
    if (event.kind === "ended") await this.#sweep(event.agent_id); // (T2)
    const bar = this.#isSomebodyDue() ? await this.#launch.bar() : null;
    const { random, load } = this.#ports;
    const around = { now: this.#now(), random, load: load().per_core, bar: () => bar };
    const step = superviseStep(this.#team, event, around);
    this.#team = step.team;
    for (const order of step.orders) this.#obey(order);
    this.#keep(step.notes);
    if (isOver(this.#team)) this.#over();
    else this.#setTimer();
  }

  #isSomebodyDue(): boolean {
    const now = this.#now();
    return this.#team.workers.some(({ phase }) => phase.kind === "due" && phase.at <= now);
  }

  /** T4. */
  #now(): Instant {
    return addMilliseconds(this.#launch.now, Math.round(this.#ports.scheduler.elapsed() - this.#begun));
  }

  #setTimer(): void {
    this.#cancelTimer();
    const next = nextInstant(this.#team);
    if (next === null) return;
    const wait = Math.min(LONGEST_TIMER_MS, Math.max(1, millisecondsBetween(this.#now(), next)));
    this.#cancelTimer = this.#ports.scheduler.after(wait, () => this.#happen({ kind: "tick" }));
  }

  #obey(order: TeamOrder): void {
    if (order.do === "spawn") this.#spawn(order.agent_id);
    else if (order.do === "tell") this.#workers.get(order.agent_id)?.tell(order.order);
    else this.#workers.get(order.agent_id)?.kill();
  }

  #spawn(agent_id: AgentId): void {
    const { spec, places, cwd } = this.#launch;
    const { folder, workers, program } = this.#ports;
    const taken = this.#team.workers.find((worker) => worker.agent_id === agent_id)?.turns ?? 0;
    const turns_left = spec.max_turns === null ? null : Math.max(0, spec.max_turns - taken);
    const args = workerArguments(spec, { ...places, agent_id, log_folder: folder.log_folder, turns_left });
    const argv = [...program, ...args] as const;
    const handle = workers.start(
      { argv, cwd, env: this.#envOf(agent_id), log_path: `${folder.logFolder(agent_id)}/worker.log` },
      {
        started: (pid) => this.#happen({ kind: "started", agent_id, pid }),
        report: (report) => this.#happen({ kind: "report", agent_id, report }),
        ended: (end) => this.#happen({ kind: "ended", agent_id, end }),
      },
    );
    this.#workers.set(agent_id, handle);
  }

  #envOf(agent_id: AgentId): Environment {
    const { LOOPX_TURN_ID: _, LOOPX_TODO_ID: __, ...rest } = this.#launch.env;
    const inherited = Object.entries(rest).filter((entry): entry is [string, string] => entry[1] !== undefined);
    return { ...Object.fromEntries(inherited), ...this.#marks(agent_id) };
  }

  #marks(agent_id: AgentId): Environment {
    return { LOOPX_SESSION_MARKER: this.#launch.marker, LOOPX_AGENT_ID: agent_id };
  }

  async #sweep(agent_id: AgentId): Promise<void> {
    await this.#ports.processes.sweep(this.#marks(agent_id), SWEEP_GRACE_MS);
  }

  async #end(): Promise<TeamEnding> {
    const swept = await this.#ports.processes.sweep({ LOOPX_SESSION_MARKER: this.#launch.marker }, SWEEP_GRACE_MS); // (T2)
    const outcome = this.#signal ?? outcomeOf(this.#team);
    const exit = TEAM_EXITS[outcome];
    const at = this.#now();
    this.#session = { ...this.#session, status: "ended", ended_at: at, outcome, exit };
    this.#keep([{ event: "over", at, agent_id: null, outcome, exit, ...(swept > 0 && { swept }) }], "ended");
    return { ...this.#view(), outcome };
  }

  /** T3. */
  #keep(notes: readonly TeamNote[], session: "runs" | "ended" = "runs"): void {
    const { folder } = this.#ports;
    if (session === "runs") this.#session = sessionRecord(this.#standing(), this.#team);
    for (const worker of this.#team.workers) {
      const record = agentRecord(worker, this.#records.get(worker.agent_id) ?? null, this.#now());
      this.#records.set(worker.agent_id, record);
      this.#write(record.agent_id, record, () => folder.writeAgent(record));
    }
    this.#write("", this.#session, () => folder.writeSession(this.#session));
    for (const note of notes) this.#tellFlaw(folder.append(note));
    if (notes.length > 0) this.#audience.onChange(this.#view(), notes);
  }

  #write(key: string, record: object, write: () => { readonly message: string } | null): void {
    const text = JSON.stringify(record);
    if (this.#written.get(key) === text) return;
    this.#written.set(key, text);
    this.#tellFlaw(write());
  }

  #tellFlaw(problem: { readonly message: string } | null): void {
    if (problem === null || this.#flaw === problem.message) return;
    this.#flaw = problem.message;
    this.#ports.log.write("warn", "team.record_unwritable", { ...problem });
  }

  #view(): TeamView {
    const agents = this.#launch.spec.agents.flatMap((id) => this.#records.get(id) ?? []);
    return { session: this.#session, agents, load: this.#ports.load().per_core };
  }

  #standing(): Parameters<typeof sessionRecord>[0] {
    const { spec, places, version, marker, now } = this.#launch;
    return { session: spec.session, version, marker, started_at: now, ...places, ...this.#ports.identities.self(), spec };
  }
}
