/** `archive` and `restore` for people. */
import { loopxCommand } from "../../command-line.ts";
import { code } from "../escape.ts";
import { list, page } from "./table.ts";

export interface ShownArchiving {
  readonly goal_id: string;
  readonly dry_run: boolean;
  readonly archive_path: string;
}

export function archivePage({ goal_id, dry_run, archive_path }: ShownArchiving): string {
  const back = loopxCommand("restore", "--goal-id", goal_id, "--archive-path", archive_path);
  return page(
    [dry_run ? "# The goal's runtime data would be archived (nothing was moved)" : "# The goal's runtime data is archived"],
    list([`goal: ${code(goal_id)}`, `archive: ${code(archive_path)}`]),
    [dry_run ? `Next: ${code(loopxCommand("archive", "--goal-id", goal_id))}` : `Next: ${code(back)} puts it back`],
  );
}

export function restorePage({ goal_id, dry_run, archive_path }: ShownArchiving): string {
  return page(
    [dry_run ? "# The goal's runtime data would be put back (nothing was moved)" : "# The goal's runtime data is back"],
    list([`goal: ${code(goal_id)}`, `archive: ${code(archive_path)}`]),
    [`Next: ${code(loopxCommand(...(dry_run ? ["restore"] : ["goal", "show"]), "--goal-id", goal_id))}`],
  );
}
