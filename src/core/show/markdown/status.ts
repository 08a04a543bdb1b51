/**
 * `loopx status` for people: who has to act first, then the goals, and at the end what to type next.
 *
 * E1  A `screen` has at most 24 lines of 80 columns, whatever the number of goals; where a part was asked for, all rows of the payload are
 *     shown, with longer texts. A command to paste is whole, however long.
 * E2  Ages are worded relative to `now`; everything from data is escaped.
 * E3  The command behind "and 7 more" shows those: nothing falls between two pages.
 */
import { loopxCommand } from "../../command-line.ts";
import type { DriftKind } from "../../drift/drift.ts";
import { goalCommandFor } from "../../drift/drift.ts";
import type { Instant } from "../../instant.ts";
import type { AttentionItem } from "../attention.ts";
import { code } from "../escape.ts";
import type { StatusPayload, StatusRow } from "../status.ts";
import { age, shortAge } from "./age.ts";
import { DRIFT_WORDS } from "./drift-words.ts";
import { screenTable } from "./screen-table.ts";
import { counted, page, table } from "./table.ts";
import { fitted } from "./width.ts";
import { id, shortWhen, text, when, who } from "./words.ts";

const QUEUE_LINES = 5;
const GOAL_LINES = 6;
/** Where no queue stands above them. */
const GOAL_LINES_ALONE = 14;
const GOAL_WIDTH = 22;

export interface StatusView {
  readonly now: Instant;
  /** `all` where a part was asked for: `--limit`, `--cursor`, `--all`. */
  readonly rows: "screen" | "all";
}

export function statusPage(status: StatusPayload, view: StatusView): string {
  return page([headline(status)], queue(status, view), goals(status, view), [
    ...trouble(status, view),
    `Next: ${code(nextCommand(status))}`,
  ]);
}

function headline({ goal_count, counts }: StatusPayload): string {
  const waiting = counts.waiting_for_person;
  const stopped = counts.stopped > 0 ? `, ${counts.stopped} stopped` : "";
  const wait = waiting === 0 ? "none waits" : waiting === 1 ? "1 waits" : `${waiting} wait`;
  return `# LoopX: ${counted(goal_count, "goal")}${stopped}, ${wait} for a person`;
}

function queue({ attention_queue, left_out }: StatusPayload, { now, rows: extent }: StatusView): readonly string[] {
  if (attention_queue.length === 0) return [];
  const items = extent === "all" ? attention_queue : screenful(attention_queue, QUEUE_LINES, left_out.attention);
  const hidden = attention_queue.length - items.length;
  return [
    ...(extent === "all" ? wideQueue(items, now) : screenQueue(items, now)),
    ...moreLine({ hidden, left: left_out.attention, cursor: left_out.attention_cursor }),
  ];
}

/** One row more where the line that tells of it would take its place. */
function screenful<Row>(rows: readonly Row[], lines: number, left: number): readonly Row[] {
  return left === 0 && rows.length === lines + 1 ? rows : rows.slice(0, lines);
}

function wideQueue(items: readonly AttentionItem[], now: Instant): readonly string[] {
  const row = (item: AttentionItem): readonly string[] => [
    id(item.goal_id),
    who(item),
    item.severity,
    text(withoutTicks(item), 70),
    age(item.since, now),
  ];
  return table(["goal", "waits for", "severity", "to do", "since"], items.map(row));
}

function screenQueue(items: readonly AttentionItem[], now: Instant): readonly string[] {
  const row = (item: AttentionItem): readonly string[] => [
    fitted(item.goal_id, GOAL_WIDTH),
    who(item),
    withoutTicks(item),
    shortAge(item.since, now),
  ];
  return screenTable({ head: ["goal", "waits for", "to do", "since"], rows: items.map(row), flexible: 2 });
}

/** Commands stand in a cell as plain words: half a code span is none. */
function withoutTicks({ recommended_action }: AttentionItem): string {
  return recommended_action.replaceAll("`", "");
}

function goals({ goals: all, left_out, attention_queue }: StatusPayload, { now, rows: extent }: StatusView): readonly string[] {
  if (all.length === 0) return [];
  const lines = attention_queue.length === 0 ? GOAL_LINES_ALONE : GOAL_LINES;
  const rows = extent === "all" ? all : screenful(all, lines, left_out.goals);
  const hidden = all.length - rows.length;
  return [
    ...(extent === "all" ? wideGoals(rows, now) : screenGoals(rows, now)),
    ...moreLine({ hidden, left: left_out.goals, cursor: left_out.goals_cursor }),
  ];
}

function wideGoals(rows: readonly StatusRow[], now: Instant): readonly string[] {
  const row = (goal: StatusRow): readonly string[] => {
    const run = goal.latest_run;
    return [
      id(goal.goal_id) + rest(goal),
      String(goal.run_count ?? "-"),
      String(goal.todos?.open ?? "-"),
      text(goal.next_action ?? null, 50),
      run ? `${text(run.classification, 24)}, ${when(run.generated_at, now)}` : "-",
      driftCell(goal, (kind) => kind),
    ];
  };
  return table(["goal", "runs", "open todos", "next action", "latest run", "drift"], rows.map(row));
}

function screenGoals(rows: readonly StatusRow[], now: Instant): readonly string[] {
  const row = (goal: StatusRow): readonly string[] => {
    const note = rest(goal);
    return [
      fitted(goal.goal_id, GOAL_WIDTH - note.length) + note,
      String(goal.todos?.open ?? "-"),
      goal.next_action ?? "",
      goal.latest_run ? shortWhen(goal.latest_run.generated_at, now) : "-",
      driftCell(goal, (kind) => DRIFT_WORDS[kind]),
    ];
  };
  return screenTable({ head: ["goal", "todos", "next action", "last run", "drift"], rows: rows.map(row), flexible: 2 });
}

function rest({ activation, lifecycle }: StatusRow): string {
  if (activation !== "stopped") return "";
  return lifecycle === "archived" ? " (archived)" : " (stopped)";
}

function driftCell({ drift = [], left_out }: StatusRow, word: (kind: DriftKind) => string): string {
  const count = drift.length + (left_out?.drift ?? 0);
  const first = drift[0]?.kind;
  if (count === 0) return "-";
  return first === undefined ? String(count) : `${word(first)}${count > 1 ? ` +${count - 1}` : ""}`;
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
function trouble({ problems, checked, left_out, goal_filter }: StatusPayload, { now, rows }: StatusView): readonly string[] {
  const rest = rows === "all" ? shortenedLine(left_out) : [];
  const isOld = goal_filter === null && checked.earlier > 0;
  return [...registryLine(problems), ...(isOld ? [earlierLine(checked, now)] : rest)];
}

function registryLine([first, ...more]: StatusPayload["problems"]): readonly string[] {
  if (first === undefined) return [];
  const where = first.line === null ? "" : `, line ${first.line}`;
  const rest = more.length === 0 ? "" : `, ${more.length} more`;
  return [`Registry: ${fitted(first.message, 36)}${where}${rest}: ${code("loopx registry")}`];
}

function earlierLine({ earlier, oldest }: StatusPayload["checked"], now: Instant): string {
  const since = oldest === null ? "" : ` (oldest look ${age(oldest, now)})`;
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
  const aimless = first === undefined ? rows.find(isAimless) : undefined;
  if (aimless !== undefined) return goalCommandFor(aimless.goal_id, "refresh", "--next-action", "What comes next");
  const goal = first?.goal_id ?? rows[0]?.goal_id;
  return goal === undefined ? loopxCommand("goal", "list") : goalCommandFor(goal, "goal show");
}

/** A goal that can be worked on and does not say how to begin. */
function isAimless({ registered, activation, next_action }: StatusRow): boolean {
  return registered === true && activation === "active" && next_action === null;
}
