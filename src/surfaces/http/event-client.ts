/**
 * One listener on `/events`: pulls frames as fast as it reads, and no faster.
 *
 * C1  At most one batch of `BATCH_CHARACTERS` is made ahead of what the reader took: memory does not grow with a slow reader.
 * C2  Frames come in order, none twice and none missing, from the position it asked for.
 * C3  A reader that takes nothing for `slowMs` while there is something to send is dropped; it can resume with the last id it saw.
 */
import type { FedEvent } from "../../ports/store.ts";
import { type EventLog, frameOf } from "./event-log.ts";

const BATCH_CHARACTERS = 65_536;
const PAGE = 100;
const encoder = new TextEncoder();

export interface ClientSources {
  readonly log: EventLog;
  readonly feed: (after: string | null, limit: number) => Promise<readonly FedEvent[]>;
  readonly elapsed: () => number;
  /** Called once, when it is gone. */
  readonly left: () => void;
  /** Ends the connection below the stream; absent where there is none. */
  readonly cut: (() => void) | null;
}

export class EventClient {
  readonly stream: ReadableStream<Uint8Array>;
  readonly #sources: ClientSources;
  #position: string | null;
  /** To be sent before the next events. */
  #notices: string;
  #controller: ReadableStreamDefaultController<Uint8Array> | null = null;
  /** Set while the reader waits for something to be there. */
  #wake: (() => void) | null = null;
  #isReading = false;
  #idleSince: number;
  #gone = false;

  constructor(sources: ClientSources, position: string | null, greeting: string) {
    this.#sources = sources;
    this.#position = position;
    this.#notices = greeting;
    this.#idleSince = sources.elapsed();
    this.stream = new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          this.#controller = controller;
        },
        pull: () => this.#pull(),
        cancel: () => this.#leave(),
      },
      { highWaterMark: 0 }, // (C1)
    );
  }

  /** There are new frames. */
  wake(): void {
    this.#wake?.();
  }

  /** A line that is not an event of the journal: it has no id and does not move the position. */
  notice(text: string): void {
    if (this.#notices.length < BATCH_CHARACTERS) this.#notices += text;
    this.wake();
  }

  /** C3. A reader that waits for news is not slow. */
  isSlow(slowMs: number): boolean {
    return !this.#isReading && this.#sources.elapsed() - this.#idleSince >= slowMs;
  }

  isWaiting(): boolean {
    return this.#wake !== null;
  }

  drop(): void {
    if (this.#gone) return;
    const cut = this.#sources.cut;
    if (cut === null) this.#controller?.error(new Error("The reader was too slow."));
    else cut();
    this.#leave();
  }

  /** The server ends; what was sent stays whole. */
  end(): void {
    if (this.#gone) return;
    this.#leave();
    this.#controller?.close();
  }

  async #pull(): Promise<void> {
    this.#isReading = true;
    let batch = await this.#batch();
    while (batch === "" && !this.#gone) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
      this.#wake = null;
      batch = this.#gone ? "" : await this.#batch();
    }
    if (this.#gone) return;
    this.#isReading = false;
    this.#idleSince = this.#sources.elapsed();
    this.#controller?.enqueue(encoder.encode(batch));
  }

  /** C2. */
  async #batch(): Promise<string> {
    let text = this.#notices;
    this.#notices = "";
    const frames =
      this.#sources.log.after(this.#position) ?? (await this.#sources.feed(this.#position, PAGE)).map((event) => frameOf(event));
    for (const frame of frames) {
      if (text !== "" && text.length + frame.text.length > BATCH_CHARACTERS) break; // (C1)
      text += frame.text;
      this.#position = frame.pos;
    }
    return text;
  }

  #leave(): void {
    if (this.#gone) return;
    this.#gone = true;
    this.#sources.left();
    this.wake();
  }
}
