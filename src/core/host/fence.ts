/**
 * Finds a turn's result between fences in what a host says:
 *
 *     ```loopx-turn-result
 *     {"kind":"wait","summary":"…"}
 *     ```
 *
 * Does not own: what is between the fences (`result-text.ts`).
 *
 * F1  Of several blocks of one message the last counts; a new message makes the blocks before it mean nothing.
 * F2  No more of a block is held than a result can have.
 * F3  A block that no fence closes is one all the same: what it holds is judged, and found to be half.
 */
import { MAX_RESULT_LENGTH } from "./result-text.ts";

const OPEN = /^ {0,3}(`{3,})loopx-turn-result\s*$/;
const CLOSE = /^ {0,3}(`{3,})\s*$/;

interface Open {
  readonly fence: string;
  text: string;
}

export class FenceFinder {
  #open: Open | null = null;
  #last: string | null = null;

  /** F1. */
  startMessage(): void {
    this.#open = null;
    this.#last = null;
  }

  /** Whole lines. */
  read(text: string): void {
    for (const line of text.split("\n")) this.#readLine(line);
  }

  /** The text of the block that counts; null when there is none. */
  block(): string | null {
    return this.#open?.text ?? this.#last; // (F3)
  }

  #readLine(line: string): void {
    if (this.#open === null) {
      const fence = OPEN.exec(line)?.[1];
      if (fence !== undefined) this.#open = { fence, text: "" };
    } else if (closes(line, this.#open.fence)) {
      this.#last = this.#open.text;
      this.#open = null;
    } else if (this.#open.text.length <= MAX_RESULT_LENGTH) {
      this.#open.text += `${line.slice(0, MAX_RESULT_LENGTH)}\n`; // (F2)
    }
  }
}

function closes(line: string, fence: string): boolean {
  return (CLOSE.exec(line)?.[1]?.length ?? 0) >= fence.length;
}
