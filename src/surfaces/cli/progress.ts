/**
 * Tells people how far long work is, on stderr.
 *
 * G1  Nothing is said in the first second, and nothing at all to a program unless it asked (`--verbose`).
 * G2  At most five times a second on a terminal, where the line is overwritten and taken away at the end; once a second elsewhere.
 */
import type { Progress } from "../../ports/system.ts";

export interface ProgressLine extends Progress {
  /** Takes the line away, before an answer or an error is printed. */
  clear(): void;
}

export interface ProgressOptions {
  readonly write: (text: string) => void;
  readonly isTerminal: () => boolean;
  readonly mode: "terminal only" | "always";
  /** Milliseconds, never backwards. */
  readonly elapsed: () => number;
}

const QUIET_MS = 1000;
const TERMINAL_MS = 200;
const LINES_MS = 1000;
const ERASE = "\r\u001b[K";

type Place = "terminal" | "lines" | "nowhere";

export function progressLine(options: ProgressOptions): ProgressLine {
  const started = options.elapsed();
  let place: Place | null = null;
  let next = started + QUIET_MS;
  let drawn = false;
  const find = (): Place => (options.isTerminal() ? "terminal" : options.mode === "always" ? "lines" : "nowhere");
  return {
    report: (done, total, what) => {
      const now = options.elapsed();
      // (G1)
      if (now < next) return;
      place ??= find();
      if (place === "nowhere") return;
      // (G2)
      next = now + (place === "terminal" ? TERMINAL_MS : LINES_MS);
      drawn = place === "terminal";
      options.write(drawn ? `${ERASE}${sentence(done, total, what)}` : `${sentence(done, total, what)}\n`);
    },
    clear: () => {
      if (drawn) options.write(ERASE);
      drawn = false;
    },
  };
}

function sentence(done: number, total: number | null, what: string): string {
  if (total === null || total === 0) return `${done} ${what}`;
  return `${done} of ${total} ${what} (${Math.floor((100 * done) / total)} %)`;
}
