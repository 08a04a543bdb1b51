/**
 * The readable summary of a run, `<stem>.md`.
 *
 * Values stand as the reference prints them: `True`, `False`, `None` in backticks (data-plane 0.4).
 */
import { toRunTime } from "../instant.ts";
import { formatEventRef } from "./event-ref.ts";
import { laneOf } from "./record.ts";
import type { RunEvent } from "./summary.ts";

export function runMarkdown(event: RunEvent): string {
  const { data } = event;
  const lines = ["# LoopX State Refresh", "", ...factsOf(event).map(([name, value]) => `- ${name}: \`${shown(value)}\``)];
  lines.push(
    "",
    "## Recommended Action",
    `- source: \`${shown(data.recommended_action_source)}\``,
    visible(data.recommended_action),
  );
  section(
    lines,
    "Next Action",
    data.state?.next_action.map((entry) => `- ${entry}`),
  );
  section(lines, "Recent Feedback", data.state?.recent_feedback);
  section(lines, "Progress", data.state?.progress);
  return `${lines.join("\n")}\n`;
}

type Fact = readonly [name: string, value: string | undefined];

function factsOf(event: RunEvent): readonly Fact[] {
  const { data } = event;
  return [
    ["ok", "True"],
    ["dry_run", "False"],
    ["appended", "True"],
    ["goal_id", event.goal_id],
    ["classification", data.classification],
    ["progress_scope", data.progress_scope],
    ["agent_id", event.agent_id],
    ["agent_lane", laneOf(event)],
    ["delivery_batch_scale", data.delivery_batch_scale],
    ["delivery_outcome", data.delivery_outcome],
    ...named("todo_id", data.todo_id),
    ...named("turn_instance_id", data.turn_instance_id),
    ["generated_at", toRunTime(event.at)],
    ["state_file", data.state?.path],
    ["state_updated_at", data.state?.frontmatter["updated_at"]],
    ["health_check", data.health_check],
    ["loopx_event", formatEventRef(event)],
  ];
}

function named(name: string, value: string | undefined): readonly Fact[] {
  return value === undefined ? [] : [[name, value]];
}

function section(lines: string[], title: string, entries: readonly string[] | undefined): void {
  if (entries === undefined || entries.length === 0) return;
  lines.push("", `## ${title}`, ...entries.map(visible));
}

function shown(value: string | undefined): string {
  return value === undefined ? "None" : visible(value);
}

/** A control character in a title must not reach a terminal through `cat`. */
function visible(text: string): string {
  return text.replace(/[^\P{Cc}\n\t]/gu, (mark) => `\\u${mark.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
