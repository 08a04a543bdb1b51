/** `loopx history` for people. */
import type { Instant } from "../../instant.ts";
import { code } from "../escape.ts";
import type { HistoryPayload } from "../history.ts";
import type { ShownRun } from "../history-run.ts";
import { screenTable } from "./screen-table.ts";
import { counted, page } from "./table.ts";
import { fitted } from "./width.ts";
import { id, shortWhen } from "./words.ts";

const GOAL_WIDTH = 18;
const CLASS_WIDTH = 18;
const AGENT_WIDTH = 10;
const DAMAGE_LINES = 3;

export function historyPage(history: HistoryPayload, now: Instant): string {
  const { runs, run_count, goal_filter, goal_count, left_out, goals } = history;
  const of = goal_filter === null ? counted(goal_count, "goal") : id(goal_filter);
  const damaged = goals.filter((goal) => goal.damage_count > 0).slice(0, DAMAGE_LINES);
  const rows = runs.map((run) => runRow(run, now));
  return page(
    [`# Runs of ${of}: ${run_count}`],
    rows.length === 0 ? ["No run yet."] : screenTable({ head: ["when", "goal", "class", "action", "by"], rows, flexible: 3 }),
    damaged.map((goal) => `${id(goal.id)}: ${counted(goal.damage_count, "line")} of the run index cannot be read`),
    left_out.runs > 0 ? [`${counted(left_out.runs, "older run")} not shown`] : [],
    [`Next: ${left_out.get.length > 0 ? left_out.get.map(code).join(" or ") : code("loopx status")}`],
  );
}

function runRow(run: ShownRun, now: Instant): readonly string[] {
  const files = run["json_exists"] === false ? " (its file is gone)" : "";
  return [
    `${shortWhen(run.generated_at, now)}${run.future === true ? " (future)" : ""}`,
    fitted(textOf(run.goal_id), GOAL_WIDTH),
    fitted(textOf(run.classification), CLASS_WIDTH),
    `${textOf(run.recommended_action) ?? "-"}${files}`,
    fitted(textOf(run["agent_id"]), AGENT_WIDTH),
  ];
}

function textOf(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}
