/**
 * Names of goals, agents, todos and turns, branded so that one cannot be passed for another.
 *
 * Does not own: whether a goal of that name exists (registry) and what to do about an unsafe one (commands).
 *
 * D1  A `GoalId` is one path segment that names the same folder, and no other id's folder, on every platform:
 *     no separators, control characters or characters that Windows forbids, no reserved device name, no leading or
 *     trailing dot-only name, no trailing dot or space, no leading space, at most 128 bytes of UTF-8. Nothing is trimmed or repaired.
 * D2  Two ids collide when their folders would be one on a case-folding or normalising file system: equal `collisionKey`.
 */

declare const brand: unique symbol;

export type GoalId = string & { readonly [brand]: "GoalId" };
export type AgentId = string & { readonly [brand]: "AgentId" };
export type TodoId = string & { readonly [brand]: "TodoId" };
export type TurnId = string & { readonly [brand]: "TurnId" };

/** Why a text is no goal id; `code` is stable, `message` completes "goal id …". */
export interface IdFlaw {
  readonly code: string;
  readonly message: string;
}

export type ParsedGoalId = { readonly ok: true; readonly id: GoalId } | { readonly ok: false; readonly flaw: IdFlaw };

const MAX_BYTES = 128;
const RESERVED = /^(?:con|prn|aux|nul|com[0-9\u00b9\u00b2\u00b3]|lpt[0-9\u00b9\u00b2\u00b3]|conin\$|conout\$)(?:\..*)?$/i;
const CONTROLS: readonly (readonly [first: number, last: number])[] = [
  [0x00, 0x1f],
  [0x7f, 0x9f],
  [0x200e, 0x200f],
  [0x2028, 0x202e],
  [0x2066, 0x2069],
];
const FORBIDDEN = '<>:"|?*';

/** D1. Cheap: one pass over the text, no path resolution; the first flaw found is returned (S04). */
export function parseGoalId(text: unknown): ParsedGoalId {
  const flaw = goalIdFlaw(text);
  return flaw === null ? { ok: true, id: text as GoalId } : { ok: false, flaw };
}

function goalIdFlaw(text: unknown): IdFlaw | null {
  if (typeof text !== "string") return { code: "goal_id_not_text", message: "is not a text" };
  if (text.trim() === "") return { code: "goal_id_empty", message: "is empty" };
  if (text === "." || text === "..") return { code: "goal_id_traversal", message: `is "${text}", which is a folder reference` };
  return characterFlaw(text) ?? edgeFlaw(text);
}

function characterFlaw(text: string): IdFlaw | null {
  let bytes = 0;
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    const flaw = flawOf(character, code);
    if (flaw !== null) return flaw;
    bytes += utf8Length(code);
    if (bytes > MAX_BYTES) return { code: "goal_id_too_long", message: `is longer than ${MAX_BYTES} bytes` };
  }
  return null;
}

function flawOf(character: string, code: number): IdFlaw | null {
  if (character === "/" || character === "\\") {
    return { code: "goal_id_separator", message: "must be a single path segment, without / or \\" };
  }
  if (isControl(code)) {
    return { code: "goal_id_control_character", message: `contains the control character U+${codePoint(code)}` };
  }
  if (code >= 0xd800 && code <= 0xdfff) return { code: "goal_id_not_unicode", message: "contains half of a surrogate pair" };
  if (FORBIDDEN.includes(character)) {
    return { code: "goal_id_forbidden_character", message: `contains ${character}, which Windows does not allow in names` };
  }
  return null;
}

/** C0 and C1 controls, line and paragraph separators, and the marks that turn the writing direction. */
export function isControl(code: number): boolean {
  return CONTROLS.some(([first, last]) => code >= first && code <= last);
}

function codePoint(code: number): string {
  return code.toString(16).toUpperCase().padStart(4, "0");
}

function utf8Length(code: number): number {
  if (code < 0x80) return 1;
  if (code < 0x800) return 2;
  return code < 0x10000 ? 3 : 4;
}

function edgeFlaw(text: string): IdFlaw | null {
  if (text.endsWith(".") || text.endsWith(" ")) {
    return { code: "goal_id_trailing_dot_or_space", message: "ends in a dot or a space, which Windows drops" };
  }
  if (text.startsWith(" ") || text !== text.trim())
    return { code: "goal_id_outer_space", message: "starts or ends with white space" };
  if (RESERVED.test(text)) return { code: "goal_id_reserved", message: "is a device name on Windows" };
  return null;
}

/** D2: the same for two ids whose folders would be the same folder somewhere. */
export function collisionKey(id: string): string {
  return id.normalize("NFC").toLowerCase().toUpperCase().normalize("NFC");
}

const AGENT = /^[a-z][a-z0-9_.:@-]{0,79}$/;
const TODO = /^todo_[a-z0-9_-]{3,64}$/;
const TURN = /^[A-Za-z0-9_.:@/-]{1,160}$/;

/** Lower-cased, spaces to `-` (decision-plane 1.2); `null` when what is left is no agent id. */
export function parseAgentId(text: string): AgentId | null {
  const id = text.trim().toLowerCase().replace(/\s+/g, "-");
  return AGENT.test(id) ? (id as AgentId) : null;
}

/** `todo_` and 3 to 64 of `a-z0-9_-` (data-plane 4). */
export function parseTodoId(text: unknown): TodoId | null {
  return typeof text === "string" && TODO.test(text) ? (text as TodoId) : null;
}

/** A caller's name for one turn: 1 to 160 of `A-Za-z0-9_.:@/-`. */
export function parseTurnId(text: string): TurnId | null {
  return TURN.test(text) ? (text as TurnId) : null;
}
