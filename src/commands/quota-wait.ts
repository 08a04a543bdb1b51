/**
 * An agent that has to wait, for example because its provider limits it: `quota hold`; a person ends that: `quota resume`.
 *
 * Does not own: what a wait means for the decision (`core/next/rules/rate-limited.ts`).
 */
import { required } from "../core/goal/actor.ts";
import type { GoalCommand } from "../core/goal/command.ts";
import type { AgentId } from "../core/id.ts";
import { addMilliseconds, type Instant, parseInstant } from "../core/instant.ts";
import { done, type Reply, reject } from "../core/result.ts";
import { type WaitPayload, waitPayload } from "../core/show/markdown/wait.ts";
import { actingOn } from "./acting.ts";
import type { QuotaHoldRequest, QuotaResumeRequest } from "./app.ts";
import type { WritingWorkspace } from "./workspace.ts";
import { writeAndShow } from "./write-and-show.ts";

const MINUTE_MS = 60_000;
const MOST_DAYS = 31;
const DAY_MS = 86_400_000;

export async function quotaHold(workspace: WritingWorkspace, request: QuotaHoldRequest): Promise<Reply<WaitPayload>> {
  const until = untilOf(request, workspace.clock.now());
  if (until.kind !== "done") return until;
  const reason = request.reason ?? "the provider limits the rate";
  return await waiting(workspace, request, {
    until: until.value,
    reason,
    command: () => ({ kind: "hold-agent", until: until.value, reason }),
  });
}

export async function quotaResume(workspace: WritingWorkspace, request: QuotaResumeRequest): Promise<Reply<WaitPayload>> {
  const reason = request.reason ?? "a person ended the wait";
  const command: Waiting["command"] = (agent_id) => ({ kind: "release-agent", agent_id, reason });
  return await waiting(workspace, request, { until: null, reason, command });
}

function untilOf({ until, minutes }: QuotaHoldRequest, now: Instant): Reply<Instant> {
  if ((until === null) === (minutes === null))
    return reject("option_conflict", "Say how long to wait: either --until TIME or --minutes N.");
  const at = until === null ? addMilliseconds(now, (minutes ?? 0) * MINUTE_MS) : parseInstant(until);
  if (at === null) return reject("time_invalid", `${JSON.stringify(until)} is no time.`);
  if (at > now && at <= addMilliseconds(now, MOST_DAYS * DAY_MS)) return done(at);
  return reject("time_out_of_range", `A wait ends after now and within ${MOST_DAYS} days; ${at} does not.`);
}

interface Waiting {
  readonly until: Instant | null;
  readonly reason: string;
  readonly command: (agent: AgentId) => GoalCommand;
}

async function waiting(
  workspace: WritingWorkspace,
  request: QuotaHoldRequest | QuotaResumeRequest,
  { until, reason, command }: Waiting,
): Promise<Reply<WaitPayload>> {
  const acting = await actingOn(workspace, request, "write");
  if (acting.kind !== "done") return acting;
  const { agent, registered } = acting.value;
  const { goal_id } = registered.goal;
  if (agent === null) return required(registered.goal);
  const written = await writeAndShow(workspace, acting.value, { dryRun: request.dryRun, commands: () => [command(agent)] });
  if (written.kind === "refusal" || written.kind === "bad_input") return written;
  const events = written.kind === "replayed" ? [] : written.events;
  const said = events.some(({ type }) => type === "agent.waits" || type === "agent.wait_ended");
  return done(
    waitPayload({
      goal_id,
      agent_id: agent,
      appended: said && !request.dryRun,
      dry_run: request.dryRun,
      until,
      reason,
      warnings: written.kind === "replayed" ? [] : written.warnings,
    }),
  );
}
