/**
 * When a process group has to end, and its way there: asked, then made to.
 *
 * Does not own: what is left when the program itself has ended (`end-processes.ts`).
 *
 * W1  The first reason stays the reason.
 * W2  While it is we who do not read its output, a program is not quiet.
 * W3  After `GIVE_UP_MS` more a program that cannot even be killed is given up: nobody waits for it for ever.
 */
import type { ProcessEnd } from "../../core/host/process-end.ts";
import type { GroupLimits } from "../../ports/process.ts";

export type StopReason = "idle_limit" | "hard_limit" | "aborted";

const GIVE_UP_MS = 5000;

export interface StopOptions {
  /** Of the program, and so of its group. */
  readonly pid: number;
  readonly limits: Pick<GroupLimits, "idle_ms" | "hard_ms" | "grace_ms">;
  readonly signal: AbortSignal;
  /** Milliseconds since something was printed. */
  readonly quietFor: () => number;
}

export class GroupStop {
  readonly #options: StopOptions;
  readonly #timers = new Set<NodeJS.Timeout>();
  readonly #onAbort = (): void => this.stop("aborted");
  #stopped: { readonly why: StopReason; readonly at: number } | null = null;
  #giveUp: () => void = () => {};
  /** W3. */
  readonly #givenUp: Promise<void>;

  constructor(options: StopOptions) {
    this.#options = options;
    this.#givenUp = new Promise((resolve) => {
      this.#giveUp = resolve;
    });
    const { limits, signal } = options;
    this.#after(limits.hard_ms, () => this.stop("hard_limit"));
    if (limits.idle_ms !== null) this.#watchQuiet(limits.idle_ms);
    signal.addEventListener("abort", this.#onAbort, { once: true });
    if (signal.aborted) this.stop("aborted");
  }

  /** What is left of the time in which the program's processes may end by themselves. */
  get graceLeft(): number {
    const { grace_ms } = this.#options.limits;
    return this.#stopped === null ? grace_ms : Math.max(0, grace_ms - (performance.now() - this.#stopped.at));
  }

  stop(why: StopReason): void {
    if (this.#stopped !== null) return; // (W1)
    this.#stopped = { why, at: performance.now() };
    this.#signal("SIGTERM");
    this.#after(this.#options.limits.grace_ms, () => {
      this.#signal("SIGKILL");
      this.#after(GIVE_UP_MS, this.#giveUp);
    });
  }

  /** How the program ended, told as we know it. */
  async until(exited: Promise<ProcessEnd>): Promise<ProcessEnd> {
    const end = await Promise.race([exited, this.#givenUp]);
    for (const timer of this.#timers) clearTimeout(timer);
    this.#options.signal.removeEventListener("abort", this.#onAbort);
    if (this.#stopped !== null || end === undefined) return { kind: this.#stopped?.why ?? "aborted" };
    return end;
  }

  /** W2. */
  #watchQuiet(idle_ms: number): void {
    const left = idle_ms - this.#options.quietFor();
    if (left <= 0) this.stop("idle_limit");
    else this.#after(left, () => this.#watchQuiet(idle_ms));
  }

  #after(milliseconds: number, work: () => void): void {
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      work();
    }, milliseconds);
    this.#timers.add(timer);
  }

  #signal(signal: NodeJS.Signals): void {
    try {
      process.kill(-this.#options.pid, signal);
    } catch {
      // The group has ended; what left it is found by its marks.
    }
  }
}
