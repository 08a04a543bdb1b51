/**
 * What is done about a worker that is overdue: first a nudge, then a fresh process, then a person.
 *
 * O1  Each rung is tried once; a turn that settles takes the worker down to the ground again.
 * O2  A person is asked once, and the worker is put away until they answer (`loopx agents wake`): it takes no turns meanwhile.
 */
import { addMilliseconds } from "../instant.ts";
import type { TeamDraft } from "./draft.ts";
import type { Doing, Running, Worker } from "./worker.ts";

export function onOverdue(draft: TeamDraft, worker: Worker, phase: Running): void {
  const { agent_id } = worker;
  const message = `It has said nothing since it was ${doingText(phase.doing)}.`;
  if (phase.nudged === "no") {
    draft.note("nudged", agent_id, { message });
    draft.tell(agent_id, { do: "wake" });
    const speak_by = addMilliseconds(draft.around.now, draft.settings.nudge_ms);
    draft.put({ ...worker, phase: { ...phase, nudged: "yes", speak_by } });
    return;
  }
  if (worker.refreshed === "no") {
    draft.note("replaced", agent_id, { message });
    draft.endNow({ ...worker, refreshed: "yes" }, phase.pid, { kind: "fresh" }); // (O1)
    return;
  }
  const stuck = `${message} A fresh process did not help.`;
  draft.endNow(worker, phase.pid, { kind: "give_up", code: "agent_stalled", message: stuck }); // (O2)
}

function doingText(doing: Doing): string {
  switch (doing.kind) {
    case "starting":
      return "started";
    case "deciding":
      return "deciding what to do";
    case "waiting":
      return `waiting until ${doing.until}`;
    case "idle":
      return "idle";
    case "working":
      return `at ${doing.todo_id ?? doing.goal_id}`;
  }
}
