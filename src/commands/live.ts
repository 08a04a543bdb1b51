/**
 * Keeps the picture current for a program that stays: reconciles all goals at the start and every `intervalMs`, and notices what other
 * processes commit within a poll.
 *
 * Does not own: how a goal is reconciled (`Watched`), what the picture looks like (`status`), who is told (surfaces).
 *
 * L1  `current` answers with a picture that is not older than any commit made before it was called: the store's counter is asked each
 *     time. When the store cannot answer it throws; an old picture is never passed off as a current one.
 * L2  One look, one round and one rebuild at a time; whoever asks meanwhile shares the next one, never one that had begun before.
 * L3  Events are told in order, each once, from where the picture stood at the start.
 * L4  `version` grows whenever anything shown may have changed; equal versions mean equal answers.
 * L5  Files of the goals on the default page, and the registry, are looked at when the page is asked for, at most every `PAGE_LOOK_MS`.
 * L6  What this process commits itself is shown like any other commit: the store's counter does not move for it, so it is told.
 * L7  After `stop` nothing is scheduled and nobody is told anything.
 */
import type { GoalId } from "../core/id.ts";
import type { Reply } from "../core/result.ts";
import type { FedEvent, Journal, Maintenance } from "../ports/store.ts";
import type { Log, Progress } from "../ports/system.ts";
import { inTurn } from "./in-turn.ts";
import { type EventListener, EventTeller } from "./live-events.ts";
import { errorOf, type Health } from "./live-health.ts";
import { goalsOnPage } from "./live-page.ts";
import { type Sweep, type SweepSources, sweepOf, type WatchedGoal } from "./live-sweep.ts";

const IDLE_POLL_MS = 250;
const LISTENED_POLL_MS = 15;
/** While nobody is answered yet, and while everybody is. */
const RECONCILED_AT_START = 100;
const RECONCILED_AT_ONCE = 8;
const PAGE_LOOK_MS = 250;
const STALE_MS = 10_000;

export interface Watched {
  /** Every goal of the registry with what decides its picture; the same array while the registry stays the same. */
  goals(): Promise<readonly WatchedGoal[]>;
  /** Brings what is derived of these goals up to date and keeps it. */
  reconcile(goalIds: readonly GoalId[]): Promise<void>;
  /** Goals whose picture changes by the passing of time alone, and now has. */
  due(): Promise<readonly GoalId[]>;
}

export interface LiveSources extends SweepSources {
  readonly watched: Watched;
  readonly store: Pick<Journal, "feed" | "lastPosition"> & Pick<Maintenance, "changeCounter">;
  /** The default page. */
  readonly status: () => Promise<Reply<object>>;
  readonly log: Log;
  readonly progress: Progress;
  readonly intervalMs: number;
}

export interface Picture {
  readonly version: number;
  readonly status: Reply<object>;
}

export interface Live {
  /** L1. */
  current(): Promise<Picture>;
  /** L1, without the picture: what is shown may be kept while this stays. With a goal: its files are looked at too. */
  version(goalId: string | null): Promise<number>;
  /** One look now, so that `health` speaks of this moment. */
  look(): Promise<void>;
  /** This process has written: to a goal, or to any. Answers when that can be seen; what cannot be looked at now is by the next look. */
  wrote(goalId: string | null): Promise<void>;
  /** Where the events stand. */
  position(): string | null;
  feed(after: string | null, limit: number): Promise<readonly FedEvent[]>;
  /** L3; polls faster while somebody listens. The answer takes the listener back. */
  onEvents(listener: EventListener): () => void;
  /** After each round or commit that may have changed the picture. */
  onVersion(listener: (version: number) => void): () => void;
  health(): Health;
  stop(): Promise<void>;
}

/** Answers when the first full reconciliation is done. */
export async function startLive(sources: LiveSources): Promise<Live> {
  const live = new LivePicture(sources, await sources.store.lastPosition());
  await live.begin();
  return live;
}

type Timer = "poll" | "round";

class LivePicture implements Live {
  readonly #sources: LiveSources;
  readonly #sweep: Sweep;
  readonly #events: EventTeller;
  readonly #versionListeners = new Set<(version: number) => void>();
  readonly #timers = new Map<Timer, () => void>();
  readonly look: () => Promise<void>;
  readonly #round: () => Promise<void>;
  #list: readonly WatchedGoal[] = [];
  #goals: ReadonlyMap<string, WatchedGoal> = new Map();
  #counter: number | null = null;
  /** There may be commits that the counter does not count (L6). */
  #uncounted = true;
  #version = 1;
  #built: Picture | null = null;
  #building: Promise<void> | null = null;
  #lastLook: number;
  #lastPageLook: number;
  #lookError: Health["error"] = null;
  #roundError: Health["error"] = null;
  #stage: "starting" | "running" | "stopped" = "starting";

  constructor(sources: LiveSources, position: string | null) {
    this.#sources = sources;
    this.#sweep = sweepOf(sources);
    this.#events = new EventTeller(sources.store, position);
    this.#lastLook = sources.scheduler.elapsed();
    this.#lastPageLook = this.#lastLook;
    this.look = inTurn(() => this.#lookOnce());
    this.#round = inTurn(() => this.#lookAtEverything());
  }

  async begin(): Promise<void> {
    await this.#round();
    this.#stage = "running";
    this.#schedule("poll", IDLE_POLL_MS);
    this.#schedule("round", this.#sources.intervalMs);
  }

  async current(): Promise<Picture> {
    await this.#lookAtPage();
    await this.look();
    const wanted = this.#version;
    for (;;) {
      const built = this.#built;
      if (built !== null && built.version >= wanted) return built;
      this.#building ??= this.#build().finally(() => {
        this.#building = null;
      });
      await this.#building;
    }
  }

  async version(goalId: string | null): Promise<number> {
    if (goalId !== null) await this.#lookAtFiles([goalId]);
    await this.look();
    return this.#version;
  }

  /** L6. */
  async wrote(goalId: string | null): Promise<void> {
    this.#uncounted = true;
    try {
      await this.#lookAtFiles(goalId === null ? goalsOnPage(this.#built?.status ?? null) : [goalId]);
      await this.look();
    } catch (error) {
      this.#sources.log.write("warn", "live.look_failed", { ...errorOf(error) });
    }
  }

  position(): string | null {
    return this.#events.position;
  }

  feed(after: string | null, limit: number): Promise<readonly FedEvent[]> {
    return this.#sources.store.feed(after, limit);
  }

  onEvents(listener: EventListener): () => void {
    const remove = this.#events.add(listener);
    this.#schedule("poll", LISTENED_POLL_MS);
    return remove;
  }

  onVersion(listener: (version: number) => void): () => void {
    this.#versionListeners.add(listener);
    return () => void this.#versionListeners.delete(listener);
  }

  health(): Health {
    const age = Math.round(this.#sources.scheduler.elapsed() - this.#lastLook);
    const error = this.#lookError ?? this.#roundError;
    return { ok: error === null && age <= STALE_MS, last_look_ms_ago: age, error };
  }

  /** L7. */
  async stop(): Promise<void> {
    this.#stage = "stopped";
    for (const cancel of this.#timers.values()) cancel();
    this.#timers.clear();
    this.#events.stop();
    this.#versionListeners.clear();
    await this.#building?.catch(() => undefined);
  }

  /** L1: the version is that of before the status was read. */
  async #build(): Promise<void> {
    const version = this.#version;
    this.#built = { version, status: await this.#sources.status() };
  }

  /** L1, L3. The counter is asked first: a commit after that is seen by the next look. */
  async #lookOnce(): Promise<void> {
    try {
      const isUncounted = this.#uncounted;
      this.#uncounted = false;
      const counter = await this.#sources.store.changeCounter();
      if (isUncounted || counter !== this.#counter) {
        await this.#events.tell();
        this.#counter = counter;
        this.#changed();
      }
      this.#lastLook = this.#sources.scheduler.elapsed();
      this.#lookError = null;
    } catch (error) {
      this.#uncounted = true;
      this.#lookError = errorOf(error);
      throw error;
    }
  }

  #changed(): void {
    this.#version += 1; // (L4)
    for (const listener of [...this.#versionListeners]) listener(this.#version);
  }

  async #lookAtEverything(): Promise<void> {
    try {
      this.#roundError = null;
      if (await this.#takeList()) this.#uncounted = true;
      const changed = await this.#sweep.changed(this.#list);
      const touched = [...new Set([...changed, ...(await this.#sources.watched.due())])];
      await this.#reconcile(touched);
    } catch (error) {
      this.#uncounted = true;
      this.#roundError = errorOf(error);
      this.#sources.log.write("warn", "live.round_failed", { ...this.#roundError });
    }
    await this.look().catch(() => undefined);
  }

  async #takeList(): Promise<boolean> {
    const list = await this.#sources.watched.goals();
    if (list === this.#list) return false;
    this.#list = list;
    this.#goals = new Map(list.map((goal) => [goal.goal_id, goal]));
    return true;
  }

  /** L5. */
  async #lookAtPage(): Promise<void> {
    const now = this.#sources.scheduler.elapsed();
    if (now - this.#lastPageLook < PAGE_LOOK_MS) return;
    this.#lastPageLook = now;
    await this.#lookAtFiles(goalsOnPage(this.#built?.status ?? null));
  }

  async #lookAtFiles(goalIds: readonly string[]): Promise<void> {
    if (await this.#takeList()) return this.#round();
    const known = goalIds.flatMap((goalId) => this.#goals.get(goalId) ?? []);
    const changed = known.filter((goal) => this.#sweep.hasChanged(goal)).map((goal) => goal.goal_id);
    if (changed.length > 0) await this.#reconcile(changed);
  }

  async #reconcile(goalIds: readonly GoalId[]): Promise<void> {
    const { watched, log, progress, scheduler } = this.#sources;
    const isStart = this.#stage === "starting";
    const atOnce = isStart ? RECONCILED_AT_START : RECONCILED_AT_ONCE;
    for (let at = 0; at < goalIds.length && this.#stage !== "stopped"; at += atOnce) {
      const some = goalIds.slice(at, at + atOnce);
      try {
        await watched.reconcile(some);
      } catch (error) {
        this.#sweep.forget(some);
        this.#roundError = errorOf(error);
        log.write("warn", "live.reconcile_failed", { goals: some, ...this.#roundError });
      }
      if (isStart) progress.report(Math.min(at + atOnce, goalIds.length), goalIds.length, "goals");
      await scheduler.breathe();
    }
    if (goalIds.length > 0) this.#uncounted = true; // (L6)
  }

  #schedule(timer: Timer, milliseconds: number): void {
    this.#timers.get(timer)?.();
    this.#timers.delete(timer);
    if (this.#stage === "stopped") return; // (L7)
    this.#timers.set(
      timer,
      this.#sources.scheduler.after(milliseconds, () => void this.#tick(timer)),
    );
  }

  async #tick(timer: Timer): Promise<void> {
    if (timer === "round") await this.#round();
    else await this.look().catch((error: unknown) => this.#sources.log.write("warn", "live.look_failed", { ...errorOf(error) }));
    const poll = this.#events.hasListeners ? LISTENED_POLL_MS : IDLE_POLL_MS;
    this.#schedule(timer, timer === "round" ? this.#sources.intervalMs : poll);
  }
}
