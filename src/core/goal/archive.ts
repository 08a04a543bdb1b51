/**
 * Archive and restore as journaled sequences: started, then done, with the move of the folder in between.
 *
 * Does not own: moving files (`commands/archive-finish.ts`, `commands/restore-finish.ts`) and the target's name
 * (`archive-name.ts`).
 *
 * G10  `archive.done` and `restore.done` follow only their own `started`; starting twice keeps the first target.
 * G11  An archive of a journal's own past continues that journal, so it comes back only where that journal stands archived.
 *      What no journal knows brings no past: it may come to a goal that stands, when its folder is gone.
 */
import { loopxCommand } from "../command-line.ts";
import type { GoalFact } from "../events.ts";
import type { Refusal } from "../result.ts";
import { refuse } from "../result.ts";
import type { GoalHead } from "./head.ts";

interface Move {
  readonly source: string;
  readonly target: string;
}

export function startArchive(head: GoalHead, move: Move): readonly GoalFact[] | Refusal {
  switch (head.lifecycle.kind) {
    case "archiving":
      return []; // (G10)
    case "archived":
      return refuse("goal_archived", `Goal ${head.goal_id} is archived at ${head.lifecycle.target}.`, {
        fix: loopxCommand("restore", "--goal-id", head.goal_id),
        details: { goal_id: head.goal_id, archive_path: head.lifecycle.target },
      });
    case "restoring":
      return refuse("goal_moving", `Goal ${head.goal_id} is being restored from ${head.lifecycle.source}.`);
    default:
      return [{ type: "archive.started", data: { source: move.source, target: move.target } }];
  }
}

export function finishArchive(head: GoalHead): readonly GoalFact[] {
  return head.lifecycle.kind === "archiving" ? [{ type: "archive.done", data: { target: head.lifecycle.target } }] : [];
}

/** `archive`: `own` is of the generation that stands, `foreign` of another one, another store or another program. */
export function startRestore(
  head: GoalHead,
  move: Move & { readonly archive: "own" | "foreign" },
): readonly GoalFact[] | Refusal {
  switch (head.lifecycle.kind) {
    case "restoring":
      return []; // (G10)
    case "archiving":
      return refuse("goal_moving", `Goal ${head.goal_id} is on its way to ${head.lifecycle.target}.`);
    case "archived":
      return [started(move)];
    default:
      return move.archive === "foreign" ? [started(move)] : goalExists(head.goal_id); // (G11)
  }
}

export function finishRestore(head: GoalHead): readonly GoalFact[] {
  return head.lifecycle.kind === "restoring" ? [{ type: "restore.done", data: { source: head.lifecycle.source } }] : [];
}

export function goalExists(goalId: string): Refusal {
  return refuse("goal_exists", `Goal ${goalId} is there; archive it before an older one takes its place.`, {
    fix: loopxCommand("archive", "--goal-id", goalId, "--allow-registered"),
    details: { goal_id: goalId },
  });
}

function started({ source, target }: Move): GoalFact {
  return { type: "restore.started", data: { source, target } };
}
