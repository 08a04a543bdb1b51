/** Repairs of what a goal's state file and its journal say: each goes through the same commands as a person's. */
import type { GoalCommand } from "../core/goal/command.ts";
import { quote } from "../core/goal/handle.ts";
import { placesOf } from "./goal-places.ts";
import { newStateText } from "./new-state-text.ts";
import { stateOf } from "./read-plan.ts";
import type { RegistryRows } from "./registry-rows.ts";
import { type Fix, notRepaired, type Repaired, repaired } from "./repair.ts";
import { showWrite } from "./show-write.ts";
import type { GoalSubject } from "./view-key.ts";
import type { WritingWorkspace } from "./workspace.ts";
import { writeGoal } from "./write-goal.ts";

/** The text that was last accepted, or that of a new goal. */
export async function createStateFile(workspace: WritingWorkspace, _rows: RegistryRows, { subject }: Fix): Promise<Repaired> {
  const goal = subject.registered?.goal;
  const path = goal === undefined ? null : placesOf(workspace, goal).state_file;
  if (goal === undefined || path === null) return notRepaired("the registry names no state file");
  const { base } = await workspace.store.load({ goal_id: goal.goal_id, todos: "none", base: "text" });
  const objective = goal.display_name ?? goal.goal_id;
  const text = base?.text ?? newStateText({ goal_id: goal.goal_id, objective, now: workspace.clock.now() });
  const created = await workspace.store.exclusively(() => workspace.files.createFile(path, text));
  switch (created.kind) {
    case "created":
      return repaired(`wrote ${path}${base === null ? "" : ", as it was last read"}`);
    case "exists":
      return repaired(`somebody else wrote ${path}`);
    case "refused":
      return notRepaired(created.problem.message);
  }
}

export async function settleConflict(
  workspace: WritingWorkspace,
  rows: RegistryRows,
  { subject, drift }: Fix,
): Promise<Repaired> {
  const fields = drift.subject === undefined ? ["next_action"] : [drift.subject];
  const no = await write(workspace, rows, { subject, commands: [{ kind: "settle-conflicts", fields }] });
  return no === null ? repaired(`the file's text stands for ${fields.map(quote).join(", ")}`) : notRepaired(no);
}

/** Absence counts when the same file was read twice with two seconds between: a write that comes later persists it. */
export async function takeInAbsence(workspace: WritingWorkspace, rows: RegistryRows, { subject, drift }: Fix): Promise<Repaired> {
  const no = await write(workspace, rows, { subject, commands: [] });
  if (no !== null) return notRepaired(no);
  const { base } = await workspace.store.load({ goal_id: subject.goal_id, todos: "none", base: "text" });
  return base?.sighting === null || base === null
    ? repaired(`${drift.declared} is withdrawn`)
    : notRepaired("missing for less than two seconds: the same command settles it then, if the file stays as it is");
}

interface Writing {
  readonly subject: GoalSubject;
  readonly commands: readonly GoalCommand[];
}

/** Null, or why nothing was written. */
async function write(workspace: WritingWorkspace, rows: RegistryRows, { subject, commands }: Writing): Promise<string | null> {
  const state = stateOf(workspace, rows, subject);
  const written = await writeGoal(workspace, rows, { subject, state, commands: () => commands, rehearse: "store" });
  if (written.kind === "replayed") return "it was done already";
  if (written.kind !== "written") return written.message;
  const { draft, base } = written;
  await showWrite(workspace, rows, { subject, events: draft.events, head: draft.head, base });
  return null;
}
