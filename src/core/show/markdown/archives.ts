/** `loopx archives` for people. */
import { loopxCommand } from "../../command-line.ts";
import type { Instant } from "../../instant.ts";
import { code } from "../escape.ts";
import { age } from "./age.ts";
import { page, table } from "./table.ts";
import { id } from "./words.ts";

export interface ShownArchive {
  readonly goal_id: string;
  readonly archived_at: Instant;
  readonly restored_at: Instant | null;
  readonly archive_path: string;
}

/** Newest first. */
export interface ArchivesAnswer {
  readonly archives: readonly ShownArchive[];
  /** `get`: the commands that give more. */
  readonly left_out: { readonly get: readonly string[] };
}

export function archivesPage({ archives, left_out }: ArchivesAnswer, now: Instant): string {
  const rows = archives.map((archive) => [
    id(archive.goal_id),
    age(archive.archived_at, now),
    archive.restored_at === null ? "-" : age(archive.restored_at, now),
    code(archive.archive_path),
  ]);
  const back = archives.find((archive) => archive.restored_at === null);
  const next =
    back === undefined ? [] : [loopxCommand("restore", "--goal-id", back.goal_id, "--archive-path", back.archive_path)];
  const commands = [...next, ...left_out.get];
  return page(
    [archives.length === 0 ? "# No archives" : "# Archives"],
    rows.length === 0 ? [] : table(["goal", "archived", "restored", "folder"], rows),
    [`Next: ${(commands.length === 0 ? ["loopx status"] : commands).map(code).join(" or ")}`],
  );
}
