/** `restore` for people. */
import { loopxCommand } from "../../command-line.ts";
import { code } from "../escape.ts";
import { list, page } from "./table.ts";

export interface ShownRestoring {
  readonly goal_id: string;
  readonly dry_run: boolean;
  readonly archive_path: string;
}

export function restorePage({ goal_id, dry_run, archive_path }: ShownRestoring): string {
  return page(
    [dry_run ? "# The goal's runtime data would be put back (nothing was moved)" : "# The goal's runtime data is back"],
    list([`goal: ${code(goal_id)}`, `archive: ${code(archive_path)}`]),
    [`Next: ${code(loopxCommand(...(dry_run ? ["restore"] : ["goal", "show"]), "--goal-id", goal_id))}`],
  );
}
