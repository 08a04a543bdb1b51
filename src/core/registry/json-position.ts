/**
 * Where an offset of a text lies, for people.
 */

/** Both count from 1; `column` counts UTF-16 units and leaves a leading byte order mark out. */
export interface TextPosition {
  readonly line: number;
  readonly column: number;
}

/** Offsets at which the lines of a text start, ascending; made once per text, asked by binary search. */
export type LineStarts = readonly number[];

const BOM = 0xfeff;
const LF = 0x0a;
const CR = 0x0d;

/** Lines end in LF, CR LF or CR. */
export function lineStartsOf(text: string): LineStarts {
  const starts = [text.charCodeAt(0) === BOM ? 1 : 0];
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === LF || (code === CR && text.charCodeAt(at + 1) !== LF)) starts.push(at + 1);
  }
  return starts;
}

export function positionIn(starts: LineStarts, offset: number): TextPosition {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (Number(starts[middle]) <= offset) low = middle;
    else high = middle - 1;
  }
  return { line: low + 1, column: Math.max(1, offset - Number(starts[low]) + 1) };
}

/** For a single question; many questions about one text go through `lineStartsOf`. */
export function positionAt(text: string, offset: number): TextPosition {
  return positionIn(lineStartsOf(text.slice(0, offset)), offset);
}
