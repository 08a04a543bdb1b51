/** Repairs of what is recorded of a goal: a run that follows the plan, files of a run that are gone. */
import { quote } from "../core/goal/handle.ts";
import { toRunTime } from "../core/instant.ts";
import type { RunEvent } from "../core/runs/summary.ts";
import { isRun, mirrorRun } from "./mirror-run.ts";
import { PLAIN_RUN } from "./plain-run.ts";
import { refresh } from "./refresh.ts";
import type { RegistryRows } from "./registry-rows.ts";
import { type Fix, notRepaired, type Repaired, repaired } from "./repair.ts";
import { runNames } from "./run-names.ts";
import type { WritingWorkspace } from "./workspace.ts";

/** As `loopx refresh` would. */
export async function recordRun(workspace: WritingWorkspace, _rows: RegistryRows, { subject }: Fix): Promise<Repaired> {
  const reply = await refresh(workspace, { ...PLAIN_RUN, goalId: subject.goal_id });
  return reply.kind === "done"
    ? repaired(`recorded a run: ${quote(reply.value.recommended_action)}`)
    : notRepaired(reply.message);
}

/** Runs that a view looks at are among the newest. */
const RUNS_LOOKED_AT = 100;

export async function writeRunFiles(
  workspace: WritingWorkspace,
  _rows: RegistryRows,
  { subject, drift }: Fix,
): Promise<Repaired> {
  const request = { goal_id: subject.goal_id, type: "run.recorded", order: "newest_first", limit: RUNS_LOOKED_AT } as const;
  const runs = (await workspace.store.events(request)).filter(isRun);
  const run: RunEvent | undefined = runs.find((event) => toRunTime(event.at) === drift.subject);
  if (run === undefined) return notRepaired("the journal has no run of that time among the newest");
  const { json_path, markdown_path } = runNames(workspace, run);
  const named = { json: nameOf(json_path), markdown: nameOf(markdown_path) };
  const outcome = await mirrorRun(workspace, run, { registered: subject.registered, named, attempt: "again" });
  return outcome.kind === "written"
    ? repaired(`wrote ${outcome.json_path}`)
    : notRepaired(`${outcome.path} could not be written (${outcome.code})`);
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}
