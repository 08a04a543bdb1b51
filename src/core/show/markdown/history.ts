/** `loopx history` for people. */
import type { Instant } from "../../instant.ts";
import { code } from "../escape.ts";
import type { HistoryPayload } from "../history.ts";
import type { ShownRun } from "../history-run.ts";
import { counted, page, table } from "./table.ts";
import { id, text, when } from "./words.ts";

export function historyPage(history: HistoryPayload, now: Instant): string {
  const { runs, run_count, goal_filter, goal_count, left_out, goals } = history;
  const of = goal_filter === null ? counted(goal_count, "goal") : id(goal_filter);
  const damaged = goals.filter((goal) => goal.damage_count > 0);
  return page(
    [`# Runs of ${of}: ${run_count}`],
    runs.length === 0
      ? ["No run yet."]
      : table(
          ["when", "goal", "class", "action", "by"],
          runs.map((run) => runRow(run, now)),
        ),
    damaged.map((goal) => `${id(goal.id)}: ${counted(goal.damage_count, "line")} of the run index cannot be read`),
    left_out.runs > 0 ? [`${counted(left_out.runs, "older run")} not shown`] : [],
    left_out.get.length > 0 ? [`Next: ${left_out.get.map(code).join(" or ")}`] : [],
  );
}

function runRow(run: ShownRun, now: Instant): readonly string[] {
  const files = run["json_exists"] === false ? " (its file is gone)" : "";
  return [
    `${when(run.generated_at, now)}${run.future === true ? " (future)" : ""}`,
    id(String(run.goal_id ?? "-")),
    text(textOf(run.classification), 32),
    text(textOf(run.recommended_action), 80) + files,
    text(textOf(run["agent_id"]), 24),
  ];
}

function textOf(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}
