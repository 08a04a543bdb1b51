/**
 * Runs one turn on a host, and answers what came of it.
 *
 * Does not own: whether there is work, the lease itself, the journal and the validator (the turn runner); what follows from a
 * failure (`core/host/failure.ts`).
 *
 * H1  What can be known before is refused before: no process is started without a folder to work in and a program to run. What goes
 *     away between the look and the start gives the same answer.
 * H2  A turn that has handed over a result is not run again, unless that was asked for: its result is the answer.
 * H3  The lease is kept while the host runs; once it is lost the host is stopped.
 */
import type { HostFailure } from "../core/host/failure.ts";
import type { HostEvent } from "../core/host/host-event.ts";
import { judgeTurn, type TurnJudgement } from "../core/host/judge-turn.ts";
import type { NotStarted } from "../core/host/process-end.ts";
import { chooseResult } from "../core/host/result-channels.ts";
import type { RunArgv } from "../core/host/run-argv.ts";
import { type Environment, turnEnvironment, turnMarks } from "../core/host/turn-env.ts";
import { TurnObserver } from "../core/host/turn-observer.ts";
import type { CheckedTurnResult } from "../core/host/turn-result.ts";
import type { TurnUsage } from "../core/host/usage.ts";
import { type BadInput, type Refusal, refuse, reject } from "../core/result.ts";
import type { AgentHost, HostLimits, HostTurn, TurnPlaces } from "../ports/agent-host.ts";
import type { GroupRequest, GroupRun, ProcessGroups } from "../ports/process.ts";
import { keepLease, type LeaseKeeping } from "./keep-lease.ts";
import type { Scheduler } from "./scheduler.ts";

export interface HostTurnPorts {
  readonly processes: ProcessGroups;
  readonly places: TurnPlaces;
  readonly scheduler: Scheduler;
  /** Of the person. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

export interface HostTurnRequest {
  readonly host: AgentHost;
  readonly turn: HostTurn;
  /** Where they differ from the host's own. */
  readonly limits?: Partial<HostLimits>;
  readonly log_path: string | null;
  /** Null: nothing is held. */
  readonly lease: LeaseKeeping | null;
  /** What to do with a result that is there before the host runs. */
  readonly earlier_result: "counts" | "discard";
  /** Stops the host. */
  readonly signal: AbortSignal;
  /** Told while the host runs. */
  readonly onEvent?: (event: HostEvent) => void;
}

export type RunFacts = Omit<GroupRun, "kind" | "end" | "wall_ms">;

export type HostOutcome =
  | (TurnJudgement & { readonly run: RunFacts })
  /** The host is not there. */
  | {
      readonly kind: "failed";
      readonly failure: HostFailure;
      readonly usage: TurnUsage;
      readonly session_id: null;
      readonly end: null;
      readonly run: null;
    }
  /** H2. */
  | { readonly kind: "already_said"; readonly checked: CheckedTurnResult }
  | { readonly kind: "not_started"; readonly no: Refusal | BadInput };

/** Of one line and of each stream: what is longer is dropped, and counted. */
const LINE_BYTES = 1024 * 1024;
const OUTPUT_BYTES = 256 * 1024 * 1024;

export async function runHostTurn(ports: HostTurnPorts, request: HostTurnRequest): Promise<HostOutcome> {
  const { host, turn } = request;
  const argv = host.argv(turn);
  if (argv.kind !== "done") return { kind: "not_started", no: argv };
  const earlier = earlierResult(ports.places, request);
  if (earlier !== null) return earlier;
  const env = turnEnvironment(ports.env, { turn, inherits: host.inherits, added: host.env(turn) });
  const program = argv.value[0];
  const flaw = flawBefore(ports.places, { program, env, workspace: turn.workspace });
  if (flaw !== null) return notStarted(flaw, { program, turn }); // (H1)
  ports.places.prepareResult(turn.result_file);
  return await runWatched(ports, request, { argv: argv.value, env });
}

/** H2. */
function earlierResult(places: TurnPlaces, { turn, earlier_result }: HostTurnRequest): HostOutcome | null {
  if (earlier_result === "discard") {
    places.discardResult(turn.result_file);
    return null;
  }
  const chosen = chooseResult({ file: places.readResult(turn.result_file), structured: null, fenced: null }, turn);
  return chosen.kind === "none" ? null : { kind: "already_said", checked: chosen.checked };
}

interface Place {
  readonly program: string;
  readonly env: Environment;
  readonly workspace: string;
}

function flawBefore(places: TurnPlaces, { program, env, workspace }: Place): NotStarted["why"] | null {
  if (places.workspaceFlaw(workspace) !== null) return "workspace_missing";
  const found = places.findProgram(program, { workspace, env });
  if (found === "found") return null;
  return found === "missing" ? "program_missing" : "not_executable";
}

interface Named {
  readonly program: string;
  readonly turn: HostTurn;
}

function notStarted(why: NotStarted["why"], { program, turn }: Named): HostOutcome {
  switch (why) {
    case "workspace_missing":
      return {
        kind: "not_started",
        no: refuse("workspace_missing", `The workspace ${turn.workspace} is no folder that can be entered.`, {
          details: { workspace: turn.workspace },
        }),
      };
    case "too_long":
      return {
        kind: "not_started",
        no: reject("run_invalid", "The arguments and the environment are longer than this system takes."),
      };
    case "program_missing":
      return failed({ kind: "host_missing", program, why: "not_found" });
    case "not_executable":
      return failed({ kind: "host_missing", program, why: "not_executable" });
  }
}

function failed(failure: HostFailure): HostOutcome {
  return { kind: "failed", failure, usage: { wall_ms: 0 }, session_id: null, end: null, run: null };
}

interface Launch {
  readonly argv: RunArgv;
  readonly env: Environment;
}

async function runWatched(ports: HostTurnPorts, request: HostTurnRequest, launch: Launch): Promise<HostOutcome> {
  const { host, turn, lease } = request;
  const observer = new TurnObserver(host.events());
  const stop = new AbortController();
  const stopHost = (): void => stop.abort();
  let held: "held" | "lost" = "held";
  const endKeeping =
    lease === null
      ? () => {}
      : keepLease(ports.scheduler, lease, () => {
          held = "lost";
          stopHost(); // (H3)
        });
  request.signal.addEventListener("abort", stopHost, { once: true });
  if (request.signal.aborted) stopHost();
  try {
    const ran = await ports.processes.run(groupRequest(request, launch, { observer, signal: stop.signal }));
    if (ran.kind === "not_started") return notStarted(ran.why, { program: launch.argv[0], turn }); // (H1)
    return judged(request, ran, { observer, lease: held, places: ports.places, program: launch.argv[0] });
  } finally {
    endKeeping();
    request.signal.removeEventListener("abort", stopHost);
  }
}

interface Watching {
  readonly observer: TurnObserver;
  readonly signal: AbortSignal;
}

function groupRequest(
  { host, turn, limits, log_path, onEvent }: HostTurnRequest,
  launch: Launch,
  watching: Watching,
): GroupRequest {
  return {
    ...launch,
    cwd: turn.workspace,
    stdin: host.stdin(turn),
    marks: turnMarks(turn),
    limits: { ...host.limits, ...limits, line_bytes: LINE_BYTES, output_bytes: OUTPUT_BYTES },
    log_path,
    signal: watching.signal,
    onLine: (line, source) => {
      for (const event of watching.observer.read(line, source)) onEvent?.(event);
    },
  };
}

interface Known {
  readonly observer: TurnObserver;
  readonly lease: "held" | "lost";
  readonly places: TurnPlaces;
  readonly program: string;
}

function judged({ host, turn, limits }: HostTurnRequest, ran: GroupRun, known: Known): HostOutcome {
  const { kind: _, end, wall_ms, ...run } = ran;
  const judgement = judgeTurn({
    turn_id: turn.turn_id,
    program: known.program,
    end,
    lease: known.lease,
    seen: known.observer.seen(),
    file: known.places.readResult(turn.result_file),
    silence: host.silence,
    wall_ms,
    limits: { ...host.limits, ...limits },
  });
  return { ...judgement, run };
}
