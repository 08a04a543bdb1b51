import type { RefreshRequest } from "../../../commands/app.ts";
import { type BadInput, type Reply, reject } from "../../../core/result.ts";
import { refreshAllPage, refreshPage } from "../../../core/show/markdown/refresh.ts";
import type { Context, Run, Shown } from "../command.ts";
import type { Options } from "../given.ts";
import type { OptionName } from "../options.ts";
import { shown } from "../shown.ts";

/** What describes one run, and so means nothing for all goals at once. */
const OF_ONE_RUN = [
  "agent-id",
  "agent-lane",
  "classification",
  "recommended-action",
  "next-action",
  "delivery-outcome",
  "delivery-batch-scale",
  "todo-id",
  "turn-instance-id",
  "progress-scope",
  "state-file",
] as const satisfies readonly OptionName[];

export const refresh: Run = async (context, options) => {
  const seconds = options.number("watch");
  const request = requestOf(options);
  if (request.kind === "bad_input") return request;
  if (seconds === null) return refreshOnce(context, request);
  if (request.kind === "one") return watchNeedsAll(request.request.goalId);
  return context.watch(seconds, () => refreshOnce(context, request));
};

type Asked =
  | { readonly kind: "one"; readonly request: RefreshRequest }
  | { readonly kind: "all"; readonly dryRun: boolean }
  | BadInput;

function requestOf(options: Options): Asked {
  const goalId = options.text("goal-id");
  if (!options.flag("all")) {
    return goalId === null ? goalMissing() : { kind: "one", request: oneRequest(goalId, options) };
  }
  const [superfluous] = [...(goalId === null ? [] : ["goal-id"]), ...OF_ONE_RUN.filter((name) => options.text(name) !== null)];
  return superfluous === undefined ? { kind: "all", dryRun: options.flag("dry-run") } : notWithAll(superfluous);
}

async function refreshOnce(context: Context, asked: Exclude<Asked, BadInput>): Promise<Reply<Shown>> {
  const app = await context.app();
  if (asked.kind === "all") return shown(await app.refreshAll({ dryRun: asked.dryRun }), refreshAllPage);
  return shown(await app.refresh(asked.request), refreshPage);
}

function oneRequest(goalId: string, options: Options): RefreshRequest {
  return {
    goalId,
    agentId: options.text("agent-id"),
    agentLane: options.text("agent-lane"),
    classification: options.text("classification"),
    recommendedAction: options.text("recommended-action"),
    nextAction: options.text("next-action"),
    deliveryOutcome: options.text("delivery-outcome"),
    deliveryBatchScale: options.text("delivery-batch-scale"),
    todoId: options.text("todo-id"),
    turnInstanceId: options.text("turn-instance-id"),
    progressScope: scopeOf(options.text("progress-scope")),
    stateFile: options.text("state-file"),
    dryRun: options.flag("dry-run"),
  };
}

function scopeOf(text: string | null): RefreshRequest["progressScope"] {
  return text === "goal" || text === "agent_lane" ? text : null;
}

function goalMissing(): BadInput {
  return reject("option_missing", "loopx refresh needs --goal-id or --all", { fix: "loopx refresh --all" });
}

function notWithAll(name: string): BadInput {
  return reject("option_conflict", `--${name} is about one goal and --all about every one`, { fix: "loopx refresh --all" });
}

function watchNeedsAll(goalId: string): BadInput {
  return reject(
    "option_conflict",
    `--watch goes with --all: it records no runs, and --goal-id ${goalId} would record one each time`,
    {
      fix: "loopx refresh --all --watch",
    },
  );
}
