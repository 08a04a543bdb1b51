/**
 * Where the files of a run of the journal stand.
 *
 * Several runs of one second have numbered names, and only the files tell which is whose: they are looked into where
 * there is more than one.
 */
import { toRunTime } from "../core/instant.ts";
import { formatEventRef, formatJournalRef } from "../core/runs/event-ref.ts";
import { numberedStem, type RunPaths, runStem } from "../core/runs/stem.ts";
import type { RunEvent } from "../core/runs/summary.ts";
import { goalsFolder, type Workspace } from "./workspace.ts";

/** What tells the files of one run from those of another. */
export type NamedRun = Pick<RunEvent, "goal_id" | "generation" | "seq" | "at">;

const MOST_NAMES = 1000;

export function runNames(workspace: Pick<Workspace, "roots" | "tree" | "files" | "store">, event: NamedRun): RunPaths {
  const folder = `${goalsFolder(workspace)}/${event.goal_id}/runs`;
  const stem = runStem(toRunTime(event.at));
  const pathOf = (attempt: number): string => `${folder}/${numberedStem(stem, attempt)}.json`;
  let found = 1;
  if (workspace.tree.look(pathOf(2)) !== "missing") {
    for (let attempt = 1; attempt <= MOST_NAMES && workspace.tree.look(pathOf(attempt)) !== "missing"; attempt += 1) {
      if (!isRecordOf(workspace, pathOf(attempt), event)) continue;
      found = attempt;
      break;
    }
  }
  const json_path = pathOf(found);
  return { json_path, markdown_path: json_path.replace(/\.json$/, ".md") };
}

function isRecordOf(workspace: Pick<Workspace, "files" | "store">, path: string, event: NamedRun): boolean {
  const read = workspace.files.readText(path);
  if (read.kind !== "text") return false;
  const named = [
    `"loopx_event": ${JSON.stringify(formatEventRef(event))}`,
    JSON.stringify(formatJournalRef({ store_id: workspace.store.facts().store_id, generation: event.generation })),
  ];
  return named.every((part) => read.text.includes(part));
}
