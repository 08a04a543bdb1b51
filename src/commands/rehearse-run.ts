/** What a run would do first, and what stands in its way; nothing is written and no host starts. */
import { done, type Reply } from "../core/result.ts";
import type { RunPayload } from "../core/show/run.ts";
import { bestCandidate } from "./best-goal.ts";
import { registryRows } from "./registry-rows.ts";
import type { RunLive, RunPlan } from "./run-loop.ts";
import { hostTurnOf, newTurnId } from "./run-turn.ts";
import { preflight } from "./turn-preflight.ts";
import type { WritingWorkspace } from "./workspace.ts";

export async function rehearseRun(
  workspace: WritingWorkspace,
  { goals, agent }: RunPlan,
  live: Pick<RunLive, "ports" | "settings">,
): Promise<Reply<RunPayload>> {
  const rows = await registryRows(workspace);
  if (rows.kind !== "done") return rows;
  const { instance, capabilities } = live.settings;
  const request = { goalId: null, agentId: agent, turnInstanceId: null, instance, capabilities, seen: null };
  const found = await bestCandidate(workspace, rows.value, { request, goals });
  if (found.kind !== "done") return found;
  const { registered, decision } = found.value;
  const { todo, act, why, because } = decision;
  const hosted = todo !== null && (act === "run" || act === "poll");
  if (hosted) {
    const turn = hostTurnOf(workspace, live, { registered, agent, todo, turn_id: newTurnId(workspace) });
    const flaw = preflight(live.ports, live.settings, { todo, act: act === "poll" ? act : "run", turn });
    if (flaw.kind !== "done") return flaw;
  }
  const said = hosted ? `It would take up ${todo.todo_id}: ${because}.` : `It would do nothing: ${because}.`;
  const about = { goal_id: registered.goal.goal_id, agent_id: agent, dry_run: true, turns: [] };
  return done({ ok: true, ...about, stopped: "idle", why: said, code: why, fix: null, until: decision.wait?.until ?? null });
}
