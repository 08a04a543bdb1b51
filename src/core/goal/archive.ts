/**
 * Archive and restore as journaled sequences: started, then done, with the move of the folder in between.
 *
 * Does not own: moving files (`commands/archive.ts`) and the target's name.
 *
 * G10  `archive.done` and `restore.done` follow only their own `started`; starting twice keeps the first target.
 */
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
        details: { archive_path: head.lifecycle.target },
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

export function startRestore(head: GoalHead, move: Move): readonly GoalFact[] | Refusal {
  switch (head.lifecycle.kind) {
    case "restoring":
      return []; // (G10)
    case "archived":
      return [{ type: "restore.started", data: { source: move.source, target: move.target } }];
    default:
      return refuse("goal_exists", `Goal ${head.goal_id} has a runtime folder; archive it before another one takes its place.`, {
        fix: `loopx archive --goal-id ${head.goal_id}`,
      });
  }
}

export function finishRestore(head: GoalHead): readonly GoalFact[] {
  return head.lifecycle.kind === "restoring" ? [{ type: "restore.done", data: { source: head.lifecycle.source } }] : [];
}
