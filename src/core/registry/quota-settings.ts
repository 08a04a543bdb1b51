/**
 * What can be declared about quota and limits: the keys, what each may be, and what holds where nothing is written.
 *
 * Does not own: reading them out of a registry (`quota.ts`), what they allow (`core/quota/`).
 */
import type { JsonValue } from "./json-node.ts";

export interface QuotaSettings {
  readonly profile: QuotaProfile;
  /** Share of the window that may be spent, exactly as it was written; 0 pauses the goal. */
  readonly compute: number;
  readonly window_hours: number;
  readonly slot_minutes: number;
  readonly allowed_slots: number;
  /** In one window; null: no cap. */
  readonly tokens: number | null;
  readonly wall_minutes: number | null;
  readonly limits: QuotaLimits;
}

export type QuotaProfile = "interactive" | "batch";

/** 0 is unlimited. */
export type QuotaLimits = Readonly<Record<LimitKey, number>>;

export const LIMIT_KEYS = [
  "max_open_todos",
  "max_running_tasks",
  "max_runtime_bytes",
  "max_event_bytes",
  "max_cache_entries",
  "max_cache_bytes",
] as const;

export type LimitKey = (typeof LIMIT_KEYS)[number];

export const QUOTA_KEYS = [
  "profile",
  "compute",
  "window_hours",
  "slot_minutes",
  "allowed_slots",
  "tokens",
  "wall_minutes",
] as const;

export type QuotaKey = (typeof QUOTA_KEYS)[number];

export const DEFAULTS = { profile: "interactive", compute: 1, window_hours: 24, slot_minutes: 1 } as const;

const MIB = 1024 * 1024;

/** People wait for an interactive goal and look at it: its numbers are small. Nobody looks at a batch. */
export const PROFILES: Readonly<Record<QuotaProfile, QuotaLimits>> = {
  interactive: {
    max_open_todos: 1000,
    max_running_tasks: 16,
    max_runtime_bytes: 512 * MIB,
    max_event_bytes: MIB / 4,
    max_cache_entries: 1000,
    max_cache_bytes: 64 * MIB,
  },
  batch: {
    max_open_todos: 50_000,
    max_running_tasks: 256,
    max_runtime_bytes: 8192 * MIB,
    max_event_bytes: 4 * MIB,
    max_cache_entries: 20_000,
    max_cache_bytes: 1024 * MIB,
  },
};

export interface QuotaRule {
  /** Completes "`key` must be …". */
  readonly wanted: string;
  readonly fits: (value: JsonValue) => boolean;
}

const COUNT: QuotaRule = {
  wanted: "a whole number from 0",
  fits: (value) => typeof value === "number" && Number.isSafeInteger(value) && value >= 0,
};

/** Bounds that no plan needs to pass: slots and milliseconds within them can be counted exactly. */
export const LEAST_TIME = 0.001;
export const MOST_HOURS = 87_600;
export const MOST_MINUTES = 1e11;

export const QUOTA_RULES: Readonly<Record<QuotaKey, QuotaRule>> = {
  profile: { wanted: '"interactive" or "batch"', fits: (value) => value === "interactive" || value === "batch" },
  compute: range(0, 1),
  window_hours: range(LEAST_TIME, MOST_HOURS),
  slot_minutes: range(LEAST_TIME, MOST_MINUTES),
  allowed_slots: COUNT,
  tokens: COUNT,
  wall_minutes: range(0, MOST_MINUTES),
};

export const LIMIT_RULE: QuotaRule = { ...COUNT, wanted: "a whole number from 0, where 0 is unlimited" };

function range(least: number, most: number): QuotaRule {
  return {
    wanted: `a number from ${least} to ${most}`,
    fits: (value) => typeof value === "number" && value >= least && value <= most,
  };
}
