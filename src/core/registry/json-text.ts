/**
 * Reads JSON text to plain values and to the place of each of them, so that an error can name its line and an edit can
 * be a splice.
 *
 * Does not own: edits (`json-splice.ts`) and what a document means (`declare.ts`).
 *
 * J1  Every offset counts UTF-16 units of the exact text, byte order mark included; a value is `text.slice(start, end)`.
 * J2  Hostile text is an answer, never an exception: nesting is bounded, `__proto__` is a key like any other.
 * J3  Of a key that is there twice the last value counts, as in the reference; each repetition is reported.
 * J4  What JSON does not know (`NaN`, `Infinity`, comments, trailing commas, numbers that overflow) is an error at its place.
 */
import type { JsonMember, JsonNode, JsonProblem, JsonValue, ParsedJson } from "./json-node.ts";
import { positionAt } from "./json-position.ts";

/** Deeper than any registry, far from the end of the stack. */
export const MAX_JSON_DEPTH = 200;

interface Cursor {
  readonly text: string;
  at: number;
  depth: number;
  flaw: Flaw;
  readonly repeated: { readonly key: string; readonly offset: number }[];
}
interface Flaw {
  readonly code: string;
  readonly message: string;
  readonly offset: number;
}
const NO_FLAW: Flaw = { code: "", message: "", offset: 0 };

interface Read {
  readonly value: JsonValue;
  readonly node: JsonNode;
}

/** Whole text to a document, or the first thing that is wrong with it. */
export function parseJsonText(text: string): ParsedJson {
  const cursor = cursorOn(text);
  skipSpace(cursor);
  const read = cursor.at === text.length ? fail(cursor, "json_empty", "there is no JSON value in it") : readValue(cursor);
  skipSpace(cursor);
  if (read !== null && cursor.at < text.length)
    fail(cursor, "json_text_after_end", `the value has ended, but ${nameCharacter(cursor)} follows`);
  if (read === null || cursor.flaw !== NO_FLAW) return { ok: false, problem: problemOf(cursor) };
  return { ok: true, text, has_bom: hasBom(text), value: read.value, root: read.node, repeated_keys: cursor.repeated };
}

/**
 * The first value of one key of the root object, looked for in the beginning of a document: `undefined` when that
 * much of the text does not show it.
 */
export function findRootMember(
  beginning: string,
  key: string,
): { readonly value: JsonValue; readonly start: number } | undefined {
  const cursor = cursorOn(beginning);
  skipSpace(cursor);
  if (!take(cursor, "{")) return undefined;
  do {
    skipSpace(cursor);
    const name = cursor.text[cursor.at] === '"' ? readString(cursor) : null;
    skipSpace(cursor);
    if (name === null || !take(cursor, ":")) return undefined;
    skipSpace(cursor);
    const start = cursor.at;
    const read = readValue(cursor);
    skipSpace(cursor);
    // A number or word that the cut may have shortened is not shown until something follows it.
    if (read === null || cursor.at === beginning.length) return undefined;
    if (name === key) return { value: read.value, start };
  } while (take(cursor, ","));
  return undefined;
}

function hasBom(text: string): boolean {
  return text.charCodeAt(0) === 0xfeff;
}

function cursorOn(text: string): Cursor {
  return { text, at: hasBom(text) ? 1 : 0, depth: 0, flaw: NO_FLAW, repeated: [] };
}

function problemOf({ text, flaw }: Cursor): JsonProblem {
  const { code, message, offset } = flaw;
  return { code, message, offset, ...positionAt(text, offset) };
}

function fail(cursor: Cursor, code: string, message: string, offset: number = cursor.at): null {
  cursor.flaw = { code, message, offset };
  return null;
}

function unexpected(cursor: Cursor, wanted: string): null {
  if (cursor.at >= cursor.text.length) return fail(cursor, "json_unexpected_end", `the text ends where ${wanted} should be`);
  if (cursor.text[cursor.at] === "/" || cursor.text[cursor.at] === "#")
    return fail(cursor, "json_comment", "comments are not part of JSON");
  return fail(cursor, "json_unexpected_character", `${nameCharacter(cursor)} stands where ${wanted} should be`);
}

function nameCharacter({ text, at }: Cursor): string {
  const point = Number(text.codePointAt(at));
  return point > 0x20 && point < 0x7f
    ? `"${String.fromCodePoint(point)}"`
    : `U+${point.toString(16).toUpperCase().padStart(4, "0")}`;
}

function skipSpace(cursor: Cursor): void {
  for (;;) {
    const code = cursor.text.charCodeAt(cursor.at);
    if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return;
    cursor.at += 1;
  }
}

function take(cursor: Cursor, character: string): boolean {
  if (cursor.text[cursor.at] !== character) return false;
  cursor.at += 1;
  return true;
}

function readValue(cursor: Cursor): Read | null {
  switch (cursor.text[cursor.at]) {
    case "{":
      return nested(cursor, readObject);
    case "[":
      return nested(cursor, readArray);
    case '"': {
      const start = cursor.at;
      const value = readString(cursor);
      return value === null ? null : scalar(cursor, start, value);
    }
    default:
      return readWord(cursor) ?? readNumber(cursor);
  }
}

function scalar(cursor: Cursor, start: number, value: JsonValue): Read {
  return { value, node: { kind: "scalar", start, end: cursor.at } };
}

// J2
function nested(cursor: Cursor, read: (cursor: Cursor) => Read | null): Read | null {
  if (cursor.depth >= MAX_JSON_DEPTH) return fail(cursor, "json_too_deep", `values are nested more than ${MAX_JSON_DEPTH} deep`);
  cursor.depth += 1;
  const result = read(cursor);
  cursor.depth -= 1;
  return result;
}

function readObject(cursor: Cursor): Read | null {
  const start = cursor.at;
  const members: JsonMember[] = [];
  const value: Record<string, JsonValue> = {};
  cursor.at += 1;
  skipSpace(cursor);
  if (!take(cursor, "}")) {
    do {
      const member = readMember(cursor, value);
      if (member === null) return null;
      members.push(member);
    } while (take(cursor, ","));
    if (!take(cursor, "}")) return unexpected(cursor, 'a comma or "}"');
  }
  return { value, node: { kind: "object", start, end: cursor.at, members } };
}

function readMember(cursor: Cursor, into: Record<string, JsonValue>): JsonMember | null {
  skipSpace(cursor);
  const start = cursor.at;
  if (cursor.text[start] === "}") return fail(cursor, "json_trailing_comma", 'a comma stands before "}"');
  if (cursor.text[start] !== '"') return unexpected(cursor, "a key in double quotes");
  const key = readString(cursor);
  if (key === null) return null;
  const key_end = cursor.at;
  skipSpace(cursor);
  if (!take(cursor, ":")) return unexpected(cursor, 'a ":"');
  skipSpace(cursor);
  const read = readValue(cursor);
  if (read === null) return null;
  if (Object.hasOwn(into, key)) cursor.repeated.push({ key, offset: start }); // J3
  define(into, key, read.value);
  skipSpace(cursor);
  return { key, key_start: start, key_end, value: read.node };
}

// J2: assigning to `__proto__` would change the object's prototype.
function define(into: Record<string, JsonValue>, key: string, value: JsonValue): void {
  if (key === "__proto__") Object.defineProperty(into, key, { value, enumerable: true, configurable: true, writable: true });
  else into[key] = value;
}

function readArray(cursor: Cursor): Read | null {
  const start = cursor.at;
  const elements: JsonNode[] = [];
  const value: JsonValue[] = [];
  cursor.at += 1;
  skipSpace(cursor);
  if (!take(cursor, "]")) {
    do {
      skipSpace(cursor);
      if (elements.length > 0 && cursor.text[cursor.at] === "]")
        return fail(cursor, "json_trailing_comma", 'a comma stands before "]"');
      const read = readValue(cursor);
      if (read === null) return null;
      elements.push(read.node);
      value.push(read.value);
      skipSpace(cursor);
    } while (take(cursor, ","));
    if (!take(cursor, "]")) return unexpected(cursor, 'a comma or "]"');
  }
  return { value, node: { kind: "array", start, end: cursor.at, elements } };
}

const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;
const ESCAPED: Readonly<Record<string, string>> = { b: "\b", f: "\f", n: "\n", r: "\r", t: "\t" };

function readString(cursor: Cursor): string | null {
  const { text } = cursor;
  const start = cursor.at;
  let value = "";
  cursor.at += 1;
  for (;;) {
    const from = cursor.at;
    skipPlain(cursor);
    value += text.slice(from, cursor.at);
    if (take(cursor, '"')) return value;
    if (cursor.at >= text.length) return fail(cursor, "json_unexpected_end", "a text that starts here is not closed", start);
    if (text[cursor.at] !== "\\")
      return fail(cursor, "json_control_character", `${nameCharacter(cursor)} must be escaped inside a text`);
    const sequence = matchAt(ESCAPE, cursor);
    if (sequence === null) return fail(cursor, "json_bad_escape", "this is no escape that JSON knows");
    value += unescaped(sequence);
  }
}

/** To the next quote, backslash or control character, or the end. */
function skipPlain(cursor: Cursor): void {
  for (;;) {
    const code = cursor.text.charCodeAt(cursor.at);
    if (!(code >= 0x20) || code === 0x22 || code === 0x5c) return;
    cursor.at += 1;
  }
}

function unescaped(sequence: string): string {
  const letter = sequence.charAt(1);
  return letter === "u" ? String.fromCharCode(Number.parseInt(sequence.slice(2), 16)) : (ESCAPED[letter] ?? letter);
}

function matchAt(pattern: RegExp, cursor: Cursor): string | null {
  pattern.lastIndex = cursor.at;
  const found = pattern.exec(cursor.text)?.[0] ?? null;
  if (found !== null) cursor.at += found.length;
  return found;
}

const WORD = /-?[A-Za-z_$][\w$]*/y;
const WORDS: ReadonlyMap<string, JsonValue> = new Map<string, JsonValue>([
  ["true", true],
  ["false", false],
  ["null", null],
]);

function readWord(cursor: Cursor): Read | null {
  const start = cursor.at;
  const word = matchAt(WORD, cursor);
  if (word === null) return null;
  const value = WORDS.get(word);
  if (value !== undefined) return scalar(cursor, start, value);
  cursor.at = start;
  const finite = /^-?(?:NaN|Infinity)$/.test(word); // J4
  return finite ? fail(cursor, "json_not_a_number", `${word} is not a JSON value`) : unexpected(cursor, "a value");
}

const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;

function readNumber(cursor: Cursor): Read | null {
  if (cursor.flaw !== NO_FLAW) return null;
  const start = cursor.at;
  const digits = matchAt(NUMBER, cursor);
  if (digits === null) return unexpected(cursor, "a value");
  if (/[\w.+-]/.test(cursor.text.charAt(cursor.at)))
    return fail(cursor, "json_bad_number", "this is no number that JSON knows", start);
  const value = Number(digits);
  if (!Number.isFinite(value)) return fail(cursor, "json_number_too_large", "this number is too large", start); // J4
  return scalar(cursor, start, value);
}
