/**
 * Quota and limits as a registry declares them, for one goal or for the registry as a whole.
 *
 * Does not own: what may be written where (`quota-settings.ts`), whether there is room (`core/quota/`).
 *
 * K1  A value that its key does not allow makes the settings invalid: nothing takes its place, it is not cut to fit, and it is
 *     never "unlimited". `null` and a missing key are no value.
 * K2  The nearest value counts: `quota` of the goal before that of the registry; for limits `quota.limits` of the goal, its
 *     `limits`, then the same two of the registry, then the profile. A value that does not count is not judged.
 * K3  `compute` 0 allows no slot, whatever `allowed_slots` says.
 * K4  Unknown keys mean nothing; one that looks like a slip of the pen is a warning.
 */
import { nearest } from "../near.ts";
import { isJsonObject } from "./fields.ts";
import type { JsonObject, JsonValue } from "./json-node.ts";
import type { JsonPath } from "./json-path.ts";
import {
  DEFAULTS,
  LIMIT_KEYS,
  LIMIT_RULE,
  type LimitKey,
  PROFILES,
  QUOTA_KEYS,
  QUOTA_RULES,
  type QuotaKey,
  type QuotaLimits,
  type QuotaProfile,
  type QuotaRule,
  type QuotaSettings,
} from "./quota-settings.ts";

export interface QuotaProblem {
  readonly code: "quota_invalid";
  /** From the root of the registry, for example `["goals", 3, "quota", "compute"]`. */
  readonly path: JsonPath;
  readonly message: string;
}

export interface QuotaWarning {
  readonly code: "quota_no_slots" | "quota_key_unknown";
  readonly path: JsonPath;
  readonly message: string;
}

export type DeclaredQuota =
  | { readonly kind: "set"; readonly settings: QuotaSettings; readonly warnings: readonly QuotaWarning[] }
  | { readonly kind: "invalid"; readonly problems: readonly QuotaProblem[] };

export interface QuotaEntry {
  readonly entry: JsonObject;
  /** Its place in `goals`. */
  readonly ordinal: number;
}

/** Without a goal: what the registry declares for all of them. */
export function declaredQuota(root: JsonObject, goal: QuotaEntry | null): DeclaredQuota {
  const layers: readonly Layer[] = [
    ...(goal === null ? [] : [{ at: ["goals", goal.ordinal], of: goal.entry }]),
    { at: [], of: root },
  ];
  const reading: Reading = { problems: [], quota: [], limits: [] };
  for (const layer of layers) addLayer(reading, layer);
  const settings = settingsFrom(reading);
  if (reading.problems.length > 0) return { kind: "invalid", problems: reading.problems };
  return { kind: "set", settings, warnings: warningsOf(reading, settings) };
}

interface Layer {
  readonly at: JsonPath;
  readonly of: JsonObject;
}

/** An object that holds some of the keys, nearest first. */
interface Section {
  readonly path: JsonPath;
  readonly of: JsonObject;
}

interface Reading {
  readonly problems: QuotaProblem[];
  readonly quota: Section[];
  readonly limits: Section[];
}

function addLayer(reading: Reading, { at, of }: Layer): void {
  const quota = addSection(reading, reading.quota, { path: [...at, "quota"], value: of["quota"] });
  if (quota !== null) addSection(reading, reading.limits, { path: [...at, "quota", "limits"], value: quota["limits"] });
  addSection(reading, reading.limits, { path: [...at, "limits"], value: of["limits"] });
}

function addSection(
  { problems }: Reading,
  sections: Section[],
  { path, value }: { readonly path: JsonPath; readonly value: JsonValue | undefined },
): JsonObject | null {
  if (value === undefined || value === null) return null;
  if (isJsonObject(value)) {
    sections.push({ path, of: value });
    return value;
  }
  problems.push(problemAt(path, value, "an object"));
  return null;
}

function settingsFrom(reading: Reading): QuotaSettings {
  const number = (key: Exclude<QuotaKey, "profile">): number | null => {
    const value = valueFor(reading, { sections: reading.quota, key, rule: QUOTA_RULES[key] });
    return typeof value === "number" ? value : null;
  };
  const profile: QuotaProfile =
    valueFor(reading, { sections: reading.quota, key: "profile", rule: QUOTA_RULES.profile }) === "batch"
      ? "batch"
      : DEFAULTS.profile;
  const compute = number("compute") ?? DEFAULTS.compute;
  const window_hours = number("window_hours") ?? DEFAULTS.window_hours;
  const slot_minutes = number("slot_minutes") ?? DEFAULTS.slot_minutes;
  const explicit = number("allowed_slots");
  const slots = explicit ?? wholeNearest(((window_hours * 60) / slot_minutes) * compute);
  const rest = { tokens: number("tokens"), wall_minutes: number("wall_minutes"), limits: limitsFrom(reading, profile) };
  const allowed_slots = compute === 0 ? 0 : slots; // (K3)
  return { profile, compute, window_hours, slot_minutes, allowed_slots, ...rest };
}

function limitsFrom(reading: Reading, profile: QuotaProfile): QuotaLimits {
  const limit = (key: LimitKey): number => {
    const value = valueFor(reading, { sections: reading.limits, key, rule: LIMIT_RULE });
    return typeof value === "number" ? value : PROFILES[profile][key];
  };
  return {
    max_open_todos: limit("max_open_todos"),
    max_running_tasks: limit("max_running_tasks"),
    max_runtime_bytes: limit("max_runtime_bytes"),
    max_event_bytes: limit("max_event_bytes"),
    max_cache_entries: limit("max_cache_entries"),
    max_cache_bytes: limit("max_cache_bytes"),
  };
}

interface Wanted {
  readonly sections: readonly Section[];
  readonly key: QuotaKey | LimitKey;
  readonly rule: QuotaRule;
}

/** (K1) Null: nothing is written, or what is written is a problem now. */
function valueFor(reading: Reading, { sections, key, rule }: Wanted): JsonValue {
  const written = found(sections, key);
  if (written === null || rule.fits(written.value)) return written?.value ?? null;
  reading.problems.push(problemAt(written.path, written.value, rule.wanted));
  return null;
}

/** (K2) */
function found(sections: readonly Section[], key: string): { readonly path: JsonPath; readonly value: JsonValue } | null {
  for (const { path, of } of sections) {
    const value = of[key];
    if (value !== undefined && value !== null) return { path: [...path, key], value };
  }
  return null;
}

function problemAt(path: JsonPath, value: JsonValue, wanted: string): QuotaProblem {
  return { code: "quota_invalid", path, message: `${nameOf(path)} must be ${wanted}, not ${shownValue(value)}` };
}

/** `quota.compute`, as seen from the goal. */
function nameOf(path: JsonPath): string {
  return `\`${(path[0] === "goals" ? path.slice(2) : path).join(".")}\``;
}

function shownValue(value: JsonValue): string {
  if (Array.isArray(value)) return "a list";
  if (isJsonObject(value)) return "an object";
  const text = typeof value === "string" ? JSON.stringify(value) : String(value);
  return text.length > 40 ? `${text.slice(0, 40)}…` : text;
}

/** Halves to the even neighbour, as the reference rounds. */
function wholeNearest(value: number): number {
  const below = Math.floor(value);
  const rest = value - below;
  if (rest === 0.5) return below + (below % 2);
  return rest < 0.5 ? below : below + 1;
}

function warningsOf(reading: Reading, { compute, allowed_slots }: QuotaSettings): readonly QuotaWarning[] {
  const warnings = [...unknownKeys(reading.quota, QUOTA_KEYS), ...unknownKeys(reading.limits, LIMIT_KEYS)];
  const written = SLOT_KEYS.map((key) => found(reading.quota, key)).find((place) => place !== null);
  if (allowed_slots > 0 || compute === 0 || written === undefined) return warnings;
  const message = `${nameOf(written.path)} leaves no slot in a window: nothing can run`;
  return [...warnings, { code: "quota_no_slots", path: written.path, message }];
}

/** What decides how many slots there are, the plainest first. */
const SLOT_KEYS = ["allowed_slots", "slot_minutes", "window_hours", "compute"] as const;

/** (K4) */
function unknownKeys(sections: readonly Section[], known: readonly string[]): readonly QuotaWarning[] {
  return sections.flatMap(({ path, of }) =>
    Object.keys(of).flatMap((key): QuotaWarning[] => {
      const [meant] = known.includes(key) || OTHER_KEYS.has(key) ? [] : nearest(key, known);
      if (meant === undefined) return [];
      const message = `${nameOf([...path, key])} means nothing here; probably \`${meant}\``;
      return [{ code: "quota_key_unknown", path: [...path, key], message }];
    }),
  );
}

/** Of our own and of the reference, which writes what it computed beside what was declared. */
const OTHER_KEYS: ReadonlySet<string> = new Set(["limits", "next_eligible_at", "spent_slots", "state", "notes"]);
