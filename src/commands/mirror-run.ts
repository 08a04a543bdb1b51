/**
 * The files of a recorded run: written after the commit, never in its way.
 *
 * Does not own: what they hold (`core/runs`), repairing them (`doctor.ts`).
 *
 * M1  Each process writes the files of the run that it recorded; what a kill leaves out, `doctor --fix` writes.
 * M2  Of a goal that was archived meanwhile nothing is written: whoever archived it wrote the files of all its runs.
 */
import type { GoalEvent } from "../core/events.ts";
import { toRunTime } from "../core/instant.ts";
import { formatEventRef, formatJournalRef } from "../core/runs/event-ref.ts";
import { runMarkdown } from "../core/runs/markdown.ts";
import type { RunNames } from "../core/runs/mirror.ts";
import { indexRowText, type RecordedGoal, runRecordText } from "../core/runs/record.ts";
import { runStem } from "../core/runs/stem.ts";
import type { RunEvent } from "../core/runs/summary.ts";
import type { MirrorOutcome, MirrorRequest } from "../ports/run-files.ts";
import { whileStanding } from "./archive-standing.ts";
import type { RegisteredGoal } from "./registry-rows.ts";
import { goalsFolder, type WritingWorkspace } from "./workspace.ts";

/** `named`: names that a row of the index gives already, when its files are to be completed. */
export async function mirrorRun(
  workspace: WritingWorkspace,
  event: RunEvent,
  beside: {
    readonly registered: RegisteredGoal | null;
    readonly named: RunNames | null;
    readonly attempt: MirrorRequest["attempt"];
  },
): Promise<MirrorOutcome> {
  const outcome = await whileStanding(workspace.store, [event.goal_id], (standing) =>
    standing.get(event.goal_id) === event.generation ? writeRunFiles(workspace, event, beside) : archivedSince(workspace, event),
  );
  if (outcome.kind === "written") await workspace.store.saveMirroredSeq(event.goal_id, event.generation, event.seq);
  else workspace.log.write("warn", "run_files_not_written", { goal_id: event.goal_id, seq: event.seq, ...outcome });
  return outcome;
}

/** (M2) */
function archivedSince(workspace: Pick<WritingWorkspace, "roots">, { goal_id }: RunEvent): MirrorOutcome {
  return { kind: "failed", step: "folder", code: "archived", path: `${goalsFolder(workspace)}/${goal_id}/runs` };
}

/** Synchronous: `doctor` calls it while it alone may write shared files. */
export function writeRunFiles(
  workspace: Pick<WritingWorkspace, "store" | "mirror">,
  event: RunEvent,
  { registered, named, attempt }: Parameters<typeof mirrorRun>[2],
): MirrorOutcome {
  const context = { store_id: workspace.store.facts().store_id, registry_goal: recordedGoal(registered) };
  return workspace.mirror.write({
    goal_id: event.goal_id,
    stem: runStem(toRunTime(event.at)),
    event: formatEventRef(event),
    journal: formatJournalRef({ store_id: context.store_id, generation: event.generation }),
    record: runRecordText(event, context),
    markdown: runMarkdown(event),
    row: (paths) => indexRowText(event, { ...context, ...paths }),
    named,
    attempt,
  });
}

export function isRun(event: GoalEvent): event is RunEvent {
  return event.type === "run.recorded";
}

export function recordedGoal(registered: RegisteredGoal | null): RecordedGoal {
  const goal = registered?.goal ?? null;
  const sources = goal?.entry["authority_sources"];
  return {
    present: goal !== null,
    domain: goal?.domain ?? null,
    status: goal?.status ?? null,
    adapter: goal?.adapter ?? null,
    authority_source_count: Array.isArray(sources) ? sources.length : 0,
  };
}
