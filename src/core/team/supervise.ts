/**
 * Supervision of a team, as a step from one team to the next: what happened in, orders and notes out.
 *
 * Does not own: processes and timers (`commands/launch-team.ts`), what a failure of a host leads to (`core/host/failure.ts`).
 *
 * V1  A worker is started at its time, not before, and only while the system's load and the goals' limits allow one more.
 * V2  A worker that failed comes back after a wait that doubles with every failure; one that cannot be helped by waiting does not come back.
 * V3  Who fails too often without a turn that settles is given up: a worker by itself, the whole team together.
 * V4  A limit of the host pauses the team once, however many workers run into it; then they go on one by one.
 * V5  Progress is what workers say, not that they live: who is overdue is nudged, then replaced, then put before a person.
 * V6  A drain lets turns finish until its deadline; a stop does not. Either way every worker ends: who does not when told is killed.
 * V7  Nothing is started once the team is to end.
 * V8  A team that is to end when there is nothing to do ends together: nobody leaves while the work of another may make some for them,
 *     and nobody who is held back counts as having nothing to do.
 */
import { addMilliseconds } from "../instant.ts";
import { onEnded } from "./after-end.ts";
import { TeamDraft } from "./draft.ts";
import { askToEnd, endTurnsNow } from "./ending.ts";
import { onOverdue } from "./progress.ts";
import { onReport, speakBy } from "./report.ts";
import { type Around, restsSince, type Step, type Team, type TeamEvent } from "./team.ts";
import type { Worker } from "./worker.ts";

export function superviseStep(team: Team, event: TeamEvent, around: Around): Step {
  const draft = new TeamDraft(team, around);
  happen(draft, event);
  if (event.kind !== "tick") passTime(draft);
  return draft.step();
}

function happen(draft: TeamDraft, event: TeamEvent): void {
  switch (event.kind) {
    case "tick":
      passTime(draft);
      return;
    case "started":
      onStarted(draft, draft.worker(event.agent_id), event.pid);
      return;
    case "report":
      onReport(draft, draft.worker(event.agent_id), event.report);
      return;
    case "ended":
      onEnded(draft, draft.worker(event.agent_id), event.end);
      return;
    case "asked":
      askToEnd(draft, event.what);
      return;
    case "wake":
      wake(draft, event.agent_id);
  }
}

function passTime(draft: TeamDraft): void {
  const { now } = draft.around;
  if (draft.mode.kind === "draining" && draft.mode.stop_at <= now) endTurnsNow(draft); // (V6)
  for (const worker of draft.workers) atTime(draft, worker);
  endWhenIdle(draft);
}

/** V8. */
function endWhenIdle(draft: TeamDraft): void {
  const { idle_ms } = draft.settings;
  if (idle_ms === null || draft.mode.kind !== "running") return;
  const since = restsSince(draft);
  if (since === null || addMilliseconds(since, idle_ms) > draft.around.now) return;
  draft.note("nothing_to_do", null, { since });
  askToEnd(draft, "drain");
}

function atTime(draft: TeamDraft, worker: Worker): void {
  const { now } = draft.around;
  const { phase } = worker;
  switch (phase.kind) {
    case "due":
      if (phase.at <= now) admit(draft, worker);
      return;
    case "running":
      if (phase.speak_by !== null && phase.speak_by <= now) onOverdue(draft, worker, phase);
      return;
    case "ending":
      if (phase.kill_at > now) return;
      draft.order({ do: "kill", agent_id: worker.agent_id }); // (V6)
      draft.put({ ...worker, phase: { ...phase, kill_at: addMilliseconds(now, draft.settings.stop_ms) } });
  }
}

type Due = Omit<Extract<Worker["phase"], { kind: "due" }>, "kind">;

function admit(draft: TeamDraft, worker: Worker): void {
  const waits = whyNot(draft, worker);
  if (waits !== null) {
    const { phase } = worker;
    if (phase.kind === "due" && phase.why !== waits.why)
      draft.note("held_back", worker.agent_id, { why: waits.why, message: waits.message });
    draft.put({ ...worker, phase: { kind: "due", ...waits } });
    return;
  }
  draft.put({ ...worker, phase: { kind: "starting" }, said: null });
  draft.order({ do: "spawn", agent_id: worker.agent_id });
}

/** V1. */
function whyNot(draft: TeamDraft, worker: Worker): Due | null {
  const { now, load, bar } = draft.around;
  const { max_load, recheck_ms } = draft.settings;
  const release = draft.releaseOf(worker);
  if (release !== null && release > now) return { at: release, why: "rate_limited", message: null };
  const later = addMilliseconds(now, recheck_ms);
  if (max_load !== null && load > max_load) {
    const message = `The load is ${load.toFixed(2)} per core; above ${max_load} no agent is started.`;
    return { at: later, why: "load", message };
  }
  const barred = bar();
  return barred === null ? null : { at: later, why: "limits", message: barred };
}

function onStarted(draft: TeamDraft, worker: Worker, pid: number): void {
  const { now } = draft.around;
  const { agent_id } = worker;
  draft.note("started", agent_id, { pid });
  const doing = { kind: "starting" } as const;
  draft.put({
    ...worker,
    phase: { kind: "running", pid, since: now, doing, rests_since: null, speak_by: speakBy(draft, doing), nudged: "no" },
  });
  if (draft.mode.kind === "stopping") draft.endNow(draft.worker(agent_id), pid, { kind: "end" }); // (V7)
  if (draft.mode.kind === "draining") draft.tell(agent_id, { do: "drain" }); // (V7)
}

function wake(draft: TeamDraft, agent_id: string | null): void {
  if (draft.mode.kind !== "running") return;
  if (agent_id === null) draft.cool_down = null;
  draft.note("woken", null, { agent: agent_id ?? "all" });
  for (const worker of draft.workers.filter((each) => agent_id === null || each.agent_id === agent_id)) wakeOne(draft, worker);
}

function wakeOne(draft: TeamDraft, worker: Worker): void {
  const { now } = draft.around;
  const { phase } = worker;
  if (phase.kind === "running") draft.tell(worker.agent_id, { do: "wake" });
  if (phase.kind !== "due" && phase.kind !== "ended") return;
  draft.settle(worker.agent_id);
  draft.put({
    ...worker,
    turns_before: worker.turns,
    setbacks: [],
    refreshed: "no",
    restarts: worker.restarts + (phase.kind === "ended" ? 1 : 0),
    phase: { kind: "due", at: now, why: "start", message: null },
  });
}
