/** `loopx archives` for people. */
import { loopxCommand } from "../../command-line.ts";
import type { Instant } from "../../instant.ts";
import { code } from "../escape.ts";
import { age } from "./age.ts";
import { list, page } from "./table.ts";
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
  const lines = archives.map(({ goal_id, archived_at, restored_at, archive_path }) => {
    const back = restored_at === null ? "" : `, restored ${age(restored_at, now)}`;
    return `${id(goal_id)}, archived ${age(archived_at, now)}${back}: ${code(archive_path)}`;
  });
  const back = archives.find((archive) => archive.restored_at === null);
  const next =
    back === undefined ? [] : [loopxCommand("restore", "--goal-id", back.goal_id, "--archive-path", back.archive_path)];
  const commands = [...next, ...left_out.get];
  return page([archives.length === 0 ? "# No archives" : "# Archives"], list(lines), [
    `Next: ${(commands.length === 0 ? ["loopx status"] : commands).map(code).join(" or ")}`,
  ]);
}
