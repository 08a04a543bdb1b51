/**
 * What a host says that came of its turn: one of six kinds, and why.
 *
 * Does not own: where it was said (`result-channels.ts`), whether it is true (the validator), what follows (the turn runner).
 *
 * T1  The set of fields is closed, and every field has a bound: what is not known is refused by name, never carried on.
 * T2  `until` belongs to `wait`: no other kind waits for an instant.
 * T3  A result that names a turn is of that turn.
 * T4  Costs that a host reports are not read: prices are not ours to believe.
 * T5  Something follows, or nothing does and it says why: not both.
 */

import { secretFlaw } from "../goal/secret.ts";
import { parseTurnId, type TurnId } from "../id.ts";
import { type Instant, parseInstant } from "../instant.ts";
import { nearest } from "../near.ts";
import type { JsonObject, JsonValue } from "../registry/json-node.ts";
import type { Problem } from "../result.ts";
import { unstorableFlaw } from "./text-flaw.ts";
import { type TokenUsage, tokenUsageOf } from "./usage.ts";

export const TURN_RESULT_SCHEMA = "loopx_turn_result_v1";
export const TURN_RESULT_KINDS = [
  "validated_completion",
  "validated_progress",
  "repair_required",
  "replan_required",
  "user_action_required",
  "wait",
] as const;
export const MAX_RESULT_TEXT = 1200;

export type TurnResultKind = (typeof TURN_RESULT_KINDS)[number];

interface Said {
  readonly summary: string;
  /** Todos that come next. */
  readonly next?: readonly string[];
  /** Why nothing does. */
  readonly no_follow_up?: string;
  readonly usage?: TokenUsage;
}

export type TurnResult =
  | (Said & { readonly kind: Exclude<TurnResultKind, "wait"> })
  /** `until` null: for any change. */
  | (Said & { readonly kind: "wait"; readonly until: Instant | null });

export type CheckedTurnResult =
  | { readonly ok: true; readonly result: TurnResult }
  | { readonly ok: false; readonly problems: readonly Problem[] };

const FIELDS = ["schema_version", "turn_id", "kind", "summary", "next", "no_follow_up", "until", "usage"] as const;
const MOST_NEXT = 10;

export interface ResultContext {
  readonly turn_id: TurnId;
  /** Whether `schema_version` has to be there. */
  readonly version: "required" | "optional";
}

/** Every flaw of a result, or the result. */
export function checkTurnResult(value: JsonValue, context: ResultContext): CheckedTurnResult {
  if (!isObject(value)) return { ok: false, problems: [{ code: "result_not_object", message: "must be a JSON object" }] };
  const problems: Problem[] = unknownFields(value);
  checkVersion(value["schema_version"], context, problems);
  checkTurn(value["turn_id"], context, problems);
  const kind = kindOf(value["kind"], problems);
  const summary = textOf(problems, "summary", value["summary"]);
  if (summary === null)
    problems.push({ path: "summary", code: "summary_missing", message: "must say in a sentence what came of the turn" });
  const next = textsOf(problems, "next", value["next"]);
  const no_follow_up = textOf(problems, "no_follow_up", value["no_follow_up"]);
  if (no_follow_up !== null && next.length > 0)
    problems.push({
      path: "no_follow_up",
      code: "follow_up_conflict",
      message: "says that nothing follows, and next says what does",
    }); // (T5)
  const until = untilOf(value["until"], kind, problems);
  const usage = tokenUsageOf(value["usage"], problems);
  if (problems.length > 0 || kind === null || summary === null) return { ok: false, problems };
  const following = { ...(next.length > 0 && { next }), ...(no_follow_up !== null && { no_follow_up }) };
  const said = { summary, ...following, ...(usage !== null && { usage }) };
  return { ok: true, result: kind === "wait" ? { kind, ...said, until } : { kind, ...said } };
}

function isObject(value: JsonValue): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** T1. */
function unknownFields(value: JsonObject): Problem[] {
  const unknown = Object.keys(value).filter((field) => !FIELDS.some((known) => known === field));
  return unknown.slice(0, FIELDS.length).map((field) => {
    const [near] = nearest(field, FIELDS);
    const hint = near === undefined ? `; it has ${FIELDS.join(", ")}` : `; did you mean ${near}?`;
    return { path: field.slice(0, 80), code: "field_unknown", message: `is no field of a turn's result${hint}` };
  });
}

function checkVersion(value: JsonValue | undefined, { version }: ResultContext, problems: Problem[]): void {
  if (value === TURN_RESULT_SCHEMA || (value === undefined && version === "optional")) return;
  problems.push({ path: "schema_version", code: "schema_unknown", message: `must be "${TURN_RESULT_SCHEMA}"` });
}

/** T3. */
function checkTurn(value: JsonValue | undefined, { turn_id }: ResultContext, problems: Problem[]): void {
  if (value === undefined || value === turn_id) return;
  const known = typeof value === "string" && parseTurnId(value) !== null ? `, not ${value}` : "";
  problems.push({ path: "turn_id", code: "other_turn", message: `must be ${turn_id}${known}` });
}

function kindOf(value: JsonValue | undefined, problems: Problem[]): TurnResultKind | null {
  const kind = TURN_RESULT_KINDS.find((known) => known === value);
  if (kind !== undefined) return kind;
  const [near] = typeof value === "string" ? nearest(value, TURN_RESULT_KINDS) : [];
  const hint = near === undefined ? "" : `; did you mean ${near}?`;
  problems.push({ path: "kind", code: "kind_unknown", message: `must be one of ${TURN_RESULT_KINDS.join(", ")}${hint}` });
  return null;
}

/** Null: it is not there, or empty. */
function textOf(problems: Problem[], path: string, value: JsonValue | undefined): string | null {
  if (value === undefined || value === null) return null;
  if (typeof value !== "string") {
    problems.push({ path, code: "text_expected", message: "must be a text" });
    return "";
  }
  const text = value.trim();
  const flaw = textFlaw(text);
  if (flaw !== null) problems.push({ path, ...flaw });
  return text === "" ? null : text;
}

/** One text is a list of one. */
function textsOf(problems: Problem[], path: string, value: JsonValue | undefined): readonly string[] {
  const texts = Array.isArray(value) ? value : [value];
  if (texts.length > MOST_NEXT) problems.push({ path, code: "too_many", message: `names more than ${MOST_NEXT}` });
  return texts.slice(0, MOST_NEXT).flatMap((text: JsonValue | undefined) => textOf(problems, path, text) ?? []);
}

function textFlaw(text: string): Pick<Problem, "code" | "message"> | null {
  if (text.length > MAX_RESULT_TEXT) return { code: "text_too_long", message: `is longer than ${MAX_RESULT_TEXT} characters` };
  const secret = secretFlaw(text);
  return secret === null ? unstorableFlaw(text) : { code: "text_holds_secret", message: secret };
}

/** T2. */
function untilOf(value: JsonValue | undefined, kind: TurnResultKind | null, problems: Problem[]): Instant | null {
  if (value === undefined || value === null) return null;
  const until = parseInstant(value);
  if (until === null)
    problems.push({ path: "until", code: "instant_expected", message: "must be a time like 2026-11-30T08:00:00Z" });
  else if (kind !== "wait")
    problems.push({ path: "until", code: "until_without_wait", message: 'belongs to the kind "wait" alone' });
  return until;
}
