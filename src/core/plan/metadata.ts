/**
 * Metadata comments of todos: `<!-- loopx:todo key=value key=value -->`.
 *
 * Does not own: what a value does, and where a comment belongs (`todos.ts`).
 *
 * M1  Keys are `[a-z_][a-z0-9_]*`; values are percent-encoded UTF-8 without white space, `<` and `>`. Written values use
 *     `A-Za-z0-9_.:-` and `%XX` only, so a value can never end its comment.
 * M2  Unknown keys and invalid values are kept as they are; what is not understood is reported, never dropped.
 * M3  Of a key that is written several times the last one counts.
 */
import { parseAgentId, parseTodoId } from "../id.ts";
import { parseInstant } from "../instant.ts";
import type { Span, TodoStatus } from "./plan.ts";
import { SPACES, skipSpace } from "./white-space.ts";

export interface MetadataToken {
  readonly key: string;
  /** Decoded; the raw text when it cannot be decoded. */
  readonly value: string;
  readonly valid: boolean;
  readonly token: Span;
  readonly value_span: Span;
}

export interface MetadataComment {
  readonly tokens: readonly MetadataToken[];
  /** Pieces that are no `key=value`. */
  readonly junk: readonly Span[];
  /** Where a further ` key=value` goes. */
  readonly end: number;
}

const MARK = new RegExp(`^<!--[${SPACES}]*loopx:(?:todo(?=[${SPACES}]|-->|$))?`);
const PIECE = new RegExp(`[^${SPACES}]+`, "g");
const TOKEN = /^([a-z_][a-z0-9_]*)=([^<>]*)$/;

/** Is the comment that starts at `start` one of LoopX's? */
export function isMetadataComment(text: string, comment: Span): boolean {
  return markEnd(text, comment) !== null;
}

function markEnd(text: string, { start, end }: Span): number | null {
  const word = skipSpace(text, start + 4, end);
  const match = MARK.exec(`<!--${text.slice(word, Math.min(end, word + 16))}`);
  return match === null ? null : word + match[0].length - 4;
}

/** The tokens of the comment in `comment` (`<!--` to `-->`), with their places in `text`. */
export function readMetadata(text: string, comment: Span): MetadataComment {
  const from = markEnd(text, comment) ?? comment.start;
  const content = text.slice(from, comment.end - 3);
  const tokens: MetadataToken[] = [];
  const junk: Span[] = [];
  let end = from;
  for (const match of content.matchAll(PIECE)) {
    const span = { start: from + match.index, end: from + match.index + match[0].length };
    const token = readToken(match[0], span);
    if (token === null) junk.push(span);
    else tokens.push(token);
    end = span.end;
  }
  return { tokens, junk, end };
}

function readToken(piece: string, token: Span): MetadataToken | null {
  const match = TOKEN.exec(piece);
  const [key, raw] = [match?.[1], match?.[2]];
  if (key === undefined || raw === undefined) return null;
  const decoded = decodeValue(raw);
  const value = decoded ?? raw;
  return {
    key,
    value,
    valid: decoded !== null && isValidValue(key, value),
    token,
    value_span: { start: token.end - raw.length, end: token.end },
  };
}

export function isMetadataKey(key: string): boolean {
  return /^[a-z_][a-z0-9_]*$/.test(key);
}

/** (M1) */
export function encodeValue(value: string): string {
  const whole = value.replace(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, "\ufffd");
  return encodeURIComponent(whole)
    .replaceAll("%3A", ":")
    .replace(/[!~*'()]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);
}

function decodeValue(raw: string): string | null {
  if (!raw.includes("%")) return raw;
  try {
    return decodeURIComponent(raw);
  } catch {
    return null;
  }
}

/** Every key once, in file order, with the value that counts (M3), as own properties whatever they are called. */
export function metadataRecord(tokens: readonly MetadataToken[]): Readonly<Record<string, string>> {
  return Object.fromEntries(tokens.filter((token) => token.key !== "todo_id").map((token) => [token.key, token.value]));
}

/** What a record says of a key; one that it lacks has no value, whatever the key is called. */
export function metadataValue(record: Readonly<Record<string, string>>, key: string): string | undefined {
  return Object.hasOwn(record, key) ? record[key] : undefined;
}

/** The last token of that key (M3). */
export function lastToken(tokens: readonly MetadataToken[], key: string): MetadataToken | null {
  return tokens.findLast((token) => token.key === key) ?? null;
}

const STATUSES: readonly string[] = ["open", "done", "blocked", "deferred"] satisfies readonly TodoStatus[];

export function asStatus(value: string | null): TodoStatus | null {
  return value !== null && STATUSES.includes(value) ? (value as TodoStatus) : null;
}

type Check = (value: string) => boolean;

const oneOf =
  (...values: readonly string[]): Check =>
  (value) =>
    values.includes(value);
const isTodoId: Check = (value) => parseTodoId(value) !== null;
const isAgent: Check = (value) => parseAgentId(value) !== null;
const isTime: Check = (value) => parseInstant(value) !== null;
const isFlag = oneOf("true", "false");
const listOf =
  (check: Check): Check =>
  (value) =>
    value.split(",").every((entry) => check(entry.trim()));
const isCount: Check = (value) => /^\d{1,9}$/.test(value);

/** Keys whose values have one form that all versions agree on; all other keys take any value. */
const CHECKS: ReadonlyMap<string, Check> = new Map([
  ["todo_id", isTodoId],
  ["status", oneOf(...STATUSES)],
  ["task_class", oneOf("advancement_task", "continuous_monitor", "blocker", "user_gate", "user_action")],
  ["action_kind", (value) => /^[a-z][a-z0-9_-]{0,63}$/.test(value)],
  ["claimed_by", isAgent],
  ["bound_agent", isAgent],
  ["blocks_agent", listOf(isAgent)],
  ["unblocks_todo_id", listOf(isTodoId)],
  ["superseded_by", isTodoId],
  ["continuation_policy", oneOf("independent_handoff", "same_agent_non_delivery")],
  ["completion_continuation", oneOf("active_goal", "successor", "no_followup")],
  ["validation_timeout_seconds", (value) => isCount(value) && Number(value) >= 1 && Number(value) <= 3600],
  ["consecutive_no_change", isCount],
  ["max_no_change_before_replan", isCount],
  ...["global_gate", "goal_bound", "no_followup", "watch_only", "material_change"].map((key): [string, Check] => [key, isFlag]),
  ...["completed_at", "updated_at", "next_due_at", "expires_at", "last_checked_at"].map((key): [string, Check] => [key, isTime]),
]);

function isValidValue(key: string, value: string): boolean {
  return CHECKS.get(key)?.(value) ?? true;
}
