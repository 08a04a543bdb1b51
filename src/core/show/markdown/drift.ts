/**
 * `loopx drift` for people: both sides, since when, and what puts it right.
 *
 * D1  A `screen` has at most 24 lines; where a part was asked for, all entries of the payload are shown.
 * D2  After `--fix` the page says what was done first, then what is left.
 */
import type { Drift } from "../../drift/drift.ts";
import type { Instant } from "../../instant.ts";
import type { DriftPayload } from "../drift-list.ts";
import { code, markdown } from "../escape.ts";
import { age } from "./age.ts";
import { counted, list, page } from "./table.ts";
import { fitted } from "./width.ts";
import { id, remedy, text } from "./words.ts";

const SCREEN_ENTRIES = 4;
const SCREEN_TEXT = 64;
const WHOLE_TEXT = 200;
const SCREEN_FIXED = 6;

export interface ShownDrift extends DriftPayload {
  /** With `--fix`. */
  readonly fixed?: readonly {
    readonly goal_id: string;
    readonly kind: string;
    readonly outcome: "fixed" | "would_fix" | "not_fixed";
    readonly message: string;
  }[];
}

export interface DriftView {
  readonly now: Instant;
  /** `all` where a part was asked for: `--goal-id`, `--limit`, `--cursor`, `--all`. */
  readonly rows: "screen" | "all";
}

export function driftPage(answer: ShownDrift, { now, rows }: DriftView): string {
  const { drift, fixed } = answer;
  const room = fixed === undefined || fixed.length === 0 ? SCREEN_ENTRIES : SCREEN_ENTRIES - 2;
  const shown = rows === "all" ? drift : drift.slice(0, room); // (D1)
  return page(
    ...fixedBlocks(fixed, rows),
    [headline(answer)],
    [...shown.flatMap((entry) => driftLines(entry, { now, rows })), ...moreLines(answer, drift.length - shown.length)],
    nextLine(answer),
  );
}

function headline({ drift, goal_count, left_out }: DriftPayload): string {
  const seen = counted(goal_count - left_out.goals, "goal");
  return drift.length === 0 ? `# No drift in ${seen}` : `# Drift: ${counted(drift.length, "entry", "entries")} in ${seen}`;
}

const OUTCOMES = { fixed: "fixed", would_fix: "would fix", not_fixed: "could not fix" } as const;

/** D2. */
function fixedBlocks(fixed: ShownDrift["fixed"], rows: DriftView["rows"]): readonly (readonly string[])[] {
  if (fixed === undefined) return [];
  const done = fixed.filter((entry) => entry.outcome !== "not_fixed").length;
  const shown = rows === "all" ? fixed : fixed.slice(0, SCREEN_FIXED);
  const entries = shown.map(
    (entry) => `${OUTCOMES[entry.outcome]}: ${id(entry.goal_id)} ${markdown(entry.kind)}: ${text(entry.message, 160)}`,
  );
  const more = fixed.length - shown.length;
  const head = fixed.some((entry) => entry.outcome === "would_fix") ? `Would be repaired: ${done}` : `Repaired: ${done}`;
  return [[`# ${head}`], list([...entries, ...(more > 0 ? [`and ${more} more`] : [])])];
}

function moreLines({ left_out }: DriftPayload, hidden: number): readonly string[] {
  const rest = [
    hidden > 0 ? `${counted(hidden, "entry", "entries")} more: ${code("loopx drift --limit 1000")}` : "",
    left_out.goals > 0 ? `${counted(left_out.goals, "goal")} not looked at yet: ${left_out.get.map(code).join(" or ")}` : "",
    left_out.goals === 0 && left_out.get.length > 0 ? `some texts are shortened: ${left_out.get.map(code).join(" or ")}` : "",
  ];
  return list(rest.filter(Boolean));
}

function nextLine({ drift, fixed }: ShownDrift): readonly string[] {
  const safe = drift.some(({ fix }) => "command" in fix && fix.safe);
  if (safe && fixed === undefined) {
    return [`Next: ${code("loopx drift --fix")} does what is safe; ${code("loopx drift --fix --dry-run")} shows it`];
  }
  if (fixed?.some((entry) => entry.outcome === "would_fix") === true) return [`Next: ${code("loopx drift --fix")}`];
  return [`Next: ${code("loopx status")}`];
}

export function driftLines(entry: Drift, { now, rows }: DriftView): readonly string[] {
  const subject = entry.subject === undefined ? "" : `, ${text(entry.subject, 60)}`;
  const side = (value: string): string => (rows === "all" ? text(value, WHOLE_TEXT) : fitted(value, SCREEN_TEXT));
  return [
    `- ${id(entry.goal_id)} **${entry.kind}** (${entry.severity}, ${age(entry.since, now)}${subject})`,
    `  - declared: ${side(entry.declared)}`,
    `  - observed: ${side(entry.observed)}`,
    `  - fix: ${remedy(entry.fix)}`,
  ];
}
