/**
 * Reads a run index in any number of pieces, from any place where it stopped.
 *
 * Does not own: what a record is (`index-record.ts`), opening files and keeping what was read (ports, commands).
 *
 * R2  The same bytes give the same rows, counts and damage under any split into pieces and into readings.
 * B1  What was read up to `offset` is never needed again: `offset` stands at the end of a line, or after a whole row that
 *     ends the file without a line feed. What is left after that is a torn tail, and is read again.
 * B2  A record that is not whole within `MAX_RECORD` bytes is skipped to the next line feed and never held in memory.
 * B3  Rows of this store's own goal are set apart: they are in the journal already. Rows of another store are facts.
 */
import { parseInstant } from "../instant.ts";
import { formatJournalRef, parseEventRef } from "./event-ref.ts";
import { type PlacedRow, runIdentity } from "./history.ts";
import { type DecodeUtf8, flawOf, leadingRow, mayBeTooDeep, parseRow } from "./index-record.ts";
import type { Damage, RunRow } from "./run.ts";

export const MAX_RECORD = 1_048_576;
export const MAX_DAMAGE = 50;

const LINE_FEED = 0x0a;
const BYTE_ORDER_MARK: readonly number[] = [0xef, 0xbb, 0xbf];

export interface ReaderStart {
  readonly decode: DecodeUtf8;
  readonly goal_id: string;
  readonly store_id: string;
  /** Of the goal's journal. */
  readonly generation: number;
  /** Where the reading goes on: both 0 for a new one. */
  readonly offset: number;
  readonly lines: number;
}

/** A row of LoopX itself. */
export interface OwnRow {
  readonly event: string;
  readonly line: number;
  readonly position: number;
  readonly row: RunRow;
}

/** What was read since the last `take`. */
export interface Taken {
  readonly rows: readonly PlacedRow[];
  readonly own: readonly OwnRow[];
  /** At most `MAX_DAMAGE`; `damage_count` counts all. */
  readonly damage: readonly Damage[];
  readonly damage_count: number;
  /** Rows of others and damaged records. */
  readonly raw_records: number;
  readonly offset: number;
  readonly lines: number;
}

export class LineReader {
  readonly #start: ReaderStart;
  /** Bytes from `#offset` to the end of what was fed, when no line feed ended them yet. */
  #pending: Uint8Array = new Uint8Array(4096);
  #held = 0;
  /** Bytes of a record that is too long, held ones included; 0 while none is being skipped. */
  #skipped = 0;
  #offset: number;
  #lines: number;
  #rows: PlacedRow[] = [];
  #own: OwnRow[] = [];
  #damage: Damage[] = [];
  #damageCount = 0;

  constructor(start: ReaderStart) {
    this.#start = start;
    this.#offset = start.offset;
    this.#lines = start.lines;
  }

  /** Where the next reading would go on. */
  get offset(): number {
    return this.#offset;
  }

  /** The bytes that follow those fed before. They are not kept. */
  feed(chunk: Uint8Array): void {
    let from = 0;
    if (this.#held > 0 || this.#skipped > 0) {
      const end = chunk.indexOf(LINE_FEED);
      this.#hold(end < 0 ? chunk : chunk.subarray(0, end));
      if (end < 0) return;
      this.#endLine();
      from = end + 1;
    }
    const last = chunk.lastIndexOf(LINE_FEED);
    if (last >= from) this.#readLines(chunk.subarray(from, last + 1));
    this.#hold(chunk.subarray(Math.max(from, last + 1)));
  }

  /** The file ends here. A whole row at its end is taken in; what is left is reported and stays before the offset (B1). */
  end(): void {
    this.#takeLeading();
    const rest = this.#withoutMark(this.#pending.subarray(0, this.#held));
    const unfinished = this.#skipped > 0 || flawOf(rest, this.#start.decode) !== null;
    if (unfinished) this.#report({ code: "torn_tail", message: "the last line is unfinished" });
  }

  take(): Taken {
    const taken = {
      rows: this.#rows,
      own: this.#own,
      damage: this.#damage,
      damage_count: this.#damageCount,
      raw_records: this.#rows.length + this.#damageCount,
      offset: this.#offset,
      lines: this.#lines,
    };
    this.#rows = [];
    this.#own = [];
    this.#damage = [];
    this.#damageCount = 0;
    return taken;
  }

  /** Whole lines at once: decoded together, and one by one only where that fails. */
  #readLines(block: Uint8Array): void {
    const texts = this.#start.decode(block)?.split("\n");
    let from = 0;
    for (let index = 0; from < block.length; index += 1) {
      const end = block.indexOf(LINE_FEED, from);
      const text = texts?.[index];
      if (text === undefined || end - from > MAX_RECORD || !this.#readWhole(text)) {
        this.#hold(block.subarray(from, end));
        this.#endLine();
      } else {
        this.#offset += end - from + 1;
        this.#lines += 1;
      }
      from = end + 1;
    }
  }

  /** The common case: a line that is one row or blank. False when it is anything else. */
  #readWhole(text: string): boolean {
    if (text.trim() === "") return true;
    if (mayBeTooDeep(text)) return false;
    const row = parseRow(text);
    if (row === null) return false;
    this.#place(row);
    return true;
  }

  #endLine(): void {
    this.#takeLeading();
    const rest = this.#pending.subarray(0, this.#held);
    const flaw =
      this.#skipped > 0
        ? { code: "too_long" as const, message: `is longer than ${MAX_RECORD} bytes` }
        : flawOf(this.#withoutMark(rest), this.#start.decode);
    if (flaw !== null) this.#report({ code: flaw.code, message: `the line ${flaw.message}` });
    this.#offset += (this.#skipped > 0 ? this.#skipped : this.#held) + 1;
    this.#lines += 1;
    this.#held = 0;
    this.#skipped = 0;
  }

  /** B2. */
  #hold(bytes: Uint8Array): void {
    let rest = bytes;
    while (rest.length > 0 && this.#skipped === 0) {
      const fitting = rest.subarray(0, MAX_RECORD - this.#held);
      this.#append(fitting);
      rest = rest.subarray(fitting.length);
      if (rest.length > 0 && !this.#takeLeading()) this.#skipped = this.#held;
    }
    if (this.#skipped === 0) return;
    this.#skipped += rest.length;
    this.#held = 0;
  }

  #append(bytes: Uint8Array): void {
    const needed = this.#held + bytes.length;
    if (needed > this.#pending.length) {
      const larger = new Uint8Array(Math.min(MAX_RECORD, Math.max(needed, this.#pending.length * 2)));
      larger.set(this.#pending.subarray(0, this.#held));
      this.#pending = larger;
    }
    this.#pending.set(bytes, this.#held);
    this.#held = needed;
  }

  /** Takes whole rows off the front of what is held; true when there was one. */
  #takeLeading(): boolean {
    let from = 0;
    for (;;) {
      const rest = this.#withoutMark(this.#pending.subarray(from, this.#held));
      const found = leadingRow(rest, this.#start.decode);
      if (found === null) break;
      const end = found.end + (this.#held - from - rest.length);
      this.#place(found.row);
      this.#offset += end;
      from += end;
    }
    this.#pending.copyWithin(0, from, this.#held);
    this.#held -= from;
    return from > 0;
  }

  /** A byte order mark means something at the start of a file only (A20). */
  #withoutMark(bytes: Uint8Array): Uint8Array {
    const marked = this.#offset === 0 && BYTE_ORDER_MARK.every((byte, index) => bytes[index] === byte);
    return marked ? bytes.subarray(BYTE_ORDER_MARK.length) : bytes;
  }

  #place(row: RunRow): void {
    const line = this.#lines + 1;
    const position = this.#offset;
    const event = this.#ownEvent(row);
    if (event !== null) this.#own.push({ event, line, position, row });
    else this.#rows.push({ identity: runIdentity(row), position, line, at: parseInstant(row.generated_at), row });
  }

  /** (E1 of `event-ref.ts`) */
  #ownEvent({ loopx_event, loopx_store }: RunRow): string | null {
    if (typeof loopx_event !== "string" || parseEventRef(loopx_event)?.goal_id !== this.#start.goal_id) return null;
    return loopx_store === undefined || loopx_store === formatJournalRef(this.#start) ? loopx_event : null;
  }

  #report(flaw: Pick<Damage, "code" | "message">): void {
    this.#damageCount += 1;
    if (this.#damage.length >= MAX_DAMAGE) return;
    this.#damage.push({ code: flaw.code, line: this.#lines + 1, offset: this.#offset, message: flaw.message });
  }
}
