/**
 * Bytes of a program's output to lines, in any pieces.
 *
 * Does not own: what a line means (the host's event parser), reading pipes and keeping logs (adapters).
 *
 * O1  The same bytes give the same lines under any split into pieces: a character is never decoded in halves.
 * O2  No more than `line_bytes` of one line are ever held. A longer line comes cut, at the end of a character, and says so.
 * O3  After `total_bytes` nothing is read any more. Every byte that no line shows, but for line ends, is counted in `dropped`.
 */

export interface OutputLine {
  readonly text: string;
  /** Something of it was dropped. */
  readonly cut: boolean;
}

export interface OutputLimits {
  readonly line_bytes: number;
  readonly total_bytes: number;
}

/** UTF-8 to text; bytes that are none are replaced, never refused. */
export type DecodeLossy = (bytes: Uint8Array) => string;

const LINE_FEED = 0x0a;
/** From here on a byte begins a character of several bytes. */
const LEADING = 0xc0;

export class OutputSplitter {
  readonly #limits: OutputLimits;
  readonly #decode: DecodeLossy;
  /** The beginning of a line that no line feed has ended yet. */
  #held: Uint8Array = new Uint8Array(256);
  #length = 0;
  /** Whether bytes of the line that is held were dropped. */
  #cut = false;
  #taken = 0;
  #dropped = 0;

  constructor(limits: OutputLimits, decode: DecodeLossy) {
    this.#limits = limits;
    this.#decode = decode;
  }

  get dropped(): number {
    return this.#dropped;
  }

  /** The lines that end in this piece. Its bytes are not kept. */
  feed(piece: Uint8Array): OutputLine[] {
    const bytes = piece.subarray(0, Math.max(0, this.#limits.total_bytes - this.#taken));
    this.#taken += bytes.length;
    const lines: OutputLine[] = [];
    const rest = this.#wholeLines(bytes, lines);
    this.#hold(rest);
    if (bytes.length < piece.length) this.#drop(piece.length - bytes.length); // (O3)
    return lines;
  }

  /** The last line, when no line feed ended it. */
  end(): OutputLine[] {
    return this.#length > 0 ? [this.#endLine()] : [];
  }

  /** Adds the lines that end in `bytes` and answers what follows them. */
  #wholeLines(bytes: Uint8Array, lines: OutputLine[]): Uint8Array {
    let rest = bytes;
    for (let end = rest.indexOf(LINE_FEED); end >= 0; end = rest.indexOf(LINE_FEED)) {
      if (this.#length === 0 && !this.#cut && rest.length <= this.#limits.line_bytes) return this.#manyLines(rest, lines);
      this.#hold(rest.subarray(0, end));
      lines.push(this.#endLine());
      rest = rest.subarray(end + 1);
    }
    return rest;
  }

  /** Lines of which none can be too long are decoded at once: much faster than one by one. */
  #manyLines(bytes: Uint8Array, lines: OutputLine[]): Uint8Array {
    const last = bytes.lastIndexOf(LINE_FEED);
    for (const text of this.#decode(bytes.subarray(0, last)).split("\n")) lines.push({ text: withoutReturn(text), cut: false });
    return bytes.subarray(last + 1);
  }

  /** O2. */
  #hold(bytes: Uint8Array): void {
    const fitting = this.#cut ? 0 : Math.min(bytes.length, this.#limits.line_bytes - this.#length);
    this.#append(bytes.subarray(0, fitting));
    if (fitting === bytes.length) return;
    if (!this.#cut && isInsideCharacter(bytes[fitting])) this.#dropHalfCharacter();
    this.#drop(bytes.length - fitting);
  }

  #append(bytes: Uint8Array): void {
    const needed = this.#length + bytes.length;
    if (needed > this.#held.length) {
      const larger = new Uint8Array(Math.min(this.#limits.line_bytes, Math.max(needed, this.#held.length * 2)));
      larger.set(this.#held.subarray(0, this.#length));
      this.#held = larger;
    }
    this.#held.set(bytes, this.#length);
    this.#length = needed;
  }

  #dropHalfCharacter(): void {
    let end = this.#length;
    while (end > 0 && this.#length - end < 3 && isInsideCharacter(this.#held[end - 1])) end -= 1;
    if (Number(this.#held[end - 1]) >= LEADING) end -= 1;
    this.#drop(this.#length - end);
    this.#length = end;
  }

  #drop(count: number): void {
    this.#dropped += count;
    this.#cut = true;
  }

  #endLine(): OutputLine {
    const text = withoutReturn(this.#decode(this.#held.subarray(0, this.#length)));
    const line = { text, cut: this.#cut };
    this.#length = 0;
    this.#cut = false;
    return line;
  }
}

function withoutReturn(text: string): string {
  return text.endsWith("\r") ? text.slice(0, -1) : text;
}

/** A continuation byte of UTF-8. */
function isInsideCharacter(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}
