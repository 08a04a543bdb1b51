/**
 * Whether two actions mean the same work, as far as their words tell: the comparison that users of the reference know.
 *
 * Does not own: which two actions are compared (`kinds/next-action-mismatch.ts`). Its answer warns and decides nothing: containment is blind to
 * a "not" in front of the same words (data-plane 15.14).
 *
 * A1  Compared in lower case with white space collapsed and, in this order and once each, a todo id, a `p1:`, a bracket and a role label taken
 *     off the front.
 * A2  Label and prefix are taken from the text normalised a second time, so that `Agent: [P1] x` and `x` can still meet.
 * A3  Lengths count code points; an empty side aligns with nothing.
 * A4  The warning compares what it shows: both texts cut at 320 code points.
 */
import { collapse } from "../plan/white-space.ts";
import { headOf, shorten } from "../shorten.ts";

const FRONT = [/^todo_[0-9a-z]+: ?/, /^p[0-9]+: ?/, /^\[[^\]]+\] ?/, /^(?:agent|user|owner|codex) ?: ?/] as const;
const LABEL = /^([^:]{8,120}):/u;
const FROM_BREAK = /[,.;:，。；：][\s\S]*/;
const DISPLAY_LIMIT = 320;
const LABEL_LIMIT = 120;
const MIN_LABEL = 8;
const MIN_PREFIX = 24;
const MIN_WHOLE = 32;
const PREFIX_WORDS = 6;

/** A1. */
export function normaliseActionText(text: string): string {
  return FRONT.reduce((rest, pattern) => rest.replace(pattern, ""), collapse(collapse(text).toLowerCase()));
}

export function actionsAreProjectionAligned(a: string, b: string): boolean {
  const left = sideOf(a);
  const right = sideOf(b);
  if (left.text === "" || right.text === "") return false; // (A3)
  if (left.text === right.text) return true;
  return (
    eitherHolds(left, right, { part: labelOf, least: MIN_LABEL }) ||
    eitherHolds(left, right, { part: prefixOf, least: MIN_PREFIX }) ||
    eitherHolds(left, right, { part: ({ text }) => text, least: MIN_WHOLE })
  );
}

interface Side {
  readonly text: string;
  /** (A2) */
  readonly again: string;
}

function sideOf(action: string): Side {
  const text = normaliseActionText(action);
  return { text, again: normaliseActionText(text) };
}

/** Does the part of one text, when it is long enough to mean something, stand in the other? */
function eitherHolds(
  left: Side,
  right: Side,
  { part, least }: { readonly part: (side: Side) => string; readonly least: number },
): boolean {
  const stands = (piece: string, text: string): boolean => text.includes(piece) && hasPoints(piece, least);
  return stands(part(left), right.text) || stands(part(right), left.text);
}

function labelOf({ again }: Side): string {
  return collapse(LABEL.exec(again)?.[1] ?? headOf(again, LABEL_LIMIT));
}

function prefixOf({ again }: Side): string {
  const head = collapse(again.replace(FROM_BREAK, ""));
  const words = head.split(" ");
  return words.length >= 4 ? words.slice(0, PREFIX_WORDS).join(" ") : head;
}

/** (A3) */
function hasPoints(text: string, least: number): boolean {
  return text.length >= least && headOf(text, least - 1) !== text;
}

/** What an agent's own lane says it does next, and whether it leaves the goal's Next Action as it is. */
export interface LaneNextAction {
  readonly text: string;
  readonly preserves_goal_next_action?: boolean;
}

export interface NextActionTexts {
  readonly activeStateNextAction: string | null | undefined;
  readonly latestRunRecommendedAction: string | null | undefined;
  readonly laneNextAction?: string | LaneNextAction | null;
}

export interface NextActionProjectionWarning {
  readonly schema_version: "next_action_projection_warning_v0";
  readonly kind: "next_action_projection_mismatch";
  readonly severity: "warning" | "info";
  readonly requires_state_writeback: boolean;
  readonly active_state_next_action: string;
  readonly latest_run_recommended_action: string;
  readonly reason: string;
  readonly recommended_action: string;
  readonly agent_lane_next_action?: string;
}

const ADVICE = {
  writeback: {
    reason: "the latest run recommends something else than the Next Action of the state file",
    recommended_action:
      "if the run is right, write its action back with `loopx refresh --next-action`; if the state file is right, record a run that follows it with `loopx refresh`",
  },
  lane: {
    reason: "an agent's lane works on something else and leaves the goal's Next Action as it is",
    recommended_action: "let the lane go on; only a run of the goal itself writes a new Next Action",
  },
} as const;

/** Null when the two agree, or when one of them says nothing. */
export function nextActionProjectionWarning({
  activeStateNextAction,
  latestRunRecommendedAction,
  laneNextAction,
}: NextActionTexts): NextActionProjectionWarning | null {
  const active = displayText(activeStateNextAction);
  const latest = displayText(latestRunRecommendedAction);
  if (active === "" || latest === "" || actionsAreProjectionAligned(active, latest)) return null; // (A4)
  const lane = laneOf(laneNextAction);
  const laneText = displayText(lane.text);
  return {
    schema_version: "next_action_projection_warning_v0",
    kind: "next_action_projection_mismatch",
    severity: lane.preserves ? "info" : "warning",
    requires_state_writeback: !lane.preserves,
    active_state_next_action: active,
    latest_run_recommended_action: latest,
    ...(lane.preserves ? ADVICE.lane : ADVICE.writeback),
    ...(laneText === "" ? {} : { agent_lane_next_action: laneText }),
  };
}

function laneOf(lane: string | LaneNextAction | null | undefined): { readonly text: string; readonly preserves: boolean } {
  if (typeof lane === "string") return { text: lane, preserves: false };
  return { text: lane?.text ?? "", preserves: lane?.preserves_goal_next_action === true };
}

function displayText(text: string | null | undefined): string {
  return shorten(collapse(text ?? ""), DISPLAY_LIMIT);
}
