/**
 * What `quota status` and `quota plan` answer: how the quota of each goal stands, and whose turn is next.
 *
 * Does not own: the law of quota (`core/quota`), what a goal's answer is called (`should-run-table.ts`).
 *
 * U1  At most 8 KiB: a page of goals, and how to get the others.
 * U2  A goal whose settings cannot be understood is told as such, never as one without limits.
 */
import { loopxCommand } from "../command-line.ts";
import type { Units } from "../events.ts";
import type { GoalHead } from "../goal/head.ts";
import type { Instant } from "../instant.ts";
import type { Why } from "../next/decision.ts";
import { sumsOf, UNITS, windowOf } from "../quota/law.ts";
import type { LimitKey, QuotaSettings } from "../registry/quota-settings.ts";
import type { Problem } from "../result.ts";
import { printCursor } from "./paging.ts";
import { entryBytes } from "./print-json.ts";
import { type GoalQuotaState, QUOTA_STATES, SHOULD_RUN } from "./should-run-table.ts";

export interface GoalQuotaFacts {
  readonly goal_id: string;
  readonly why: string;
  readonly because: string;
  readonly settings: QuotaSettings | null;
  readonly problems: readonly Problem[];
  readonly spent: Units;
  readonly head: GoalHead | null;
  readonly next_eligible_at: Instant | null;
  readonly now: Instant;
}

/** Used against allowed; `percent` is null where nothing is capped. */
export interface Measured {
  readonly name: string;
  readonly used: number | null;
  readonly reserved?: number;
  readonly limit: number | null;
  readonly percent: number | null;
}

export interface GoalQuotaRow {
  readonly goal_id: string;
  readonly state: GoalQuotaState;
  readonly why: string;
  readonly compute: number | null;
  readonly spent_slots: number;
  readonly allowed_slots: number | null;
  readonly next_eligible_at: string | null;
}

export interface GoalQuotaPayload extends GoalQuotaRow {
  readonly ok: true;
  readonly profile: string | null;
  readonly window_hours: number | null;
  readonly slot_minutes: number | null;
  readonly because: string;
  readonly units: readonly Measured[];
  readonly limits: readonly Measured[];
  readonly problems: readonly Problem[];
}

export function goalQuotaRow({ goal_id, why, settings, spent, next_eligible_at }: GoalQuotaFacts): GoalQuotaRow {
  return {
    goal_id,
    state: SHOULD_RUN[why as Why].state,
    why,
    compute: settings?.compute ?? null,
    spent_slots: spent.slots,
    allowed_slots: settings?.allowed_slots ?? null,
    next_eligible_at,
  };
}

export function goalQuotaPayload(facts: GoalQuotaFacts): GoalQuotaPayload {
  const { settings, problems, because } = facts;
  return {
    ok: true,
    ...goalQuotaRow(facts),
    because,
    profile: settings?.profile ?? null,
    window_hours: settings?.window_hours ?? null,
    slot_minutes: settings?.slot_minutes ?? null,
    units: settings === null ? [] : unitsOf(settings, facts), // (U2)
    limits: settings === null ? [] : limitsOf(settings, facts),
    problems: problems.slice(0, 5),
  };
}

function unitsOf(settings: QuotaSettings, { spent, head, now }: GoalQuotaFacts): readonly Measured[] {
  const { caps, window_ms } = windowOf(settings);
  const leases = Object.values(head?.leases ?? {});
  return UNITS.map((unit) => {
    const reservations = leases.map(({ expires_at, reserved }) => ({ expires_at, amount: reserved[unit] }));
    const { reserved } = sumsOf({ spends: [], reservations }, { now, window_ms });
    const used = spent[unit];
    return { name: unit, used, reserved, limit: caps[unit], percent: percent(used + reserved, caps[unit]) };
  });
}

function limitsOf({ limits }: QuotaSettings, { head, now }: GoalQuotaFacts): readonly Measured[] {
  const running = Object.values(head?.leases ?? {}).filter(({ expires_at }) => expires_at > now).length;
  const used: Readonly<Record<LimitKey, number | null>> = {
    max_open_todos: head?.todo_counts.open ?? 0,
    max_running_tasks: running,
    max_runtime_bytes: head?.runtime_bytes ?? 0,
    max_event_bytes: null,
    max_cache_entries: null,
    max_cache_bytes: null,
  };
  return (Object.keys(used) as LimitKey[]).map((name) => {
    const limit = limits[name] === 0 ? null : limits[name];
    const so_far = used[name];
    return { name, used: so_far, limit, percent: so_far === null ? null : percent(so_far, limit) };
  });
}

function percent(used: number, limit: number | null): number | null {
  if (limit === null) return null;
  return limit === 0 ? 100 : Math.round((1000 * used) / limit) / 10;
}

export interface QuotaStatusPayload {
  readonly ok: true;
  readonly goal_count: number;
  readonly groups: readonly { readonly state: GoalQuotaState; readonly goals: readonly GoalQuotaRow[] }[];
  readonly next_automatic_turn: string | null;
  readonly left_out: { readonly goals: number; readonly cursor: string | null; readonly get: readonly string[] };
}

export interface QuotaPage {
  readonly goal_count: number;
  /** Goals before this page. */
  readonly seen: number;
  /** By id. */
  readonly rows: readonly GoalQuotaRow[];
  readonly limit: number | null;
}

const PAGE_BYTES = 7168;

/** (U1) */
export function quotaStatusPayload({ goal_count, seen, rows, limit }: QuotaPage): QuotaStatusPayload {
  const shown = limit === null ? fitting(rows) : rows;
  const last = shown.at(-1);
  const left = goal_count - seen - shown.length;
  const cursor =
    left > 0 && last !== undefined ? printCursor({ list: "goals", seen: seen + shown.length, after: last.goal_id }) : null;
  return {
    ok: true,
    goal_count,
    groups: QUOTA_STATES.flatMap((state) => {
      const goals = shown.filter((row) => row.state === state);
      return goals.length === 0 ? [] : [{ state, goals }];
    }),
    next_automatic_turn: firstInLine(shown)?.goal_id ?? null,
    left_out: {
      goals: Math.max(0, left),
      cursor,
      get: cursor === null ? [] : [loopxCommand("quota", "status", "--cursor", cursor)],
    },
  };
}

function fitting(rows: readonly GoalQuotaRow[]): readonly GoalQuotaRow[] {
  let room = PAGE_BYTES;
  const over = rows.findIndex((row) => {
    room -= entryBytes(row) + 8 * 9;
    return room < 0;
  });
  return over < 0 ? rows : rows.slice(0, Math.max(1, over));
}

/** Highest share, then what has spent least, then the id (decision-plane 4.2). */
export function firstInLine(rows: readonly GoalQuotaRow[]): GoalQuotaRow | null {
  const eligible = rows.filter(({ state }) => state === "eligible");
  const [first] = eligible.toSorted(
    (a, b) => (b.compute ?? 0) - (a.compute ?? 0) || a.spent_slots - b.spent_slots || (a.goal_id < b.goal_id ? -1 : 1),
  );
  return first ?? null;
}

export interface QuotaPlanPayload {
  readonly ok: true;
  readonly goal_count: number;
  readonly goals_asked: number;
  /** How many are in each state. */
  readonly summary: Readonly<Record<string, number>>;
  readonly next_automatic_turn: GoalQuotaRow | null;
  /** The next in line, at most ten. */
  readonly in_line: readonly GoalQuotaRow[];
  readonly then: readonly string[];
}

const IN_LINE = 10;

export function quotaPlanPayload(goal_count: number, rows: readonly GoalQuotaRow[]): QuotaPlanPayload {
  const line: GoalQuotaRow[] = [];
  for (let rest = rows, first = firstInLine(rest); first !== null && line.length < IN_LINE; first = firstInLine(rest)) {
    const taken = first;
    line.push(taken);
    rest = rest.filter((row) => row !== taken);
  }
  const [next = null] = line;
  const summary = QUOTA_STATES.map((state) => [state, rows.filter((row) => row.state === state).length] as const);
  return {
    ok: true,
    goal_count,
    goals_asked: rows.length,
    summary: Object.fromEntries(summary.filter(([, count]) => count > 0)),
    next_automatic_turn: next,
    in_line: line,
    then: [next === null ? "loopx status" : loopxCommand("next", "--goal-id", next.goal_id)],
  };
}
