/**
 * What a worker was told, as state: written by whoever hears orders, looked at between the steps of a run.
 *
 * O1  `stop` counts before `drain`, and neither is taken back.
 * O2  Whoever waits hears of every order at once.
 */
import type { WorkerOrder } from "../core/host/worker-protocol.ts";
import type { Instant } from "../core/instant.ts";

export class WorkerOrders {
  #end: "drain" | "stop" | null = null;
  #hold: { readonly until: Instant | null } | null = null;
  #woken = false;
  readonly #stop = new AbortController();
  #listener: () => void = () => {};

  /** Aborted by `stop`: a host that runs is ended. */
  get stopped(): AbortSignal {
    return this.#stop.signal;
  }

  get end(): "drain" | "stop" | null {
    return this.#end;
  }

  give(order: WorkerOrder): void {
    switch (order.do) {
      case "drain":
        this.#end ??= "drain"; // (O1)
        break;
      case "stop":
        this.#end = "stop";
        this.#stop.abort();
        break;
      case "wake":
        this.#woken = true;
        this.#hold = null;
        break;
      case "hold":
        this.#hold = { until: order.until };
        break;
    }
    this.#listener(); // (O2)
  }

  /** Until when nothing is begun; null: nothing holds. */
  heldAt(now: Instant): { readonly until: Instant | null } | null {
    const { until } = this.#hold ?? { until: now };
    return until === null || until > now ? { until } : null;
  }

  /** True once after each `wake`. */
  takeWake(): boolean {
    const woken = this.#woken;
    this.#woken = false;
    return woken;
  }

  /** One listener at a time. */
  listen(listener: () => void): () => void {
    this.#listener = listener;
    return () => {
      this.#listener = () => {};
    };
  }
}
