/**
 * Edits as data: which part of a text becomes which other text.
 *
 * X1  Edits of one list speak of the same text and do not overlap; those at one place apply in list order, insertions
 *     before a replacement that starts there.
 * X2  What no edit covers stays, unit for unit.
 */
import type { Span } from "./plan.ts";

export interface Edit {
  readonly span: Span;
  readonly text: string;
}

/** The text with all edits made. Overlapping edits are a bug of their maker and throw. */
export function applyEdits(text: string, edits: readonly Edit[]): string {
  const pieces: string[] = [];
  let at = 0;
  for (const { span, text: piece } of inOrder(edits)) {
    if (span.start < at || span.end < span.start || span.end > text.length) {
      throw new RangeError(`The edit of ${span.start} to ${span.end} overlaps another or leaves the text`);
    }
    pieces.push(text.slice(at, span.start), piece); // (X2)
    at = span.end;
  }
  return pieces.join("") + text.slice(at);
}

function inOrder(edits: readonly Edit[]): readonly Edit[] {
  return edits.toSorted((a, b) => a.span.start - b.span.start || Number(isReplacement(a)) - Number(isReplacement(b))); // (X1)
}

function isReplacement({ span }: Edit): boolean {
  return span.end > span.start;
}

export function insertion(at: number, text: string): Edit {
  return { span: { start: at, end: at }, text };
}

/** Where a line ends without its ending; `end` is where the next line starts. */
export function contentEnd(text: string, { start, end }: Span): number {
  let at = end;
  if (at > start && text.charAt(at - 1) === "\n") at -= 1;
  if (at > start && text.charAt(at - 1) === "\r") at -= 1;
  return at;
}

/** Takes whole lines out; `endAsBefore` looks after the last one. */
export function lineRemovals(lines: readonly Span[]): readonly Edit[] {
  const merged: { start: number; end: number }[] = [];
  for (const { start, end } of lines.toSorted((a, b) => a.start - b.start)) {
    const last = merged.at(-1);
    if (last !== undefined && last.end >= start) last.end = Math.max(last.end, end);
    else merged.push({ start, end });
  }
  return merged.map((span) => ({ span, text: "" }));
}

/**
 * Where removals take the last lines of a text that ends without a line ending, the ending before them goes as well, so
 * that it ends without one as before. For a complete list of edits: removals of several makers can meet there.
 */
export function endAsBefore(text: string, edits: readonly Edit[]): readonly Edit[] {
  const removals = edits.filter((edit) => edit.text === "").toSorted((a, b) => b.span.end - a.span.end);
  let start = text.length;
  for (const { span } of removals) if (span.end === start) start = span.start;
  const end = contentEnd(text, { start: 0, end: start });
  const isWhole = contentEnd(text, { start: 0, end: text.length }) < text.length;
  const isShared = edits.some(({ span }) => span.start > end && span.start <= start && span.end <= start);
  if (isWhole || start === text.length || end === start || isShared) return edits;
  return [...edits, { span: { start: end, end: start }, text: "" }];
}
