/**
 * `loopx run` with what only a team can have: several agents, a supervisor in the background, a limit of load.
 *
 * A1  It ends as the run of one agent does: after a turn each unless told otherwise, and when there is nothing to do.
 * A2  An option that a team cannot carry out is refused, never dropped.
 */
import { resolve } from "node:path";
import { type LaunchRequest, UNASKED } from "../../commands/launch-words.ts";
import { done, type Reply, reject } from "../../core/result.ts";
import type { Context } from "./command.ts";
import type { Options } from "./given.ts";

/** A1. Longer than an agent takes to see what another one's turn made possible. */
const IDLE_EXIT_SECONDS = "1";
const TURNS = 1;

export function asksForTeam(options: Options): boolean {
  const many = options.number("agents") !== null || options.list("agent").length > 1;
  return many || options.flag("detach") || options.number("max-load") !== null;
}

export function teamRequest({ cwd }: Pick<Context, "cwd">, options: Options): Reply<LaunchRequest> {
  const alone = onlyForOne(options);
  if (alone !== null) return reject("option_conflict", `--${alone} is for the run of one agent: a team cannot have it`);
  const workspace = options.text("workspace");
  const agentId = options.text("agent-id");
  return done({
    ...UNASKED,
    agents: options.number("agents"),
    agentIds: [...(agentId === null ? [] : [agentId]), ...options.list("agent")],
    goalIds: options.list("goal-id"),
    host: options.text("host"),
    hostCommand: options.text("host-command-json"),
    validationCommand: options.text("validation-command-json"),
    acceptUnvalidated: options.flag("accept-unvalidated"),
    workspace: workspace === null ? null : resolve(cwd, workspace),
    maxTurns: options.number("turns") ?? (options.flag("until-idle") ? null : TURNS),
    turnTimeoutSeconds: options.number("turn-timeout"),
    turnIdleTimeoutSeconds: options.number("turn-idle-timeout"),
    idleExit: options.text("idle-exit") ?? IDLE_EXIT_SECONDS,
    graceSeconds: options.number("grace"),
    maxLoad: options.number("max-load"),
    mode: options.flag("detach") ? "detach" : "foreground",
    dryRun: options.flag("dry-run"),
  });
}

/** A2. The first of them that is given. */
function onlyForOne(options: Options): string | null {
  if (options.number("ttl-seconds") !== null) return "ttl-seconds";
  if (options.list("available-capability").length > 0) return "available-capability";
  if (options.text("log-dir") !== null) return "log-dir";
  if (options.flag("retry-host")) return "retry-host";
  return options.flag("worker") ? "worker" : null;
}
