/** Timers and turns of the event loop, as an argument: tests bring a clock that they move by hand. */
export interface Scheduler {
  /** Milliseconds, never backwards. */
  elapsed(): number;
  /** Calls `work` once after `milliseconds`, unless the answer was called before. */
  after(milliseconds: number, work: () => void): () => void;
  /** Lets everything that waits have its turn. */
  breathe(): Promise<void>;
}
