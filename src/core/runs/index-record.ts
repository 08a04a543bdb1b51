/**
 * One record of a run index: where it ends in the bytes, and what it is.
 *
 * Does not own: lines, offsets and counts (`line-reader.ts`).
 *
 * L1  A line is objects one after another, then a rest. An object ends where its brackets close, whatever follows: so a
 *     row that was written without a line feed is the same row before and after somebody appends to its line.
 * L2  Nothing throws: a rest that is not blank is one damage, named by the first of its flaws.
 * L3  Nesting is counted before anything is parsed: at most `MAX_DEPTH` brackets deep (A4).
 * L4  `NaN` and `Infinity`, which the reference reads and writes, are read as `null`.
 */
import type { Damage, RunRow } from "./run.ts";

/** Text of the bytes, null when they are not UTF-8. Keeps a byte order mark. */
export type DecodeUtf8 = (bytes: Uint8Array) => string | null;

export const MAX_DEPTH = 200;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_BRACE = 0x7b;

/** A leading object and the index of the byte after it; null when the bytes begin with anything else. */
export function leadingRow(bytes: Uint8Array, decode: DecodeUtf8): { readonly row: RunRow; readonly end: number } | null {
  const start = firstVisible(bytes);
  if (bytes[start] !== OPEN_BRACE) return null;
  const end = objectEnd(bytes, start);
  if (end === null) return null;
  const text = decode(bytes.subarray(start, end));
  const row = text === null ? null : parseRow(text);
  return row === null ? null : { row, end };
}

/** The object that is the whole text; null when it is anything else. Depth is the caller's to check (L3). */
export function parseRow(text: string): RunRow | null {
  const value = parseJson(text) ?? parseJson(withoutInfinities(text) ?? "null");
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as RunRow) : null;
}

/** What is wrong with a rest that begins with no row; null when it is blank. */
export function flawOf(bytes: Uint8Array, decode: DecodeUtf8): Pick<Damage, "code" | "message"> | null {
  if (firstVisible(bytes) === bytes.length) return null;
  if (bytes.includes(0)) return { code: "nul_bytes", message: "holds NUL bytes, as a power loss leaves them" };
  const text = decode(bytes);
  if (text === null) return { code: "invalid_utf8", message: "is not UTF-8" };
  if (text.trim() === "") return null;
  if (isTooDeep(bytes)) return { code: "too_deep", message: `is nested more than ${MAX_DEPTH} brackets deep` };
  if (parseJson(text) !== undefined) return { code: "not_an_object", message: "is JSON but no object" };
  return { code: "invalid_json", message: "is not JSON" };
}

/** Cheap: true only when the text has more opening brackets than may be nested (L3). */
export function mayBeTooDeep(text: string): boolean {
  return countUpTo(text, "{", MAX_DEPTH) + countUpTo(text, "[", MAX_DEPTH) > MAX_DEPTH;
}

function countUpTo(text: string, mark: string, limit: number): number {
  let count = 0;
  for (let at = text.indexOf(mark); at >= 0 && count <= limit; at = text.indexOf(mark, at + 1)) count += 1;
  return count;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** L4. Texts are stepped over whole, so that only bare words change; null when there is nothing to change. */
function withoutInfinities(text: string): string | null {
  if (!/NaN|Infinity/.test(text)) return null;
  return text.replace(/"[^"\\]*(?:\\[\s\S][^"\\]*)*"|-?Infinity|NaN/g, (part) => (part.startsWith('"') ? part : "null"));
}

/** Bytes that Python strips and that take one byte. */
function isBlank(byte: number): boolean {
  return byte === 0x20 || (byte >= 0x09 && byte <= 0x0d) || (byte >= 0x1c && byte <= 0x1f);
}

function firstVisible(bytes: Uint8Array): number {
  const at = bytes.findIndex((byte) => !isBlank(byte));
  return at < 0 ? bytes.length : at;
}

/** L1, L3. The index after the bracket that closes the one at `start`; null when it stays open or is too deep. */
function objectEnd(bytes: Uint8Array, start: number): number | null {
  let depth = 0;
  for (let at = start; at < bytes.length; at += 1) {
    const byte = bytes[at] as number;
    if (byte === QUOTE) {
      at = textEnd(bytes, at);
      continue;
    }
    depth += depthChange(byte);
    if (depth > MAX_DEPTH) return null;
    if (depth === 0) return at + 1;
  }
  return null;
}

function isTooDeep(bytes: Uint8Array): boolean {
  let depth = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] as number;
    if (byte === QUOTE) at = textEnd(bytes, at);
    else depth += depthChange(byte);
    if (depth > MAX_DEPTH) return true;
  }
  return false;
}

function depthChange(byte: number): number {
  if (byte === OPEN_BRACE || byte === 0x5b) return 1;
  return byte === 0x7d || byte === 0x5d ? -1 : 0;
}

/** Index of the quote that closes the text opened at `quote`; the end of the bytes when none does. */
function textEnd(bytes: Uint8Array, quote: number): number {
  let from = quote + 1;
  for (;;) {
    const end = bytes.indexOf(QUOTE, from);
    if (end < 0) return bytes.length;
    let before = end;
    while (bytes[before - 1] === BACKSLASH) before -= 1;
    if ((end - before) % 2 === 0) return end;
    from = end + 1;
  }
}
