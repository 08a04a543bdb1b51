/**
 * All listeners on `/events`.
 *
 * B1  At most `limits.eventClients` at a time; one more is a fault that asks to come back later.
 * B2  The store is polled fast, and the picture rebuilt on each change, only while somebody listens.
 * B3  A comment is sent to whoever waits, so that both ends notice a dead connection; who takes nothing is dropped.
 * B4  A position beyond the newest event (another store, a restored copy) is answered by `reset`, then from the newest on.
 */
import { inTurn } from "../../commands/in-turn.ts";
import type { Live } from "../../commands/live.ts";
import type { Scheduler } from "../../commands/scheduler.ts";
import { Fault } from "../../errors.ts";
import { EventClient } from "./event-client.ts";
import { type EventLog, eventLog } from "./event-log.ts";
import type { Limits } from "./limits.ts";
import type { StatusPage } from "./status-page.ts";

const GREETING = "retry: 2000\n: loopx\n\n";
const HEARTBEAT = ": \n\n";

export interface HubSources {
  readonly live: Pick<Live, "onEvents" | "onVersion" | "position" | "feed" | "look">;
  readonly page: StatusPage;
  readonly scheduler: Scheduler;
  readonly limits: Pick<Limits, "eventClients" | "heartbeatMs" | "slowClientMs">;
}

export interface EventHub {
  /** `after: null`: from now on. */
  connect(after: string | null, cut: (() => void) | null): Promise<ReadableStream<Uint8Array>>;
  count(): number;
  stop(): void;
}

export function eventHub(sources: HubSources): EventHub {
  return new Hub(sources);
}

class Hub implements EventHub {
  readonly #sources: HubSources;
  readonly #clients = new Set<EventClient>();
  readonly #announce: () => Promise<void>;
  #log: EventLog = eventLog(null);
  #release: (() => void) | null = null;
  #tag: string | null = null;
  #stopped = false;

  constructor(sources: HubSources) {
    this.#sources = sources;
    this.#announce = inTurn(() => this.#announceOnce());
  }

  async connect(after: string | null, cut: (() => void) | null): Promise<ReadableStream<Uint8Array>> {
    const { live, limits, scheduler } = this.#sources;
    await live.look();
    if (this.#stopped) throw new Fault({ code: "server_stopping", message: "the server is stopping" });
    if (this.#clients.size >= limits.eventClients) {
      throw new Fault({ code: "too_many_listeners", message: `${limits.eventClients} listeners are connected, which is all` }); // (B1)
    }
    if (this.#clients.size === 0) this.#open();
    const newest = live.position();
    const isBeyond = after !== null && BigInt(after) > BigInt(newest ?? "0");
    const start = after === null || isBeyond ? newest : positionOf(after);
    const greeting = isBeyond ? `${GREETING}${resetFrame(newest)}` : GREETING; // (B4)
    const client: EventClient = new EventClient(
      {
        log: this.#log,
        feed: (from, limit) => live.feed(from, limit),
        elapsed: scheduler.elapsed,
        left: () => this.#left(client),
        cut,
      },
      start,
      greeting,
    );
    this.#clients.add(client);
    return client.stream;
  }

  count(): number {
    return this.#clients.size;
  }

  stop(): void {
    this.#stopped = true;
    for (const client of [...this.#clients]) client.end();
  }

  /** B2. Nothing is awaited between the log's start and the subscription: no event falls between. */
  #open(): void {
    const { live, scheduler, limits } = this.#sources;
    const log = eventLog(live.position());
    this.#log = log;
    this.#tag = null;
    const endEvents = live.onEvents((events) => {
      log.add(events);
      for (const client of this.#clients) client.wake();
    });
    const endVersions = live.onVersion(() => void this.#announce());
    const pause = Math.min(limits.heartbeatMs, limits.slowClientMs / 2);
    const beat = (): void => {
      this.#beat();
      endBeat = scheduler.after(pause, beat);
    };
    let endBeat = scheduler.after(pause, beat);
    this.#release = () => {
      endEvents();
      endVersions();
      endBeat();
    };
    void this.#announce();
  }

  #left(client: EventClient): void {
    this.#clients.delete(client);
    if (this.#clients.size > 0) return;
    this.#release?.();
    this.#release = null;
  }

  /** B3. */
  #beat(): void {
    for (const client of [...this.#clients]) {
      if (client.isSlow(this.#sources.limits.slowClientMs)) client.drop();
      else if (client.isWaiting()) client.notice(HEARTBEAT);
    }
  }

  /** Tells that the default page differs from what was told before. */
  async #announceOnce(): Promise<void> {
    const tag = await this.#currentTag();
    if (tag === null || tag === this.#tag) return;
    const isFirst = this.#tag === null;
    this.#tag = tag;
    if (isFirst) return;
    for (const client of this.#clients) client.notice(`event: status\ndata: ${JSON.stringify({ etag: tag })}\n\n`);
  }

  /** Null when there is no page to tell of; whoever asks for it is told why. */
  async #currentTag(): Promise<string | null> {
    try {
      const made = await this.#sources.page.current();
      return "kind" in made ? null : (await made.represent(undefined)).etag;
    } catch {
      return null;
    }
  }
}

/** The position before the first event has no number in the store. */
function positionOf(after: string): string | null {
  return after === "0" ? null : after;
}

function resetFrame(newest: string | null): string {
  return `event: reset\ndata: ${JSON.stringify({ pos: newest })}\n\n`;
}
