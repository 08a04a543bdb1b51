import { resolve } from "node:path";
import { type LaunchAnswer, type LaunchRequest, UNASKED } from "../../../commands/launch-words.ts";
import { loopxCommand } from "../../../core/command-line.ts";
import { done, type Reply, reject } from "../../../core/result.ts";
import { planPage, teamOverPage } from "../../../core/show/markdown/team.ts";
import { TEAM_EXITS } from "../../../errors.ts";
import type { Context, Run, Shown } from "../command.ts";
import type { Options } from "../given.ts";
import { teamShow } from "../team-show.ts";

export const launch: Run = async (context, options) => {
  if (options.flag("foreground") && options.flag("detach"))
    return reject("option_conflict", "--foreground and --detach ask for two places: give one of the two");
  return await launchTeam(context, requestOf(context, options));
};

export async function launchTeam(context: Context, request: LaunchRequest): Promise<Reply<Shown>> {
  const app = await context.app();
  const stage = context.stage();
  const show = teamShow(stage, context.now);
  try {
    const answer = await app.launch(request, {
      onPlan: (plan) => {
        if (!request.dryRun && (request.mode === "foreground" || stage.form === "markdown")) show.plan(plan);
      },
      onChange: show.change,
      onSignal: stage.onSignal,
    });
    return answer.kind === "done" ? done(shownOf(context, answer.value)) : answer;
  } finally {
    show.end();
  }
}

function requestOf(context: Context, options: Options): LaunchRequest {
  const workspace = options.text("workspace");
  return {
    ...UNASKED,
    agents: options.number("agents"),
    agentIds: options.list("agent"),
    goalIds: options.list("goal-id"),
    host: options.text("host"),
    hostCommand: options.text("host-command-json"),
    validationCommand: options.text("validation-command-json"),
    acceptUnvalidated: options.flag("accept-unvalidated"),
    workspace: workspace === null ? null : resolve(context.cwd, workspace),
    maxTurns: options.number("turns"),
    turnTimeoutSeconds: options.number("turn-timeout"),
    turnIdleTimeoutSeconds: options.number("turn-idle-timeout"),
    idleExit: options.text("idle-exit"),
    graceSeconds: options.number("grace"),
    maxLoad: options.number("max-load"),
    maxRestarts: options.number("max-restarts"),
    backoffMinSeconds: options.number("backoff-min"),
    backoffMaxSeconds: options.number("backoff-max"),
    session: options.text("session"),
    register: options.flag("register"),
    mode: options.flag("detach") ? "detach" : "foreground",
    dryRun: options.flag("dry-run"),
  };
}

function shownOf({ now }: Context, answer: LaunchAnswer): Shown {
  const { plan } = answer;
  switch (answer.kind) {
    case "planned":
      return { payload: { ok: true, mode: "dry_run", ...plan }, markdown: () => planPage(plan) };
    case "detached": {
      const { pid } = answer;
      const status = loopxCommand("agents", "status", "--runtime-root", plan.runtime_root, "--session", plan.spec.session);
      const payload = { ok: true, mode: "detach", session: plan.spec.session, pid, folder: plan.folder, status };
      return { payload, markdown: () => `Supervised by process ${pid}. See it: \`${status}\`\n` };
    }
    case "over": {
      const { ending } = answer;
      const { outcome, session, agents, load } = ending;
      const payload = { ok: outcome === "clean", event: "over", outcome, session, agents, load };
      return { payload, markdown: () => teamOverPage(ending, now()), exit: TEAM_EXITS[outcome], form: "line" };
    }
  }
}
