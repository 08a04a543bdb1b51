/**
 * Whether a goal may hold one more: open todos, running tasks, bytes on disk, bytes of one event.
 *
 * Does not own: the numbers (`core/registry/quota-settings.ts`), the counters (the caller keeps them), the caches, which drop
 * their oldest entries and never refuse.
 *
 * M1  A limit of 0 is none.
 * M2  Size refuses nothing that ends or records work: a full goal bars only spare writes (`spareWriteBar`), and whoever writes a
 *     terminal event or a stop does not ask here.
 * M3  A refusal names number, limit and a command that helps; nothing is cut to fit.
 * M4  A yes allocates nothing.
 */
import { loopxCommand } from "../command-line.ts";
import type { LimitKey, QuotaLimits } from "../registry/quota-settings.ts";
import { type Problem, type Refusal, refuse } from "../result.ts";

export interface LimitedGoal {
  readonly goal_id: string;
  readonly limits: QuotaLimits;
}

/** `open`: as many as there would be. */
export function openTodoBar(goal: LimitedGoal, open: number): Refusal | null {
  const limit = goal.limits.max_open_todos;
  if (limit === 0 || open <= limit) return null; // (M1, M4)
  return barred(goal, {
    code: "limit_open_todos",
    key: "max_open_todos",
    number: open,
    message: `Goal ${goal.goal_id} would have ${open} open todos; its limit is ${limit}. Complete or supersede some first.`,
    fix: loopxCommand("todo", "list", "--goal-id", goal.goal_id, "--status", "open"),
  });
}

/** `running`: as many as there would be. */
export function runningTaskBar(goal: LimitedGoal, running: number): Refusal | null {
  const limit = goal.limits.max_running_tasks;
  if (limit === 0 || running <= limit) return null;
  return barred(goal, {
    code: "limit_running_tasks",
    key: "max_running_tasks",
    number: running,
    message: `Goal ${goal.goal_id} would have ${running} running tasks; its limit is ${limit}. Wait until one of them ends.`,
    fix: loopxCommand("status", "--goal-id", goal.goal_id),
  });
}

/** M2. For writes that can be left out, such as what a poll saw. */
export function spareWriteBar(goal: LimitedGoal, bytes: number): Refusal | null {
  const limit = goal.limits.max_runtime_bytes;
  if (limit === 0 || bytes < limit) return null;
  return barred(goal, {
    code: "limit_runtime_bytes",
    key: "max_runtime_bytes",
    number: bytes,
    message: `The runtime data of goal ${goal.goal_id} take ${bytes} bytes; the limit is ${limit}. Only what ends or records work is still written.`,
    fix: raise(goal, "max_runtime_bytes", roomFor("max_runtime_bytes", bytes)),
  });
}

/** From 80 % on. */
export function runtimeBytesWarning(goal: LimitedGoal, bytes: number): Problem | null {
  const limit = goal.limits.max_runtime_bytes;
  if (limit === 0 || bytes < limit * 0.8) return null;
  const share = Math.floor((bytes / limit) * 100);
  const message = `The runtime data of goal ${goal.goal_id} take ${bytes} bytes, ${share} % of the limit of ${limit}.`;
  return { code: "limit_runtime_bytes", message };
}

/** For what came about without being asked here, such as an edit of the state file. */
export function openTodoWarning(goal: LimitedGoal, open: number): Problem | null {
  const limit = goal.limits.max_open_todos;
  if (limit === 0 || open <= limit) return null;
  return { code: "limit_open_todos", message: `Goal ${goal.goal_id} has ${open} open todos; its limit is ${limit}.` };
}

/** What stands at or near a limit, for people and agents to hear of. */
export function limitWarnings(
  goal: LimitedGoal,
  { open, bytes }: { readonly open: number; readonly bytes: number },
): readonly Problem[] {
  return [openTodoWarning(goal, open), runtimeBytesWarning(goal, bytes)].filter((warning) => warning !== null);
}

/** `text`: the event's data as JSON, as it would be stored. */
export function eventBytesBar(goal: LimitedGoal, text: string): Refusal | null {
  const limit = goal.limits.max_event_bytes;
  if (limit === 0 || text.length * MOST_BYTES_A_UNIT <= limit) return null;
  const bytes = utf8Length(text);
  if (bytes <= limit) return null;
  const field = longestField(JSON.parse(text));
  return barred(goal, {
    code: "limit_event_bytes",
    key: "max_event_bytes",
    number: bytes,
    message: `\`${field}\` is too long: the event would take ${bytes} bytes, the limit is ${limit}. Shorten it, or keep the text in a file and name that.`,
    fix: raise(goal, "max_event_bytes", bytes),
    field,
  });
}

const MOST_BYTES_A_UNIT = 3;

interface Bar {
  readonly code: string;
  readonly key: LimitKey;
  readonly number: number;
  readonly message: string;
  readonly fix: string;
  readonly field?: string;
}

/** (M3) */
function barred(goal: LimitedGoal, { code, key, number, message, fix, field }: Bar): Refusal {
  const facts = { goal_id: goal.goal_id, number, limit: goal.limits[key], raise: raise(goal, key, roomFor(key, number)) };
  return refuse(code, message, { fix, details: field === undefined ? facts : { ...facts, field } });
}

/** A full folder needs room for what comes; the others hold exactly what was asked for. */
function roomFor(key: LimitKey, number: number): number {
  return key === "max_runtime_bytes" ? number * 2 : number;
}

function raise({ goal_id }: LimitedGoal, key: LimitKey, number: number): string {
  return loopxCommand("quota", "set", "--goal-id", goal_id, `--limit-${key.slice(4).replaceAll("_", "-")}`, String(number));
}

function utf8Length(text: string): number {
  let bytes = text.length;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit >= 0x80) bytes += unit < 0x800 || (unit >= 0xd800 && unit < 0xe000) ? 1 : 2; // Each half of a pair is 2 of its 4.
  }
  return bytes;
}

/** Down to the text that takes most, `reason` or `todo.text`; the top of what is long by its many entries. */
function longestField(data: unknown): string {
  const path: string[] = [];
  let node: unknown = data;
  while (typeof node === "object" && node !== null && !Array.isArray(node)) {
    let longest: readonly [key: string, value: unknown, size: number] | null = null;
    for (const [key, value] of Object.entries(node)) {
      const size = JSON.stringify(value).length;
      if (longest === null || size > longest[2]) longest = [key, value, size];
    }
    if (longest === null) break;
    path.push(longest[0]);
    node = longest[1];
  }
  return path.join(".");
}

/** (M1) For a cache that is shared: whoever writes to it holds it to the limits of their goal. */
export function cacheBounds({ max_cache_entries, max_cache_bytes }: QuotaLimits): {
  readonly max_entries: number;
  readonly max_bytes: number;
} {
  return { max_entries: max_cache_entries || Number.POSITIVE_INFINITY, max_bytes: max_cache_bytes || Number.POSITIVE_INFINITY };
}
