/**
 * `loopx run --worker`: reports on stdout, orders on stdin, an exit status at the end.
 *
 * Does not own: the lines (`core/host/worker-protocol.ts`), the turns (`commands/run-loop.ts`).
 *
 * W1  The last line is `stopped`, whatever ended it; the exit status says the same (`errors.ts`).
 * W2  A worker whose supervisor is gone finishes its turn within the grace, then stops.
 * W3  A line that is not understood is told on stderr and does nothing.
 */
import { WorkerOrders } from "../../commands/worker-orders.ts";
import { lineOf, readOrder, type WorkerFact } from "../../core/host/worker-protocol.ts";
import { done, type Reply } from "../../core/result.ts";
import { isFault, WORKER_EXITS } from "../../errors.ts";
import type { Context, Live, Told } from "./command.ts";
import type { Asked } from "./run-asked.ts";

const GRACE_SECONDS = 15;

export async function work(context: Context, asked: Asked): Promise<Reply<Told>> {
  return await context.live(async (live) => {
    const worker = new Worker(context, live);
    const deafen = worker.listen((asked.graceSeconds ?? GRACE_SECONDS) * 1000);
    try {
      return done({ exit: await worker.run(asked) });
    } finally {
      deafen();
    }
  });
}

class Worker {
  readonly #context: Context;
  readonly #live: Live;
  readonly #orders = new WorkerOrders();
  #turns = 0;

  constructor(context: Context, live: Live) {
    this.#context = context;
    this.#live = live;
  }

  /** W2, W3. */
  listen(grace_ms: number): () => void {
    const stop = (): void => this.#orders.give({ do: "stop" });
    const { interrupted } = this.#live;
    interrupted.addEventListener("abort", stop, { once: true });
    if (interrupted.aborted) stop();
    let last: NodeJS.Timeout | undefined;
    const deafen = this.#live.lines(
      (line) => this.#obey(line),
      () => {
        this.#orders.give({ do: "drain" });
        last = setTimeout(stop, grace_ms);
      },
    );
    return () => {
      clearTimeout(last);
      deafen();
    };
  }

  #obey(line: string): void {
    const order = readOrder(line);
    if (order.kind === "done") this.#orders.give(order.value);
    else this.#live.note(`${order.message}\n`);
  }

  /** W1. */
  async run(asked: Asked): Promise<number> {
    try {
      const app = await this.#context.app();
      const reply = await app.run({ ...asked, orders: this.#orders, tell: (...said) => this.#tell(...said) });
      if (reply.kind === "done") return WORKER_EXITS[reply.value.stopped];
      const { code, message, fix } = reply;
      await this.#say({ event: "stopped", reason: "fatal", message, code, ...(fix !== undefined && { fix }) });
      return WORKER_EXITS.fatal;
    } catch (thrown) {
      if (!isFault(thrown)) throw thrown;
      const { code, message, hint } = thrown;
      await this.#say({ event: "stopped", reason: "fault", message, code, ...(hint !== null && { fix: hint }) });
      return WORKER_EXITS.fault;
    }
  }

  async #tell(fact: WorkerFact, turns: number, acknowledge: () => void): Promise<void> {
    this.#turns = turns;
    await this.#say(fact);
    acknowledge();
  }

  async #say(fact: WorkerFact): Promise<void> {
    await this.#live.write(lineOf({ ...fact, at: this.#context.now(), turns: this.#turns }));
  }
}
