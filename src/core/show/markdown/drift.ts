/** `loopx drift` for people: both sides, since when, and what puts it right. */
import type { Drift } from "../../drift/drift.ts";
import type { Instant } from "../../instant.ts";
import type { DriftPayload } from "../drift-list.ts";
import { code } from "../escape.ts";
import { age } from "./age.ts";
import { counted, page } from "./table.ts";
import { id, remedy, text } from "./words.ts";

export function driftPage({ drift, left_out, goal_count }: DriftPayload, now: Instant): string {
  const rest = [
    left_out.goals > 0 ? `${counted(left_out.goals, "goal")} not looked at yet` : "",
    ...left_out.get.map(code),
  ].filter(Boolean);
  const safe = drift.some(({ fix }) => "command" in fix && fix.safe);
  return page(
    [
      drift.length === 0
        ? `# No drift in ${counted(goal_count - left_out.goals, "goal")}`
        : `# Drift: ${counted(drift.length, "entry", "entries")}`,
    ],
    ...drift.map((entry) => driftLines(entry, now)),
    rest.length > 0 ? [rest.join(": ")] : [],
    safe
      ? [`Next: ${code("loopx drift --fix")} does what can be done safely; ${code("loopx drift --fix --dry-run")} shows it`]
      : [],
  );
}

export function driftLines(entry: Drift, now: Instant): readonly string[] {
  const subject = entry.subject === undefined ? "" : `, ${text(entry.subject, 60)}`;
  return [
    `- ${id(entry.goal_id)} **${entry.kind}** (${entry.severity}, ${age(entry.since, now)}${subject})`,
    `  - declared: ${text(entry.declared, 200)}`,
    `  - observed: ${text(entry.observed, 200)}`,
    `  - fix: ${remedy(entry.fix)}`,
  ];
}
