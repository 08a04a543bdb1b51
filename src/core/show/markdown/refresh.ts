/** `refresh` and `refresh --all` for people. */
import { loopxCommand } from "../../command-line.ts";
import type { Problem } from "../../result.ts";
import { code, markdown } from "../escape.ts";
import { counted, list, page } from "./table.ts";
import { id, problemLine, text } from "./words.ts";

export interface ShownRefresh {
  readonly goal_id: string;
  readonly dry_run: boolean;
  /** The turn had recorded this run before. */
  readonly idempotent_replay: boolean;
  readonly classification: string;
  readonly recommended_action: string;
  readonly generated_at: string;
  readonly agent_id: string | null;
  readonly json_path: string | null;
  readonly warnings: readonly Problem[];
}

export interface ShownRefreshAll {
  readonly dry_run: boolean;
  readonly goal_count: number;
  readonly refreshed: readonly { readonly goal_id: string; readonly events: number }[];
  readonly refused: readonly { readonly goal_id: string; readonly code: string; readonly message: string }[];
}

const SHOWN_GOALS = 10;

export function refreshPage(answer: ShownRefresh): string {
  const { goal_id, classification, recommended_action, generated_at, agent_id, json_path, warnings, dry_run } = answer;
  return page(
    [`# ${refreshHeadline(answer)}`],
    list([
      `goal: ${code(goal_id)}`,
      `run: ${text(classification, 60)}, ${markdown(generated_at)}${agent_id === null ? "" : `, by ${markdown(agent_id)}`}`,
      `next: ${text(recommended_action, 200)}`,
      ...(json_path === null ? [] : [`file: ${code(json_path)}`]),
    ]),
    list(warnings.map(problemLine)),
    [dry_run ? "Next: the same command without `--dry-run`" : `Next: ${code(loopxCommand("status", "--goal-id", goal_id))}`],
  );
}

function refreshHeadline({ dry_run, idempotent_replay }: ShownRefresh): string {
  if (idempotent_replay) return "This turn had recorded its run already: nothing changed";
  return dry_run ? "A run would be recorded (nothing was written)" : "Run recorded";
}

export function refreshAllPage({ dry_run, goal_count, refreshed, refused }: ShownRefreshAll): string {
  const taken = refreshed.slice(0, SHOWN_GOALS).map(({ goal_id, events }) => `${id(goal_id)}: ${counted(events, "change")}`);
  const more = refreshed.length - taken.length;
  const no = refused.slice(0, SHOWN_GOALS).map(({ goal_id, message }) => `${id(goal_id)} was left alone: ${text(message, 160)}`);
  return page(
    [`# ${allHeadline({ dry_run, goal_count, changed: refreshed.length })}`],
    list([...taken, ...(more > 0 ? [`and ${counted(more, "goal")} more`] : [])]),
    list([...no, ...(refused.length > no.length ? [`and ${counted(refused.length - no.length, "goal")} more`] : [])]),
    [`Next: ${code(dry_run && refreshed.length > 0 ? "loopx refresh --all" : "loopx status")}`],
  );
}

function allHeadline(found: { readonly dry_run: boolean; readonly goal_count: number; readonly changed: number }): string {
  const { dry_run, goal_count, changed } = found;
  if (changed === 0) return `Up to date: ${counted(goal_count, "goal")}`;
  return dry_run
    ? `${changed} of ${counted(goal_count, "goal")} would be brought up to date (nothing was written)`
    : `${changed} of ${counted(goal_count, "goal")} brought up to date`;
}
