/**
 * What a heading means: the one list of words (data-plane 15.13: the reference has four that disagree).
 *
 * R1  Case and white space do not matter. A level-1 heading is a title, never a section with a role.
 * R2  Archive words win over all others. Of user and agent words the one that stands first in the title wins.
 * R3  "Owner" alone is no user word: "Owner notes" is not a list of todos.
 */
import type { SectionRole } from "./plan.ts";
import { collapse } from "./white-space.ts";

export const CANONICAL_TITLE: Readonly<Record<"user" | "agent" | "archive" | "next_action", string>> = {
  user: "User Todo / Owner Review Reading Queue",
  agent: "Agent Todo",
  archive: "Completed Work Archive",
  next_action: "Next Action",
};

const EXACT: ReadonlyMap<string, SectionRole> = new Map([
  ["next action", "next_action"],
  ["objective", "objective"],
  ["recent user feedback", "feedback"],
  ["progress ledger", "progress"],
  ["operating lessons", "lessons"],
]);

const ARCHIVE = ["todo archive", "work archive", "completed archive", "completed work", "完成归档", "待办归档"];
const USER = [
  "user todo",
  "owner review",
  "owner todo",
  "owner reading queue",
  "user action",
  "用户待办",
  "人工待办",
  "用户",
  "人工",
];
const AGENT = ["agent todo", "codex todo", "agent backlog", "agent action", "项目 agent", "agent 待办"];
/** "用户反馈" is feedback from the user, no list of things for the user to do. */
const FEEDBACK = "反馈";

export function roleOfHeading(title: string, level: number): SectionRole {
  if (level < 2) return "other"; // (R1)
  const words = collapse(title).toLowerCase();
  const exact = EXACT.get(words.endsWith(":") ? words.slice(0, -1) : words);
  if (exact !== undefined) return exact;
  if (firstOf(words, ARCHIVE) < Number.POSITIVE_INFINITY) return "archive"; // (R2)
  if (words.includes(FEEDBACK)) return "other";
  const [user, agent] = [firstOf(words, USER), firstOf(words, AGENT)];
  if (user === agent) return "other";
  return user < agent ? "user" : "agent"; // (R2)
}

function firstOf(words: string, wanted: readonly string[]): number {
  const places = wanted.map((word) => words.indexOf(word)).filter((place) => place >= 0);
  return places.length === 0 ? Number.POSITIVE_INFINITY : Math.min(...places);
}
