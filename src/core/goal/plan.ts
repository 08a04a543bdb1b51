/**
 * Which facts follow when a person edited the state file, and when LoopX is asked to edit it.
 *
 * Does not own: finding the differences (`core/plan/compare.ts`), making the edit (`core/plan/splice.ts`).
 *
 * G7  Where only the file moved since the base, the file's value becomes the fact.
 * G8  Where the file and LoopX both moved one field, the file's value stands and a `plan.conflict` keeps both.
 * G9  Saying what is already so has no events.
 * G13 Metadata is merged key by key, whatever their order: a key that the file did not touch keeps what LoopX made of it. The
 *     `status` in it only repeats the field.
 * G12 Whoever held what a person puts off in the file holds it no more.
 */
import type { GoalFact, TodoFields, TodoRecord } from "../events.ts";
import type { TodoId } from "../id.ts";
import type { PlanChange } from "../plan/compare.ts";
import { metadataValue } from "../plan/metadata.ts";
import type { PlanTodo } from "../plan/plan.ts";
import { endOfLease, isPutOff } from "./closing.ts";
import type { GoalCommand } from "./command.ts";
import type { GoalHead, GoalState } from "./head.ts";

type Standing = GoalState & { readonly head: GoalHead };
type AcceptPlan = Extract<GoalCommand, { kind: "accept-plan" }>;

export function acceptPlan(state: Standing, command: AcceptPlan): readonly GoalFact[] {
  return command.changes.flatMap((change) => factsOf(state, change, command.base));
}

/** Replaces Next Action by one entry; a conflict about it is settled by saying it again. */
export function setNextAction(head: GoalHead, text: string): readonly GoalFact[] {
  const settled = settleConflicts(head, ["next_action"]);
  const same = head.next_action.entries?.length === 1 && head.next_action.entries[0] === text;
  if (same) return settled;
  return [{ type: "plan.next_action_set", data: { entries: [text], source: "command" } }, ...settled];
}

export function settleConflicts(head: GoalHead, fields: readonly string[]): readonly GoalFact[] {
  return head.conflicts
    .filter((conflict) => fields.includes(conflict.field))
    .map((conflict) => ({ type: "plan.conflict_settled", data: { field: conflict.field } }));
}

/** A todo as the state file shows it, as the store keeps it. */
export function recordOf(todo: PlanTodo, id: TodoId): TodoRecord {
  return {
    todo_id: id,
    id_source: todo.id_source,
    role: todo.role,
    text: todo.text,
    status: todo.status,
    priority: todo.priority,
    task_class: todo.task_class,
    section: todo.section,
    index: todo.index,
    archived: todo.archived,
    metadata: todo.metadata,
  };
}

function factsOf(state: Standing, change: PlanChange, base: AcceptPlan["base"]): readonly GoalFact[] {
  switch (change.kind) {
    case "next_action_changed":
      return nextActionFacts(state.head, change);
    case "todo_appeared":
      return appeared(state, change.todo);
    case "todo_changed":
      return change.todo.todo_id === change.todo_id
        ? changed(state, change.todo_id, change.todo, base.get(change.todo_id) ?? null)
        : renamed(state, change.todo_id, change.todo);
    case "todo_missing":
      return state.todos.has(change.todo_id) ? [{ type: "todo.withdrawn", data: { todo_id: change.todo_id } }] : [];
  }
}

function nextActionFacts(head: GoalHead, change: Extract<PlanChange, { kind: "next_action_changed" }>): readonly GoalFact[] {
  const ours = head.next_action.entries;
  if (sameValue(ours, change.after)) return [];
  const set: GoalFact = { type: "plan.next_action_set", data: { entries: change.after, source: "file" } };
  if (sameValue(ours, change.before)) return [set, ...settleConflicts(head, ["next_action"])];
  return [set, { type: "plan.conflict", data: { field: "next_action", ours: joined(ours), theirs: joined(change.after) } }];
}

function appeared(state: Standing, todo: PlanTodo): readonly GoalFact[] {
  const known = state.todos.get(todo.todo_id);
  if (known !== undefined) return changed(state, todo.todo_id, todo, null);
  return [{ type: "todo.added", data: { todo: recordOf(todo, todo.todo_id), source: "file" } }];
}

/** A person wrote an id onto a line that had none: the todo goes on under the name they gave it. */
function renamed(state: Standing, from: TodoId, todo: PlanTodo): readonly GoalFact[] {
  const gone: readonly GoalFact[] = state.todos.has(from) ? [{ type: "todo.withdrawn", data: { todo_id: from } }] : [];
  return [...gone, ...appeared(state, todo)];
}

const FIELDS = ["id_source", "role", "text", "status", "priority", "task_class", "section", "index", "archived"] as const;

/** Fields whose two sides are worth keeping when both moved; the others follow from these or are only places. */
const WORTH_KEEPING: ReadonlySet<string> = new Set(["text", "status"]);

function changed(state: Standing, id: TodoId, todo: PlanTodo, base: PlanTodo | null): readonly GoalFact[] {
  const ours = state.todos.get(id);
  const theirs = recordOf(todo, id);
  if (ours === undefined) return [{ type: "todo.added", data: { todo: theirs, source: "file" } }];
  const sides = { ours, theirs, base: base === null ? null : recordOf(base, id) };
  const merged = mergedMetadata(sides.base?.metadata ?? null, { ours: ours.metadata, theirs: theirs.metadata });
  const plain = mergedFields(sides);
  const fields: TodoFields = { ...plain.fields, ...(merged.value !== null && { metadata: merged.value }) };
  if (Object.keys(fields).length === 0) return [];
  return [
    { type: "todo.changed", data: { todo_id: id, fields, source: "file" } },
    ...plain.conflicts,
    ...(merged.contested ? [conflictOf(`${id}.metadata`, ours.metadata, theirs.metadata)] : []),
    ...(isPutOff(fields) ? endOfLease(state.head, id) : []), // (G12)
  ];
}

interface Sides {
  readonly ours: TodoRecord;
  readonly theirs: TodoRecord;
  /** Null: the file never named it before. */
  readonly base: TodoRecord | null;
}

function mergedFields({ ours, theirs, base }: Sides): { readonly fields: TodoFields; readonly conflicts: readonly GoalFact[] } {
  const fields: Record<string, unknown> = {};
  const conflicts: GoalFact[] = [];
  for (const field of FIELDS) {
    const movedInFile = base === null || !sameValue(base[field], theirs[field]);
    if (!movedInFile || sameValue(ours[field], theirs[field])) continue; // (G9)
    fields[field] = theirs[field]; // (G7)
    const movedHere = base !== null && !sameValue(base[field], ours[field]);
    if (movedHere && WORTH_KEEPING.has(field)) conflicts.push(conflictOf(`${ours.todo_id}.${field}`, ours[field], theirs[field])); // (G8)
  }
  return { fields, conflicts };
}

type Metadata = TodoRecord["metadata"];

interface Merged {
  /** Null: as it was. */
  readonly value: Metadata | null;
  /** A key was given different values on both sides. */
  readonly contested: boolean;
}

/** (G13) */
function mergedMetadata(base: Metadata | null, { ours, theirs }: { readonly ours: Metadata; readonly theirs: Metadata }): Merged {
  const keys = [...new Set([...Object.keys(ours), ...Object.keys(theirs), ...Object.keys(base ?? {})])];
  const differ = (a: Metadata, b: Metadata, key: string): boolean => metadataValue(a, key) !== metadataValue(b, key);
  const moved = keys.filter((key) => (base === null || differ(base, theirs, key)) && differ(ours, theirs, key));
  if (moved.length === 0) return { value: null, contested: false };
  const contested = base !== null && moved.some((key) => key !== "status" && differ(base, ours, key));
  const value = Object.fromEntries(
    keys.flatMap((key) => {
      const kept = metadataValue(moved.includes(key) ? theirs : ours, key);
      return kept === undefined ? [] : [[key, kept]];
    }),
  );
  return { value, contested };
}

function conflictOf(field: string, ours: unknown, theirs: unknown): GoalFact {
  return { type: "plan.conflict", data: { field, ours: written(ours), theirs: written(theirs) } };
}

function written(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

function joined(entries: readonly string[] | null): string {
  return entries === null ? "" : entries.join("\n");
}

/** Equality of the plain values that a plan is made of. */
function sameValue(a: unknown, b: unknown): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b);
}
