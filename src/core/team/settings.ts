/** How a team is run: what may be set for it, and what holds when nothing is. Milliseconds throughout. */
import type { Backoff } from "../host/backoff.ts";

export interface TeamSettings {
  /** Between the starts of two workers, and between two that go on after a cool-down. */
  readonly stagger_ms: number;
  /** Of the system, per core; above it no worker is started. Null: any. */
  readonly max_load: number | null;
  /** Between two looks at what keeps a worker from being started. */
  readonly recheck_ms: number;
  /** Of each worker. Null: as many as there are. */
  readonly max_turns: number | null;
  /** How often a worker may fail in the window before it is given up. */
  readonly max_restarts: number;
  readonly window_ms: number;
  readonly backoff: Backoff;
  /** For turns to finish once the team is to end. */
  readonly grace_ms: number;
  /** For a worker to end once it was told to stop at once: it has to end its host first. */
  readonly stop_ms: number;
  /** The longest time between two words of a worker that is neither in a turn nor waiting. */
  readonly word_ms: number;
  /** The longest time from the start of a turn to its end: the host's limit, and what comes after the host. */
  readonly turn_ms: number;
  /** For the whole team to have nothing to do before it ends. Null: it waits for work. */
  readonly idle_ms: number | null;
  /** For a nudge to show. */
  readonly nudge_ms: number;
}

const SECOND = 1000;
const MINUTE = 60 * SECOND;
/** For checks and the writing back, after the host has ended. */
const AFTER_TURN_MS = 10 * MINUTE;

export const TURN_TIMEOUT_MS: number = 30 * MINUTE;
export const MAX_AGENTS = 64;

export const TEAM_SETTINGS: TeamSettings = {
  stagger_ms: 250,
  max_load: null,
  recheck_ms: 5 * SECOND,
  max_turns: null,
  max_restarts: 8,
  window_ms: 10 * MINUTE,
  backoff: { base_ms: SECOND, max_ms: 5 * MINUTE },
  grace_ms: 15 * SECOND,
  stop_ms: 10 * SECOND,
  word_ms: MINUTE,
  turn_ms: TURN_TIMEOUT_MS + AFTER_TURN_MS,
  idle_ms: null,
  nudge_ms: MINUTE,
};

/** What people set, in their units; null: as above. */
export interface TeamWishes {
  readonly max_turns: number | null;
  readonly turn_timeout_s: number | null;
  readonly grace_s: number | null;
  readonly idle_exit_s: number | "never" | null;
  readonly max_load: number | null;
  readonly max_restarts: number | null;
  readonly backoff_min_s: number | null;
  readonly backoff_max_s: number | null;
}

export function teamSettings(wishes: TeamWishes): TeamSettings {
  const ms = (seconds: number | null, otherwise: number): number => (seconds === null ? otherwise : Math.round(seconds * SECOND));
  const { backoff, grace_ms, max_restarts } = TEAM_SETTINGS;
  const max_ms = ms(wishes.backoff_max_s, backoff.max_ms);
  return {
    ...TEAM_SETTINGS,
    idle_ms: typeof wishes.idle_exit_s === "number" ? wishes.idle_exit_s * SECOND : null,
    max_load: wishes.max_load,
    max_turns: wishes.max_turns,
    max_restarts: wishes.max_restarts ?? max_restarts,
    backoff: { base_ms: Math.min(max_ms, ms(wishes.backoff_min_s, backoff.base_ms)), max_ms },
    grace_ms: ms(wishes.grace_s, grace_ms),
    turn_ms: ms(wishes.turn_timeout_s, TURN_TIMEOUT_MS) + AFTER_TURN_MS,
  };
}
