/**
 * `loopx status` for people: who has to act first, then the goals, and at the end what to type next.
 *
 * E1  A `screen` has at most 24 lines, whatever the number of goals; where a part was asked for, all rows of the payload are shown.
 * E3  The command behind "and 7 more" shows those: nothing falls between two pages.
 * E2  Ages are worded relative to `now`; everything from data is escaped.
 */
import { loopxCommand } from "../../command-line.ts";
import { goalCommandFor } from "../../drift/drift.ts";
import type { Instant } from "../../instant.ts";
import type { AttentionItem } from "../attention.ts";
import { code } from "../escape.ts";
import type { StatusPayload, StatusRow } from "../status.ts";
import { age } from "./age.ts";
import { counted, page, table } from "./table.ts";
import { id, place, text, when, who } from "./words.ts";

const QUEUE_LINES = 5;
const GOAL_LINES = 6;

export interface StatusView {
  readonly now: Instant;
  /** `screen` for a plain `loopx status`; `all` with `--limit`, `--cursor`, `--all` or `--goal-id`. */
  readonly rows: "screen" | "all";
}

export function statusPage(status: StatusPayload, view: StatusView): string {
  return page([headline(status)], queue(status, view), goals(status, view), [
    ...trouble(status),
    `Next: ${code(nextCommand(status))}`,
  ]);
}

function headline({ goal_count, counts }: StatusPayload): string {
  const waiting = counts.waiting_for_person;
  const stopped = counts.stopped > 0 ? `, ${counts.stopped} stopped` : "";
  return `# LoopX: ${counted(goal_count, "goal")}${stopped}, ${waiting === 1 ? "1 waits" : `${waiting} wait`} for a person`;
}

function queue({ attention_queue, left_out }: StatusPayload, { now, rows: extent }: StatusView): readonly string[] {
  if (attention_queue.length === 0) return [];
  const rows = attention_queue.slice(0, extent === "all" ? undefined : QUEUE_LINES).map((item) => queueRow(item, now));
  const hidden = attention_queue.length - rows.length;
  return [
    ...table(["goal", "waits for", "severity", "to do", "since"], rows),
    ...moreLine({ hidden, left: left_out.attention, cursor: left_out.attention_cursor }),
  ];
}

function queueRow(item: AttentionItem, now: Instant): readonly string[] {
  return [id(item.goal_id), who(item), item.severity, text(item.recommended_action, 70), age(item.since, now)];
}

function goals({ goals: all, left_out }: StatusPayload, { now, rows: extent }: StatusView): readonly string[] {
  if (all.length === 0) return [];
  const rows = all.slice(0, extent === "all" ? undefined : GOAL_LINES).map((row) => goalRow(row, now));
  const hidden = all.length - rows.length;
  return [
    ...table(["goal", "runs", "open todos", "next action", "latest run", "drift"], rows),
    ...moreLine({ hidden, left: left_out.goals, cursor: left_out.goals_cursor }),
  ];
}

function goalRow(row: StatusRow, now: Instant): readonly string[] {
  const stopped = row.activation === "stopped" ? ` (${row.lifecycle === "archived" ? "archived" : "stopped"})` : "";
  const run = row.latest_run;
  return [
    id(row.goal_id) + stopped,
    String(row.run_count ?? "-"),
    String(row.todos?.open ?? "-"),
    text(row.next_action ?? null, 50),
    run ? `${text(run.classification, 24)}, ${when(run.generated_at, now)}` : "-",
    driftCell(row),
  ];
}

function driftCell({ drift = [], left_out }: StatusRow): string {
  const count = drift.length + (left_out?.drift ?? 0);
  const first = drift[0]?.kind;
  if (count === 0) return "-";
  return first === undefined ? String(count) : `${first}${count > 1 ? ` +${count - 1}` : ""}`;
}

/** E3. Rows of the payload that the screen has no room for come before those behind its cursor. */
function moreLine({
  hidden,
  left,
  cursor,
}: {
  readonly hidden: number;
  readonly left: number;
  readonly cursor: string | null;
}): readonly string[] {
  if (hidden + left === 0) return [];
  if (hidden > 0 || cursor === null) return [`and ${hidden + left} more: ${code(loopxCommand("status", "--limit", "100"))}`];
  return [`and ${left} more: ${code(loopxCommand("status", "--cursor", cursor))}`];
}

/** What is wrong with the registry, and what is not on this page although it could be, in at most two lines. */
function trouble({ problems, checked, left_out }: StatusPayload): readonly string[] {
  return [...registryLine(problems), ...(checked.earlier > 0 ? [earlierLine(checked)] : shortenedLine(left_out))];
}

function registryLine([first, ...more]: StatusPayload["problems"]): readonly string[] {
  if (first === undefined) return [];
  const rest = more.length === 0 ? "" : `, and ${more.length} more: ${code("loopx registry")}`;
  return [`Registry: ${text(first.message, 100)}${place(first)}${rest}`];
}

function earlierLine({ earlier, oldest }: StatusPayload["checked"]): string {
  const since = oldest === null ? "" : `, the oldest at ${oldest}`;
  return `${counted(earlier, "goal")} not looked at this time${since}: ${code("loopx status --all")}`;
}

function shortenedLine({ texts, get }: StatusPayload["left_out"]): readonly string[] {
  const whole = get.at(-1);
  return texts === 0 || whole === undefined ? [] : [`Some texts are shortened; whole: ${code(whole)}`];
}

function nextCommand({ goal_count, attention_queue, goals: rows }: StatusPayload): string {
  const [first] = attention_queue;
  if (goal_count === 0) return 'loopx init --objective "What is to be reached"';
  if (first !== undefined && "command" in first.fix && first.fix.safe) return first.fix.command;
  const goal = first?.goal_id ?? rows[0]?.goal_id;
  return goal === undefined ? loopxCommand("goal", "list") : goalCommandFor(goal, "goal show");
}
