/**
 * What a state file is to say, and under which ids its todos are known afterwards.
 *
 * Does not own: the edits that it takes (`core/plan/render.ts`), making the file say it (`render-plan.ts`).
 *
 * U1  Todos that are withheld are neither added to the file nor taken from it.
 * U2  What the journal has in the archive moves to the archive section, with all its lines and under the id it is known by.
 */
import type { TodoRecord } from "../core/events.ts";
import type { GoalHead, Todos } from "../core/goal/head.ts";
import type { TodoId } from "../core/id.ts";
import { type Instant, toRunTime } from "../core/instant.ts";
import { metadataValue } from "../core/plan/metadata.ts";
import type { PlanTodo } from "../core/plan/plan.ts";
import { type PlanTarget, renderPlan as renderText, type TodoTarget } from "../core/plan/render.ts";
import { done, type Reply } from "../core/result.ts";
import type { PlanBase } from "../ports/store.ts";
import type { StateText } from "./state-file.ts";

export interface Wanted {
  readonly head: GoalHead;
  readonly todos: Todos;
  readonly base: PlanBase;
  readonly state: StateText;
  readonly now: Instant;
}

export interface MadeText {
  readonly text: string;
  /** Of its todos, in its order. */
  readonly ids: readonly TodoId[];
}

/** The text that the file is to have. */
export function textFor(wanted: Wanted): Reply<MadeText> {
  const { todos, base, state } = wanted;
  const target = targetOf(wanted);
  const rendered = renderText({ text: state.text, plan: state.plan }, target);
  if (rendered.kind !== "done") return rendered;
  const added = addedTo(todos, base).map((todo) => todo.todo_id);
  const { text, plan } = rendered.value;
  return done({ text, ids: idsAfter(plan.todos, { added, moved: movedIn(target), base }) });
}

/** Values of the fields that LoopX owns, as far as the file says something else. */
function targetOf({ head, todos, base, state, now }: Wanted): PlanTarget {
  const entries = head.next_action.entries;
  const says = state.plan.next_action?.map((entry) => entry.text) ?? [];
  const differs = entries !== null && JSON.stringify(entries) !== JSON.stringify(says);
  const keeps = differs && base.sighting?.lacks_next_action !== true;
  const changed = state.plan.todos.flatMap((todo, at) => targetOfTodo(todo, base.ids[at], todos));
  const added = addedTo(todos, base).map((todo) => ({ ...todo }));
  const moves = keeps || changed.length > 0 || added.length > 0;
  return {
    ...(keeps && { next_action: entries }),
    ...(changed.length > 0 && { todos: changed }),
    ...(added.length > 0 && { added }),
    ...(moves && { front_matter: { updated_at: toRunTime(now) } }),
  };
}

function targetOfTodo(todo: PlanTodo, id: TodoId | undefined, todos: Todos): readonly TodoTarget[] {
  const wanted = id === undefined ? undefined : todos.get(id);
  if (wanted === undefined) return [];
  const change = {
    ...(wanted.text !== todo.text && { text: wanted.text }),
    ...(wanted.status !== todo.status && { status: wanted.status }),
    ...metadataChange(wanted, todo),
  };
  if (wanted.archived && !todo.archived) return [{ kind: "archive", todo, todo_id: wanted.todo_id, change }]; // (U2)
  return Object.keys(change).length === 0 ? [] : [{ kind: "keep", todo, change }];
}

function movedIn({ todos = [] }: PlanTarget): readonly TodoId[] {
  return todos.flatMap((wanted) => (wanted.kind === "archive" ? [wanted.todo_id] : []));
}

function metadataChange(wanted: TodoRecord, todo: PlanTodo): { readonly metadata?: Readonly<Record<string, string | null>> } {
  const keys = new Set([...Object.keys(wanted.metadata), ...Object.keys(todo.metadata)]);
  const [ours, theirs] = [wanted.metadata, todo.metadata];
  const different = [...keys].filter((key) => key !== "status" && metadataValue(ours, key) !== metadataValue(theirs, key));
  if (different.length === 0) return {};
  return { metadata: Object.fromEntries(different.map((key) => [key, metadataValue(ours, key) ?? null])) };
}

/** (U1) Todos of the journal that never stood in the file. */
function addedTo(todos: Todos, base: PlanBase): readonly TodoRecord[] {
  const missing = new Set<TodoId>([...base.ids, ...(base.sighting?.missing ?? [])]);
  return [...todos.values()].filter((todo) => !missing.has(todo.todo_id));
}

interface Naming {
  readonly added: readonly TodoId[];
  /** Into the archive section. */
  readonly moved: readonly TodoId[];
  readonly base: PlanBase;
}

/** Todos keep the ids they are known by; those that were added or moved stand in the file under their own. */
function idsAfter(after: readonly PlanTodo[], { added, moved, base }: Naming): readonly TodoId[] {
  const elsewhere = new Set<string>([...added, ...moved]);
  const places = base.ids.filter((id) => !elsewhere.has(id));
  let next = 0;
  return after.map((todo) => {
    const declared = todo.declared_id;
    if (declared !== null && elsewhere.delete(declared)) return declared;
    const kept = places[next] ?? todo.todo_id;
    next += 1;
    return kept;
  });
}
