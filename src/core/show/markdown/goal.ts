/** `loopx goal show` for people. */
import { goalCommandFor } from "../../drift/drift.ts";
import type { Instant } from "../../instant.ts";
import { code, markdown } from "../escape.ts";
import type { GoalShowPayload } from "../goal-show.ts";
import type { ShownTodo } from "../view.ts";
import { age, ageOrDash } from "./age.ts";
import { driftLines } from "./drift.ts";
import { counted, list, page } from "./table.ts";
import { place, prose, remedy, text, when, who } from "./words.ts";

const SHOWN = 3;
const SHOWN_DRIFT = 2;
/** From here on a limit is worth a line. */
const NEAR_PERCENT = 80;

type Goal = GoalShowPayload["goal"];

export function goalPage({ goal, attention }: GoalShowPayload, now: Instant): string {
  return page(
    [`# ${markdown(goal.display_name ?? goal.goal_id)}`],
    facts(goal, now),
    section("Next Action", goal.next_action_entries.map(markdown)),
    section("For people", goal.todos.next_for_person.map(todo)),
    section("For agents", goal.todos.next_for_agents.map(todo)),
    goal.drift.length > 0 ? ["## Drift", "", ...driftOf(goal, now)] : [],
    section("Problems", goal.problems.map(problem)),
    attention === null ? [] : [waitLine(attention, now)],
    [`Next: ${nextStep(goal, attention)}`],
  );
}

type Attention = NonNullable<GoalShowPayload["attention"]>;

/** What a person has to do stands behind `Next:` already. */
function waitLine({ fix, recommended_action, since, ...item }: Attention, now: Instant): string {
  const waits = `Waits for ${who(item)}, ${age(since, now)}`;
  return "person" in fix && fix.person === recommended_action ? waits : `${waits}: ${prose(recommended_action)}`;
}

function nextStep(goal: Goal, attention: GoalShowPayload["attention"]): string {
  if (attention === null) return code(nextCommand(goal));
  const { fix } = attention;
  const showsThis = "command" in fix && fix.command === goalCommandFor(goal.goal_id, "goal show");
  return showsThis ? `do it, then ${code(goalCommandFor(goal.goal_id, "refresh"))}` : remedy(fix);
}

function nextCommand({ goal_id, registered, activation, next_action }: Goal): string {
  const isAimless = registered && activation === "active" && next_action === null;
  return isAimless ? goalCommandFor(goal_id, "refresh", "--next-action", "What comes next") : "loopx status";
}

function facts(goal: Goal, now: Instant): readonly string[] {
  const { todos, latest_run: run } = goal;
  const reason =
    goal.activation_reason === null ? "" : ` (${markdown(goal.activation_reason)}, ${ageOrDash(goal.activation_since, now)})`;
  const path = goal.state_file.path === null ? "" : ` ${code(goal.state_file.path)}`;
  return [
    `- id: ${code(goal.goal_id)}${goal.registered ? "" : ", not in the registry"}`,
    `- activation: ${goal.activation}${reason}`,
    `- objective: ${text(goal.objective, 300)}`,
    `- state file: ${goal.state_file.kind.replaceAll("_", " ")}${path}`,
    `- todos: ${todos.open} open (${todos.waiting_for_person} for people), ${todos.blocked} blocked, ${todos.deferred} deferred, ${todos.done} done`,
    `- runs: ${goal.run_count}${run === null ? "" : `, latest ${when(run.generated_at, now)}: ${text(run.classification, 40)}, ${markdown(run.recommended_action)}`}`,
    ...quotaLines(goal),
    ...(goal.future_runs > 0 ? [`- ${counted(goal.future_runs, "run")} dated in the future`] : []),
  ];
}

function quotaLines({ quota, limits }: Goal): readonly string[] {
  if (quota === null) return [];
  const { slots, state, window_hours, next_eligible_at } = quota;
  const reserved = slots.reserved > 0 ? `, ${slots.reserved} set aside` : "";
  const opens = next_eligible_at === null ? "" : `, goes on at ${next_eligible_at}`;
  const line = `- quota: ${state}, ${slots.used} of ${slots.allowed ?? "unlimited"} slots in ${window_hours} hours${reserved}${opens}`;
  const full = Object.entries(limits ?? {}).filter(([, { percent }]) => percent !== null && percent >= NEAR_PERCENT);
  return [line, ...full.map(([name, { used, limit }]) => `- ${name.replaceAll("_", " ")}: ${used} of ${limit}`)];
}

/** A heading with the first few entries and how many more there are. */
function section(title: string, entries: readonly string[]): readonly string[] {
  if (entries.length === 0) return [];
  const more = entries.length - SHOWN;
  return [`## ${title}`, "", ...list([...entries.slice(0, SHOWN), ...(more > 0 ? [`and ${more} more`] : [])])];
}

function driftOf({ goal_id, drift }: Goal, now: Instant): readonly string[] {
  const more = drift.length - SHOWN_DRIFT;
  const rest = more > 0 ? [`and ${more} more: ${code(goalCommandFor(goal_id, "drift"))}`] : [];
  return [...drift.slice(0, SHOWN_DRIFT).flatMap((entry) => driftLines(entry, { now, rows: "screen" })), ...list(rest)];
}

function todo({ todo_id, text: words, claimed_by }: ShownTodo): string {
  return `${markdown(words)} (${code(todo_id)}${claimed_by === undefined ? "" : `, claimed by ${markdown(claimed_by)}`})`;
}

function problem(entry: Goal["problems"][number]): string {
  return markdown(entry.message) + place(entry);
}
