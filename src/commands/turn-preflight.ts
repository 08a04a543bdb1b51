/**
 * What has to be there before a todo is claimed for a turn.
 *
 * Does not own: whether the todo may be worked on (`core/next`), what happens when it goes away later (`host-turn.ts`).
 *
 * P1  A completion that nobody could check is not begun, unless that was asked for: no check of the todo, none of the run.
 * P2  What cannot be understood (checks, command) is refused with its place, and so is a host or folder that is not there.
 */
import { loopxCommand } from "../core/command-line.ts";
import type { TodoRecord } from "../core/events.ts";
import { isSeenFromFolder, parseRunArgv } from "../core/host/run-argv.ts";
import { turnEnvironment } from "../core/host/turn-env.ts";
import { type BadInput, done, type Refusal, type Reply, refuse, reject } from "../core/result.ts";
import { parseAcceptance } from "../core/verify/acceptance.ts";
import type { AgentHost, HostTurn } from "../ports/agent-host.ts";
import { INSTALL_IT } from "./run-end.ts";
import type { RunPorts, TurnSettings } from "./turn-ports.ts";

export interface Planned {
  readonly todo: TodoRecord;
  readonly act: "run" | "poll";
  readonly turn: HostTurn;
}

type Ports = Pick<RunPorts, "places" | "env">;

export function preflight(ports: Ports, settings: TurnSettings, planned: Planned): Reply<null> {
  const checks = planned.act === "poll" ? done(null) : checksFlaw(settings, planned);
  if (checks.kind !== "done") return checks;
  const flaw = hostFlaw(ports, settings.host, planned.turn);
  return flaw.kind === "bad_input" && flaw.code === "run_invalid" ? runFlaw(flaw, planned) : flaw;
}

/** Whether no other todo could be begun either: what is missing is the folder or the program that the run names for all. */
export function isOfTheRun({ code }: Refusal | BadInput, { workspace, run }: Pick<TurnSettings, "workspace" | "run">): boolean {
  if (code === "workspace_missing") return workspace !== null;
  if (code !== "host_missing" || run === null) return false;
  const argv = parseRunArgv(run, "run");
  return argv.kind === "done" && (workspace !== null || !isSeenFromFolder(argv.value[0]));
}

/** P1, P2. */
function checksFlaw({ validation, unvalidated }: TurnSettings, { todo, turn }: Planned): Reply<null> {
  const declared = parseAcceptance(todo.metadata);
  const show = loopxCommand("todo", "show", "--goal-id", turn.goal_id, "--todo-id", todo.todo_id);
  if (declared.kind === "flawed") {
    const problems = declared.flaws.map(({ key, code, message }) => ({ path: key, code, message }));
    const message = `The checks of ${todo.todo_id} cannot be understood: ${problems[0]?.message ?? ""}`;
    return reject("checks_invalid", message, { problems, fix: show });
  }
  if (declared.checks.length > 0 || validation !== null || unvalidated === "accept") return done(null);
  return refuse("no_validation", `${todo.todo_id} has no check: nobody could tell whether it is done.`, {
    details: { goal_id: turn.goal_id, todo_id: todo.todo_id },
    fix: "--accept-unvalidated, or validation_command in the todo's metadata",
  });
}

/** P2. The run's own command was looked at before: it is the todo's, or else the goal's. */
function runFlaw({ code, message, problems }: BadInput, { todo, turn }: Planned): BadInput {
  const { goal_id, registry } = turn;
  if (todo.metadata["run"] !== undefined) {
    const fix = loopxCommand("todo", "show", "--goal-id", goal_id, "--todo-id", todo.todo_id);
    return reject(code, `The command of ${todo.todo_id} cannot be understood: ${message}`, { problems, fix });
  }
  return reject(code, `The command in the entry of goal ${goal_id} cannot be understood: ${message}`, {
    problems,
    fix: `Write "run" of goal ${goal_id} in ${registry} as a list of arguments, or name the command with --host-command-json`,
  });
}

/** P2. */
function hostFlaw({ places, env }: Ports, host: AgentHost, turn: HostTurn): Reply<null> {
  const argv = host.argv(turn);
  if (argv.kind !== "done") return argv;
  const { workspace } = turn;
  if (places.workspaceFlaw(workspace) !== null) {
    return refuse("workspace_missing", `The workspace ${workspace} is no folder that can be entered.`, {
      details: { workspace },
    });
  }
  const [program] = argv.value;
  const environment = turnEnvironment(env, { turn, inherits: host.inherits, added: host.env(turn) });
  const found = places.findProgram(program, { workspace, env: environment });
  if (found === "found") return done(null);
  return refuse(
    "host_missing",
    found === "missing" ? `There is no program ${program}.` : `${program} cannot be started as a program.`,
    { details: { program, todo_id: turn.todo_id }, fix: INSTALL_IT },
  );
}
