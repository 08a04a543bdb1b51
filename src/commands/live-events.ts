/**
 * Tells listeners what was committed, in order and each event once, from where it stood at the start.
 *
 * Does not own: when to look (`live.ts`).
 */
import type { FedEvent, Journal } from "../ports/store.ts";

const FEED_PAGE = 500;

export type EventListener = (events: readonly FedEvent[]) => void;

export class EventTeller {
  readonly #store: Pick<Journal, "feed">;
  readonly #listeners = new Set<EventListener>();
  #position: string | null;
  #isStopped = false;

  /** `position`: of the last event that is not told any more; null: tell everything. */
  constructor(store: Pick<Journal, "feed">, position: string | null) {
    this.#store = store;
    this.#position = position;
  }

  get position(): string | null {
    return this.#position;
  }

  get hasListeners(): boolean {
    return this.#listeners.size > 0;
  }

  /** The answer takes the listener back. */
  add(listener: EventListener): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Everything committed since the last time. */
  async tell(): Promise<void> {
    for (;;) {
      const events = await this.#store.feed(this.#position, FEED_PAGE);
      const last = events.at(-1);
      if (last === undefined || this.#isStopped) return;
      this.#position = last.pos;
      for (const listener of [...this.#listeners]) listener(events);
      if (events.length < FEED_PAGE) return;
    }
  }

  /** Nobody is told anything from here on. */
  stop(): void {
    this.#isStopped = true;
    this.#listeners.clear();
  }
}
