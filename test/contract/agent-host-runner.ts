/** Runs scripted programs as turns of a host: real processes, in a place of their own for each test. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach } from "vitest";
import { processGroups } from "../../src/adapters/agents/process-group.ts";
import { turnPlaces } from "../../src/adapters/agents/turn-places.ts";
import { type HostOutcome, type HostTurnRequest, runHostTurn } from "../../src/commands/host-turn.ts";
import { type GoalId, parseAgentId, parseGoalId, parseTodoId, parseTurnId, type TurnId } from "../../src/core/id.ts";
import type { AgentHost, HostTurn } from "../../src/ports/agent-host.ts";
import { type HostDialect, type ProgramName, programsIn } from "./agent-host-programs.ts";

export interface HostUnderTest extends HostDialect {
  readonly host: AgentHost;
  /** What of a turn makes this host run the script with the arguments. */
  readonly turnFor: (script: string, args: readonly string[]) => Partial<HostTurn>;
  /** What makes it run a program that is not there. */
  readonly turnWithout: () => Partial<HostTurn>;
}

export const LOG_BYTES = 200_000;
const scheduler = {
  elapsed: () => performance.now(),
  after: (milliseconds: number, work: () => void) => {
    const timer = setTimeout(work, milliseconds);
    return () => clearTimeout(timer);
  },
  breathe: () => Promise.resolve(),
};

export interface Asked {
  readonly turn?: Partial<HostTurn>;
  readonly args?: readonly string[];
  readonly request?: Partial<HostTurnRequest>;
}

export interface HostRunner {
  readonly root: () => string;
  readonly workspace: () => string;
  readonly resultFile: () => string;
  readonly logFile: () => string;
  /** Runs a turn in which the host runs this program. */
  readonly run: (program: ProgramName, asked?: Asked) => Promise<HostOutcome>;
  readonly runTurn: (turn: Partial<HostTurn>, request?: Partial<HostTurnRequest>) => Promise<HostOutcome>;
}

/** Call it where tests are described. */
export function hostRunner(under: HostUnderTest): HostRunner {
  const programs = programsIn(under);
  let root = "";
  let workspace = "";

  beforeEach(() => {
    // Spaces, letters of other scripts, and what a shell would read.
    root = realpathSync(mkdtempSync(join(tmpdir(), "loopx höst 漢 $(id);'&-")));
    workspace = join(root, "work space");
    mkdirSync(workspace);
  });
  afterEach(() => rmSync(root, { recursive: true, force: true }));

  const resultFile = (): string => join(root, "run time", "turns", "result.json");
  const logFile = (): string => join(root, "logs", "turn.log");

  function turnOf(more: Partial<HostTurn>): HostTurn {
    return {
      ...names(),
      workspace,
      runtime_root: join(root, "run time"),
      registry: join(root, ".loopx/registry.json"),
      result_file: resultFile(),
      session_marker: `m-${process.pid}-${Math.random().toString(36).slice(2)}`,
      run: null,
      prompt: null,
      session_id: null,
      ...more,
    };
  }

  async function run(program: ProgramName, { turn = {}, args = [], request = {} }: Asked = {}): Promise<HostOutcome> {
    const script = join(root, "program.cjs");
    writeFileSync(script, programs[program]);
    return await runTurn({ ...under.turnFor(script, args), ...turn }, request);
  }

  async function runTurn(turn: Partial<HostTurn>, request: Partial<HostTurnRequest> = {}): Promise<HostOutcome> {
    const processes = processGroups({ log_bytes: LOG_BYTES });
    return await runHostTurn(
      { processes, places: turnPlaces, scheduler, env: process.env },
      {
        host: under.host,
        turn: turnOf(turn),
        limits: { idle_ms: null, hard_ms: 15_000, grace_ms: 100, ...request.limits },
        log_path: logFile(),
        lease: null,
        earlier_result: "counts",
        signal: new AbortController().signal,
        ...withoutLimits(request),
      },
    );
  }

  return { root: () => root, workspace: () => workspace, resultFile, logFile, run, runTurn };
}

export function names() {
  const goal = parseGoalId("goal $(id); é");
  const agent_id = parseAgentId("agent-1");
  if (!goal.ok || agent_id === null) throw new Error("no ids");
  return { goal_id: goal.id as GoalId, agent_id, todo_id: parseTodoId("todo_abc123"), turn_id: parseTurnId("turn/1") as TurnId };
}

function withoutLimits({ limits: _, ...request }: Partial<HostTurnRequest>): Partial<HostTurnRequest> {
  return request;
}

/** How long it ran. */
export function wallOf(outcome: HostOutcome): number {
  return "usage" in outcome ? outcome.usage.wall_ms : Number.NaN;
}
