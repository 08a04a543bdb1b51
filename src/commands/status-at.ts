/**
 * The status of one goal right after an event of the past; a read (`past.ts`).
 *
 * S1  What the journal says is told as of the event. The state file is told as it stands now, because its text of then is not kept.
 */
import { type Instant, laterOf } from "../core/instant.ts";
import { done, type Reply } from "../core/result.ts";
import type { GoalView } from "../core/show/view.ts";
import { viewOf } from "./goal-view.ts";
import { lookBack, type PastGoal } from "./past.ts";
import { planPartOf } from "./plan-part.ts";
import { shownTodos, stateOf } from "./read-plan.ts";
import { readRuns } from "./read-runs.ts";
import type { StateReading } from "./state-file.ts";
import type { Workspace } from "./workspace.ts";

export interface PastStatus {
  readonly view: GoalView;
  readonly past: PastGoal;
}

export async function viewAt(
  workspace: Workspace,
  asked: { readonly goalId: string | null; readonly at: string },
): Promise<Reply<PastStatus>> {
  const found = await lookBack(workspace, asked);
  if (found.kind !== "done") return found;
  const past = found.value;
  const { rows, registered, head, todos, at } = past;
  const { goal } = registered;
  const subject = { goal_id: goal.goal_id, registered };
  const plan = planPartOf({
    goal_id: goal.goal_id,
    declared: goal,
    shares_state_file_with: registered.shares_state_file_with,
    registry_changed_at: notAfter(rows.changed_at, at.time),
    state: asOf(stateOf(workspace, rows, subject), at.time),
    head,
    withheld: [],
    problem: null,
    ...(await shownTodos(past.workspace, { goalId: goal.goal_id, todos, agents: goal.registered_agents })),
  });
  const runs = await readRuns(past.workspace, goal.goal_id, head, at.time);
  return done({ view: viewOf(plan, runs, { head, clock_stepped: null, now: at.time }), past });
}

/** (S1) */
function asOf(state: StateReading, time: Instant): StateReading {
  return state.kind === "read"
    ? { ...state, changed_at: notAfter(state.changed_at, time) }
    : { ...state, since: notAfter(state.since, time) };
}

function notAfter(instant: Instant, time: Instant): Instant {
  return laterOf(instant, time) === instant ? time : instant;
}
