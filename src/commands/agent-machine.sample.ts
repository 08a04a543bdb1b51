/** A machine on which agents run: real use cases over a store in memory, a scripted host, and kills at any call of a port. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { World } from "../../test/fakes/workspace.ts";
import { commandHost } from "../adapters/agents/command-host.ts";
import { fileTurnRecords } from "../adapters/agents/turn-records.ts";
import type { GoalEvent } from "../core/events.ts";
import type { NotStarted } from "../core/host/process-end.ts";
import { turnResultText } from "../core/host/result-text.ts";
import type { TurnResult } from "../core/host/turn-result.ts";
import type { WorkerFact } from "../core/host/worker-protocol.ts";
import { type AgentId, type GoalId, parseAgentId, parseTurnId } from "../core/id.ts";
import type { ReadResult, TurnPlaces } from "../ports/agent-host.ts";
import type { CommandRunner } from "../ports/command-runner.ts";
import type { GroupRun } from "../ports/process.ts";
import type { RunEnd } from "./run-end.ts";
import { AgentRun, type RunPlan } from "./run-loop.ts";
import { handScheduler } from "./scheduler.sample.ts";
import type { RunPorts, TurnSettings } from "./turn-ports.ts";
import { WorkerOrders } from "./worker-orders.ts";
import type { MovingWorkspace } from "./workspace.ts";

export const ALPHA = "alpha" as GoalId;
const AGENT = parseAgentId("a1") as AgentId;
export const STATE = `# Alpha\n\n## User Todo\n\n## Agent Todo\n\n- [ ] [P1] Build it\n  <!-- loopx:todo todo_id=todo_one run=%5B%22build%22%5D validation_command=test%20-f%20out.txt -->\n`;
export const RAN: GroupRun = {
  kind: "ran",
  end: { kind: "exited", code: 0 },
  wall_ms: 7,
  dropped_bytes: 0,
  swept: 0,
  log_flaw: null,
};

export type HostScript = (
  turnId: string,
  submit: (result: TurnResult) => void,
) => Promise<GroupRun | NotStarted> | GroupRun | NotStarted;

/** One process after another over one store and one folder. */
export class Machine {
  readonly world: World;
  readonly orders = new WorkerOrders();
  readonly scheduler = handScheduler();
  readonly facts: WorkerFact[] = [];
  readonly results = new Map<string, string>();
  /** Turn ids of the hosts that were started. */
  readonly hosted: string[] = [];
  /** The environment of each check, and what was looked for to be ended. */
  readonly checked: Readonly<Record<string, string>>[] = [];
  readonly swept: Readonly<Record<string, string>>[] = [];
  script: HostScript = () => RAN;
  /** Lines of each host. */
  prints: readonly string[] = [];
  /** What comes with the check. */
  beside: () => void = () => {};
  /** Counted over ports; the process ends before or behind the call of that number. */
  killAt: { readonly call: number; readonly when: "before" | "behind" } | null = null;
  calls = 0;
  acknowledges = true;
  /** No process runs. */
  ended = true;
  random = (): number => 0;
  /** Processes that have not ended, beside the one that runs. */
  readonly alive = new Set<number>();
  #pid = 100;
  #plan: Partial<RunPlan> = {};
  #settings: Partial<TurnSettings> = {};

  constructor(world: World) {
    this.world = world;
  }

  with(settings: Partial<TurnSettings>, plan: Partial<RunPlan> = {}): this {
    this.#settings = settings;
    this.#plan = plan;
    return this;
  }

  /** What is looked for before a host starts. */
  found: Partial<Pick<TurnPlaces, "workspaceFlaw" | "findProgram">> = {};

  /** Another process. */
  async run(): Promise<RunEnd> {
    this.#pid += 1;
    const suffix = String(this.#pid);
    const ports = this.#ports(this.#pid);
    const settings: TurnSettings = {
      ...{ host: commandHost, run: null, validation: null, unvalidated: "refuse", workspace: null, limits: {}, ttl_ms: 60_000 },
      ...{ instance: `run-${suffix}`, session_marker: `run-${suffix}`, log_dir: null, capabilities: [] },
      ...this.#settings,
    };
    const plan: RunPlan = {
      goals: new Set([ALPHA]),
      agent: AGENT,
      most_turns: 1,
      idle_exit_ms: 0,
      retry_host: false,
      ...this.#plan,
    };
    const tell = async (fact: WorkerFact, _turns: number, acknowledge: () => void): Promise<void> => {
      this.facts.push(fact);
      if (this.acknowledges) acknowledge();
    };
    const workspace = this.#mortal(this.world.workspace);
    const store = this.#mortal(this.world.store);
    const checking = async () => ({ ...(await this.world.workspace.checking()), runner: this.#checks });
    const seen = { ...workspace, store, checking, writing: async () => seen } as MovingWorkspace;
    this.ended = false;
    try {
      return await new AgentRun(seen, plan, { ports, settings, orders: this.orders, tell }).run();
    } finally {
      this.ended = true;
    }
  }

  /** The one check there is: whether the host has built it. */
  readonly #checks: CommandRunner = {
    run: async ({ env }) => {
      this.checked.push(env);
      this.beside();
      return {
        kind: "exited",
        exit_code: existsSync(this.out()) ? 0 : 1,
        duration_ms: 1,
        output: { bytes: new Uint8Array(), total_bytes: 0, dropped_bytes: 0 },
      };
    },
  };

  #ports(pid: number): RunPorts {
    const records = fileTurnRecords({ runtime_root: this.world.workspace.roots.runtime_root });
    const places: TurnPlaces = {
      ...{ workspaceFlaw: () => null, findProgram: () => "found", prepareResult: () => undefined, writeResult: () => null },
      readResult: (path): ReadResult | null => {
        const text = this.results.get(path);
        return text === undefined ? null : { kind: "text", text };
      },
      discardResult: (path) => void this.results.delete(path),
      ...this.found,
    };
    return {
      hosts: { command: commandHost },
      records: this.#mortal(records),
      places: this.#mortal(places),
      identities: {
        self: () => ({ pid, started: "s", boot_id: "b" }),
        of: () => null,
        isAlive: (identity) => identity.pid === pid || this.alive.has(identity.pid),
      },
      scheduler: this.scheduler,
      processes: this.#mortal({
        run: async ({ env, onLine }) => {
          for (const line of this.prints) onLine({ text: line, cut: false }, "out");
          const turnId = env["LOOPX_TURN_ID"] ?? "";
          this.hosted.push(turnId);
          const turn = parseTurnId(turnId);
          if (turn === null) throw new Error("no turn");
          return await this.script(turnId, (result) =>
            this.results.set(env["LOOPX_TURN_RESULT_FILE"] ?? "", turnResultText(turn, result)),
          );
        },
        sweep: async (marks) => {
          this.swept.push(marks);
          return 0;
        },
      }),
      env: { PATH: "/bin" },
      random: this.random,
    };
  }

  /** Ends the process at the call that `killAt` names: nothing that comes after it happens. */
  #mortal<T extends object>(port: T): T {
    return new Proxy(port, {
      get: (target, name) => {
        const value: unknown = Reflect.get(target, name);
        if (typeof value !== "function" || !COUNTED.has(String(name))) return value;
        return (...args: unknown[]) => {
          this.calls += 1;
          const kills = this.killAt?.call === this.calls ? this.killAt.when : null;
          if (kills === "before") throw new Killed();
          const answer: unknown = value.apply(target, args);
          if (kills !== "behind") return answer;
          if (answer instanceof Promise) return answer.then(() => Promise.reject(new Killed()));
          throw new Killed();
        };
      },
    });
  }

  async events(type?: GoalEvent["type"]): Promise<readonly GoalEvent[]> {
    const query = { goal_id: ALPHA, order: "oldest_first", limit: 500, ...(type !== undefined && { type }) } as const;
    return await this.world.store.events(query);
  }

  out(): string {
    return join(this.world.project, "out.txt");
  }
}

export class Killed extends Error {}

/** What a kill can come between. */
const COUNTED = new Set([
  "transact",
  "load",
  "put",
  "remove",
  "run",
  "sweep",
  "readResult",
  "prepareResult",
  "discardResult",
  "list",
]);
