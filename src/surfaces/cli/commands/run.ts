import type { RunRequest } from "../../../commands/app.ts";
import { WorkerOrders } from "../../../commands/worker-orders.ts";
import { type Reply, reject } from "../../../core/result.ts";
import { factLine, runPage } from "../../../core/show/markdown/run.ts";
import type { RunPayload } from "../../../core/show/run.ts";
import { WORKER_EXITS } from "../../../errors.ts";
import type { Context, Live, Run, Shown } from "../command.ts";
import type { Options } from "../given.ts";
import type { Asked } from "../run-asked.ts";

export const run: Run = async (context, options) => {
  if (options.flag("foreground") && options.flag("detach"))
    return reject("option_conflict", "--foreground and --detach ask for two places: give one of the two");
  const { asksForTeam, teamRequest } = await import("../run-as-team.ts");
  if (asksForTeam(options)) {
    const team = teamRequest(context, options);
    return team.kind === "done" ? await (await import("./launch.ts")).launchTeam(context, team.value) : team;
  }
  const asked = requestFrom(options);
  if ("code" in asked) return asked;
  if (options.flag("worker")) return await (await import("../worker.ts")).work(context, asked);
  return await context.live((live) => runForPeople(context, { live, asked }));
};

async function runForPeople(
  context: Context,
  { live, asked }: { readonly live: Live; readonly asked: Asked },
): Promise<Reply<Shown>> {
  const app = await context.app();
  const orders = new WorkerOrders();
  const stop = (): void => orders.give({ do: "stop" });
  live.interrupted.addEventListener("abort", stop, { once: true });
  if (live.interrupted.aborted) stop();
  const untold: (() => void)[] = [];
  const tell: RunRequest["tell"] = async (fact, _turns, acknowledge) => {
    untold.push(acknowledge);
    const line = factLine(fact);
    if (line !== null) live.note(`${line}\n`);
  };
  const reply = await app.run({ ...asked, orders, tell });
  if (reply.kind !== "done") return reply;
  const payload = reply.value;
  const acknowledgeAll = (): void => {
    for (const acknowledge of untold) acknowledge();
  };
  const shown = { payload, markdown: () => runPage(payload), exit: exitOf(payload), shown: acknowledgeAll };
  return { kind: "done", value: shown };
}

function exitOf({ ok, stopped }: RunPayload): number {
  return WORKER_EXITS[stopped] === 0 && !ok ? 1 : WORKER_EXITS[stopped];
}

function requestFrom(options: Options): Asked | Exclude<Reply<never>, { kind: "done" }> {
  const worker = options.flag("worker");
  const idle = idleExit(options.text("idle-exit"), worker);
  if (idle !== null && typeof idle === "object") return idle;
  const turns = options.number("turns");
  const [agent = null] = options.list("agent");
  const agentId = options.text("agent-id");
  if (agent !== null && agentId !== null && agent !== agentId)
    return reject("option_conflict", "--agent and --agent-id name two agents: give one of the two");
  const many = worker || options.flag("until-idle");
  return {
    ...{ goalIds: options.list("goal-id"), agentId: agentId ?? agent, host: options.text("host") ?? "command" },
    ...{ hostCommand: options.text("host-command-json"), validationCommand: options.text("validation-command-json") },
    ...{ acceptUnvalidated: options.flag("accept-unvalidated"), workspace: options.text("workspace") },
    turns: turns ?? (many ? null : 1),
    idleExitSeconds: idle,
    turnTimeoutSeconds: options.number("turn-timeout"),
    turnIdleTimeoutSeconds: options.number("turn-idle-timeout"),
    ...{ graceSeconds: options.number("grace"), ttlSeconds: options.number("ttl-seconds") },
    ...{ capabilities: options.list("available-capability"), logDir: options.text("log-dir") },
    ...{ retryHost: options.flag("retry-host"), dryRun: options.flag("dry-run") },
  };
}

/** Null: for ever. A worker is stopped by whoever started it. */
function idleExit(text: string | null, worker: boolean): number | null | Exclude<Reply<never>, { kind: "done" }> {
  if (text === null) return worker ? null : 0;
  if (text === "never") return null;
  const seconds = Number(text);
  if (/^\d+(\.\d+)?$/.test(text) && seconds <= 31_536_000) return seconds;
  return reject("option_invalid", `--idle-exit takes a number of seconds, or never: ${JSON.stringify(text)}`);
}
