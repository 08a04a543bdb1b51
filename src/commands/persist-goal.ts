/** Takes what a registry edit changed into the journal of its goal, and shows it in the files beside the store. */
import { done, type Problem, type Reply } from "../core/result.ts";
import { stateOf } from "./read-plan.ts";
import { findWritable, registryRows } from "./registry-rows.ts";
import { showWrite } from "./show-write.ts";
import type { GoalSubject } from "./view-key.ts";
import type { WritingWorkspace } from "./workspace.ts";
import { writeGoal } from "./write-goal.ts";

export interface Persisted {
  /** How many facts were recorded. */
  readonly events: number;
  readonly warnings: readonly Problem[];
}

export async function persistGoal(workspace: WritingWorkspace, goalId: string): Promise<Reply<Persisted>> {
  const rows = await registryRows(workspace);
  if (rows.kind !== "done") return rows;
  const registered = await findWritable(rows.value, goalId);
  if (registered.kind !== "done") return registered;
  const subject: GoalSubject = { goal_id: registered.value.goal.goal_id, registered: registered.value };
  const state = stateOf(workspace, rows.value, subject);
  const written = await writeGoal(workspace, rows.value, { subject, state, commands: () => [], rehearse: "store" });
  if (written.kind === "refusal" || written.kind === "bad_input") return written;
  if (written.kind === "replayed") return done({ events: 0, warnings: [] });
  const { draft, base } = written;
  const { warnings } = await showWrite(workspace, rows.value, { subject, events: draft.events, head: draft.head, base });
  return done({ events: draft.events.length, warnings });
}
