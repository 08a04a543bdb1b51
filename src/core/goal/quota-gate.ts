/**
 * The question that a goal asks when a write used up a unit of its window: it pauses and asks, it does not fail.
 *
 * Does not own: the pause itself (`core/next/rules/throttled.ts`), what may be spent (`core/quota/law.ts`).
 *
 * G1  It is asked once: by the spend that uses the unit up, and only while no such question is open.
 * G2  It holds up nothing by itself: the window opens again at `expires_at`, and from then on it counts as answered.
 * G3  Whatever the write spends is read off its commands, so that no spender words it again.
 */

import { loopxCommand } from "../command-line.ts";
import type { TodoRecord, Units } from "../events.ts";
import type { GoalId, TodoId } from "../id.ts";
import { addMilliseconds, type Instant, toRunTime } from "../instant.ts";
import { turnWants, UNITS, type Unit, type Window } from "../quota/law.ts";
import { admission, NOTHING_USED, type WindowUse } from "../quota/room.ts";
import type { GoalCommand } from "./command.ts";
import type { GoalHead } from "./head.ts";
import { newTodo } from "./new-todo.ts";
import { expiresAtOf } from "./todo-traits.ts";

const ACTION_KIND = "quota_reached";
const DECISION_SCOPE = "resource:goal:quota";

export function isQuotaGate({ metadata }: Pick<TodoRecord, "metadata">): boolean {
  return metadata["action_kind"] === ACTION_KIND;
}

export interface AtCap {
  readonly head: GoalHead;
  readonly window: Window;
  /** Before the write. */
  readonly use: WindowUse;
  /** Those that are open. */
  readonly gates: readonly TodoRecord[];
  readonly now: Instant;
  /** The id that the question gets. */
  readonly gate_id: TodoId;
}

/** The commands of a write, and the question that they lead to. */
export function askingAtCap(commands: readonly GoalCommand[], cap: AtCap): readonly GoalCommand[] {
  const offset = commands.filter(({ kind }) => kind === "add-todo").length;
  return [...commands, ...questionAfter({ ...cap, units: spentBy(commands), offset })];
}

/** (G3) */
function spentBy(commands: readonly GoalCommand[]): Units {
  return commands.reduce<Units>((total, command) => {
    if (command.kind === "spend") return sum(total, command.units);
    return command.kind === "charge-turn" ? sum(total, { ...command.units, slots: 0 }) : total;
  }, NOTHING_USED.units);
}

interface Spending extends AtCap {
  readonly units: Units;
  /** How many todos the same write adds before it. */
  readonly offset: number;
}

/** (G1) */
function questionAfter(spending: Spending): readonly GoalCommand[] {
  const { head, window, use, units, gates, now, gate_id, offset } = spending;
  const used = UNITS.filter((unit) => isUsedUp(unit, spending));
  const asked = gates.filter(isQuotaGate);
  if (used.length === 0 || asked.some((gate) => !isOver(gate, now))) return [];
  const after = { units: sum(use.units, units), entries: [...use.entries, { at: now, units }] };
  const no = admission(window, { ...after, leases: [], now }, turnWants(window.caps));
  const opens = no.kind === "refused" ? no.next_eligible_at : addMilliseconds(now, window.window_ms);
  const words = { todo_id: gate_id, role: "user", priority: null, status: "open" } as const;
  const text = questionOf(head.goal_id, { window, used, after: after.units, opens });
  return [
    ...asked.map(lapsing),
    { kind: "add-todo", todo: newTodo({ ...words, text, metadata: metadataOf(now, opens) }, head, offset) },
  ];
}

function isUsedUp(unit: Unit, { window, use, units }: Spending): boolean {
  const cap = window.caps[unit];
  return cap !== null && use.units[unit] < cap && use.units[unit] + units[unit] >= cap;
}

function isOver(gate: TodoRecord, now: Instant): boolean {
  const until = expiresAtOf(gate);
  return until !== null && until <= now;
}

/** (G2) What counts as answered is written down when the next question is asked. */
function lapsing({ todo_id }: TodoRecord): GoalCommand {
  const reason = "the window opened again";
  return { kind: "decide-gate", todo_id, outcome: "approve", reason, by: "default", until: null };
}

function metadataOf(now: Instant, opens: Instant): TodoRecord["metadata"] {
  return {
    task_class: "user_gate",
    action_kind: ACTION_KIND,
    decision_scope: DECISION_SCOPE,
    asked_at: toRunTime(now),
    expires_at: opens,
    default_outcome: "approve",
  };
}

interface Question {
  readonly window: Window;
  readonly used: readonly Unit[];
  readonly after: Units;
  readonly opens: Instant;
}

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;

function questionOf(goalId: GoalId, { window, used, after, opens }: Question): string {
  const amounts = used.map((unit) => amountOf(unit, after[unit], window.caps[unit] ?? 0)).join(" and ");
  const command = loopxCommand("quota", "set", "--goal-id", goalId);
  return `The quota is used up: ${amounts} in ${window.window_ms / HOUR_MS} hours. Work goes on by itself at ${opens}; to go on now, raise it with ${command}`;
}

function amountOf(unit: Unit, used: number, allowed: number): string {
  if (unit !== "wall_ms") return `${used} of ${allowed} ${unit}`;
  return `${Math.round(used / MINUTE_MS)} of ${Math.round(allowed / MINUTE_MS)} minutes of work`;
}

function sum(a: Units, b: Units): Units {
  return { slots: a.slots + b.slots, tokens: a.tokens + b.tokens, wall_ms: a.wall_ms + b.wall_ms };
}
