/**
 * What a person changed in the state file since LoopX last accepted it, as commands for the journal.
 *
 * Does not own: reading the file (`state-file.ts`), judging the commands (`core/goal/plan.ts`), storing the new base.
 * A write persists what follows, a read folds it in memory; both get it from here, so both answer the same.
 *
 * C1  Absence is never deletion on first sight: a todo leaves only after the same bytes were read twice, two seconds
 *     apart, with its heading still there. Until then it stays and is shown as withheld.
 * C2  A file that is empty or only the beginning of what it was is not taken as an edit at all.
 * C3  Next Action counts as removed under the same rule, and only while the file has headings.
 * C4  As long as the base stays, so does what was known to be missing from its text: a read, or a file that is cut short,
 *     takes nothing from that.
 */

import type { TodoRecord } from "../core/events.ts";
import type { GoalCommand } from "../core/goal/command.ts";
import type { TodoId } from "../core/id.ts";
import { type Instant, millisecondsBetween } from "../core/instant.ts";
import { comparePlans, type IdentifiedPlan, type PlanChange } from "../core/plan/compare.ts";
import { parsePlan } from "../core/plan/parse.ts";
import type { NextActionEntry, Plan, PlanTodo, Span } from "../core/plan/plan.ts";
import type { Withheld } from "../core/show/view.ts";
import type { LoadedGoal, PlanBase, Sighting } from "../ports/store.ts";
import type { StateText } from "./state-file.ts";

const SETTLING_MS = 2000;

export interface Reconciliation {
  readonly commands: readonly GoalCommand[];
  /** The base after the commands were accepted; null when it stays what it is. */
  readonly base: PlanBase | null;
  /** What a read remembers: a sighting that is settled stays until a write takes it in. */
  readonly seen: Sighting | null;
  /** Ids of the file's todos, in the order of its parse. */
  readonly ids: readonly TodoId[];
  readonly withheld: readonly Withheld[];
}

export function reconcilePlan(loaded: LoadedGoal, file: StateText, now: Instant): Reconciliation {
  const base = loaded.base;
  if (base === null) return firstContact(file, now);
  if (base.text === file.text && base.sighting === null) return unchanged(base, file);
  if (isCutShort(base.text, file.text)) return cutShort(base, file, now);
  return compared(base, loaded, file, now);
}

function firstContact(file: StateText, now: Instant): Reconciliation {
  const { changes, ids } = comparePlans(null, file.plan);
  return {
    commands: [{ kind: "accept-plan", changes, base: new Map() }],
    base: { text: file.text, ids, fingerprint: file.fingerprint, accepted_at: now, rendered_seq: 0, sighting: null },
    seen: null,
    ids,
    withheld: [],
  };
}

function unchanged(base: PlanBase, file: StateText): Reconciliation {
  const moved = base.fingerprint !== file.fingerprint;
  const next = moved ? { ...base, fingerprint: file.fingerprint } : null;
  return { commands: [], base: next, seen: null, ids: base.ids, withheld: [] };
}

/** (C2) Proper beginnings only: a person who writes less writes something else. */
function isCutShort(before: string, after: string): boolean {
  return after.length < before.length && (after.trim() === "" || before.startsWith(after));
}

function cutShort(base: PlanBase, file: StateText, now: Instant): Reconciliation {
  const sighting = sightingOf(base, file, lackedBefore(base, parsePlan(base.text)), now);
  return {
    commands: [],
    base: { ...base, sighting },
    seen: sighting,
    ids: base.ids,
    withheld: [{ kind: "file_shrunk", todo_ids: [], since: sighting.first_read_at }],
  };
}

function compared(base: PlanBase, loaded: LoadedGoal, file: StateText, now: Instant): Reconciliation {
  const plan = parsePlan(base.text);
  const known = withMissing({ plan, ids: base.ids }, base.sighting, loaded);
  const { changes, ids } = comparePlans(known, file.plan);
  const absent = changes.filter((change) => isAbsence(change));
  const settled = isSettled(base.sighting, file, now);
  const gone = absent.filter((change) => settled && mayLeave(change, file.plan)); // (C1)
  const kept = absent.filter((change) => !gone.includes(change));
  const accepted = changes.filter((change) => !isAbsence(change) || gone.includes(change));
  const sighting = kept.length === 0 ? null : sightingOf(base, file, absenceOf(kept), now);
  return {
    commands: accepted.length === 0 ? [] : [{ kind: "accept-plan", changes: accepted, base: byId(known) }],
    base: { ...base, text: file.text, ids, fingerprint: file.fingerprint, accepted_at: now, sighting },
    seen: settled ? base.sighting : sightingBeside(base, file, [lackedBefore(base, plan), absenceOf(kept)], now),
    ids,
    withheld: sighting === null ? [] : withheldOf(kept, sighting),
  };
}

/** What an earlier version of the file already lacked is still expected: it stands beside the base's own. */
function withMissing(base: IdentifiedPlan, sighting: Sighting | null, loaded: LoadedGoal): IdentifiedPlan {
  if (sighting === null) return base;
  const missing = sighting.missing.flatMap((id) => {
    const record = loaded.todos.get(id);
    return record === undefined || base.ids.includes(id) ? [] : [record];
  });
  const entries = sighting.lacks_next_action ? (loaded.head?.next_action.entries ?? null) : null;
  return {
    plan: {
      ...base.plan,
      next_action: base.plan.next_action ?? entries?.map(entryOf) ?? null,
      todos: [...base.plan.todos, ...missing.map(placeless)],
    },
    ids: [...base.ids, ...missing.map((record) => record.todo_id)],
  };
}

const NOWHERE: Span = { start: 0, end: 0 };

function entryOf(text: string): NextActionEntry {
  return { text, line: 0, span: NOWHERE, lines: [] };
}

function placeless(record: TodoRecord): PlanTodo {
  return {
    ...record,
    declared_id: record.id_source === "metadata" ? record.todo_id : null,
    checkbox: record.status === "blocked" ? "open" : record.status,
    line: 0,
    marker: NOWHERE,
    first_line: NOWHERE,
    todo_line: NOWHERE,
    continuation: [],
    comment: null,
    comments: [],
    block: NOWHERE,
  };
}

function isAbsence(change: PlanChange): boolean {
  return change.kind === "todo_missing" || (change.kind === "next_action_changed" && change.after === null);
}

function mayLeave(change: PlanChange, plan: Plan): boolean {
  return change.kind === "todo_missing" ? change.heading_present : plan.sections.length > 0; // (C3)
}

function isSettled(sighting: Sighting | null, file: StateText, now: Instant): boolean {
  return sighting?.sha256 === file.sha256 && millisecondsBetween(sighting.first_read_at, now) >= SETTLING_MS;
}

type Absence = Pick<Sighting, "missing" | "lacks_next_action">;

function absenceOf(kept: readonly PlanChange[]): Absence {
  return {
    missing: kept.flatMap((change) => (change.kind === "todo_missing" ? [change.todo_id] : [])),
    lacks_next_action: kept.some((change) => change.kind === "next_action_changed"),
  };
}

/** (C4) What the text of the base itself lacks and is expected all the same. */
function lackedBefore({ sighting, ids }: PlanBase, plan: Plan): Absence {
  return {
    missing: (sighting?.missing ?? []).filter((id) => !ids.includes(id)),
    lacks_next_action: sighting?.lacks_next_action === true && plan.next_action === null,
  };
}

/** (C4) In the order in which they were lacked: todos are told apart by their places. */
function sightingBeside(base: PlanBase, file: StateText, absences: readonly Absence[], now: Instant): Sighting | null {
  const missing = [...new Set(absences.flatMap((absence) => absence.missing))];
  const lacks_next_action = absences.some((absence) => absence.lacks_next_action);
  return missing.length === 0 && !lacks_next_action ? null : sightingOf(base, file, { missing, lacks_next_action }, now);
}

function sightingOf(base: PlanBase, file: StateText, absence: Absence, now: Instant): Sighting {
  const first = base.sighting?.sha256 === file.sha256 ? base.sighting.first_read_at : now;
  return { sha256: file.sha256, first_read_at: first, ...absence };
}

function withheldOf(kept: readonly PlanChange[], sighting: Sighting): readonly Withheld[] {
  const of = (headingPresent: boolean): readonly TodoId[] =>
    kept.flatMap((change) =>
      change.kind === "todo_missing" && change.heading_present === headingPresent ? [change.todo_id] : [],
    );
  const withheld: Withheld[] = [];
  const since = sighting.first_read_at;
  if (of(true).length > 0) withheld.push({ kind: "todo_missing", todo_ids: of(true), since });
  if (of(false).length > 0 || of(true).length === 0) withheld.push({ kind: "heading_missing", todo_ids: of(false), since });
  return withheld;
}

function byId(base: IdentifiedPlan): ReadonlyMap<TodoId, PlanTodo> {
  return new Map(base.plan.todos.flatMap((todo, at) => pair(base.ids[at], todo)));
}

function pair(id: TodoId | undefined, todo: PlanTodo): readonly (readonly [TodoId, PlanTodo])[] {
  return id === undefined ? [] : [[id, todo]];
}
