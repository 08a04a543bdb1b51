/** `loopx run` with what only a team can have: several agents, a supervisor in the background, a limit of load. */
import { resolve } from "node:path";
import { type LaunchRequest, UNASKED } from "../../commands/launch-words.ts";
import type { Context } from "./command.ts";
import type { Options } from "./given.ts";

export function asksForTeam(options: Options): boolean {
  const many = options.number("agents") !== null || options.list("agent").length > 1;
  return many || options.flag("detach") || options.number("max-load") !== null;
}

export function teamRequest({ cwd }: Pick<Context, "cwd">, options: Options): LaunchRequest {
  const workspace = options.text("workspace");
  const agentId = options.text("agent-id");
  return {
    ...UNASKED,
    agents: options.number("agents"),
    agentIds: [...(agentId === null ? [] : [agentId]), ...options.list("agent")],
    goalIds: options.list("goal-id"),
    host: options.text("host"),
    hostCommand: options.text("host-command-json"),
    validationCommand: options.text("validation-command-json"),
    acceptUnvalidated: options.flag("accept-unvalidated"),
    workspace: workspace === null ? null : resolve(cwd, workspace),
    maxTurns: options.number("turns"),
    turnTimeoutSeconds: options.number("turn-timeout"),
    idleExit: options.text("idle-exit"),
    graceSeconds: options.number("grace"),
    maxLoad: options.number("max-load"),
    mode: options.flag("detach") ? "detach" : "foreground",
    dryRun: options.flag("dry-run"),
  };
}
