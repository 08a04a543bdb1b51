/**
 * How one version of a state file differs from the version that LoopX last accepted, as changes to todos and Next Action.
 *
 * Does not own: which todo is which (`match-todos.ts`), whether a change becomes an event (`core/goal`), when absence may
 * count as withdrawal (`reconcile`) and who is right when the journal changed as well (`merge.ts`).
 *
 * K1  `ids` names every todo of the file, each id once. A todo keeps the id it was known by whatever happened to its
 *     place, text or comment; only an id that a person wrote onto it replaces one that LoopX had made up.
 * K2  That renaming is a change of the field `todo_id`: the change's `todo_id` is the old name, `todo.todo_id` the new.
 * K3  A new todo has its own id unless a todo of the base or a reserved one has it: then with `-2`, `-3` and so on.
 * K4  A checkbox that changed while the status in the metadata did not is a change of status: the todo of the change has
 *     the status of the checkbox, because a person ticked it.
 * K5  `index` changed only for todos that moved among those that were in the same list before, and for as few as explain
 *     the order.
 */
import type { TodoId } from "../id.ts";
import { fewestMoves } from "./fewest-moves.ts";
import { type IdentifiedPlan, matchTodos } from "./match-todos.ts";
import { metadataValue } from "./metadata.ts";
import type { Plan, PlanTodo } from "./plan.ts";
import { TodoIdPool } from "./todo-id.ts";

export type { IdentifiedPlan };

/** Fields of a todo that a person can change in the file. */
export type PlanField = "text" | "status" | "role" | "section" | "metadata" | "index" | "todo_id";

export type PlanChange =
  | { readonly kind: "todo_appeared"; readonly todo: PlanTodo }
  | { readonly kind: "todo_changed"; readonly todo_id: TodoId; readonly todo: PlanTodo; readonly fields: readonly PlanField[] }
  | {
      readonly kind: "todo_missing";
      readonly todo_id: TodoId /** Is the heading it stood under still there? */;
      readonly heading_present: boolean;
    }
  | { readonly kind: "next_action_changed"; readonly before: readonly string[] | null; readonly after: readonly string[] | null };

export interface PlanComparison {
  /** Todos of the file in its order, then missing ones in the base's order, then Next Action. `todo.todo_id` is the id of `ids`. */
  readonly changes: readonly PlanChange[];
  /** The ids of the file's todos, in the order of `file.todos`. */
  readonly ids: readonly TodoId[];
}

/** `base` is null for a file never seen before. `reserved` holds ids of todos that no longer stand in the base. */
export function comparePlans(base: IdentifiedPlan | null, file: Plan, reserved: Iterable<TodoId> = []): PlanComparison {
  const known = base ?? NOTHING;
  const partners = matchTodos(known, file);
  const named = nameTodos(known, file, { partners, reserved });
  const moved = movedPlaces(known, file, partners);
  const ofTodos = named.flatMap((todo, at) => changeOf(known, { todo, partner: partners[at] ?? null, moved: moved.has(at) }));
  return {
    changes: [...ofTodos, ...missing(known, file, partners), ...nextActionChange(base?.plan ?? null, file)],
    ids: named.map((todo) => todo.todo_id),
  };
}

const NOTHING: IdentifiedPlan = {
  plan: {
    has_bom: false,
    newline: "\n",
    front_matter: null,
    sections: [],
    next_action: null,
    objective: "",
    todos: [],
    feedback: [],
    progress: [],
    diagnostics: [],
  },
  ids: [],
};

interface Naming {
  readonly partners: readonly (number | null)[];
  readonly reserved: Iterable<TodoId>;
}

/** (K1, K3) */
function nameTodos(base: IdentifiedPlan, file: Plan, { partners, reserved }: Naming): readonly PlanTodo[] {
  const declared = file.todos.flatMap((todo) => (todo.id_source === "metadata" ? [todo.todo_id] : []));
  const pool = new TodoIdPool([...reserved, ...base.ids, ...declared]);
  return file.todos.map((todo, at) => {
    if (todo.id_source === "metadata") return todo;
    return { ...todo, todo_id: base.ids[partners[at] ?? -1] ?? pool.take(todo.todo_id) };
  });
}

interface Pairing {
  readonly todo: PlanTodo;
  readonly partner: number | null;
  readonly moved: boolean;
}

function changeOf(base: IdentifiedPlan, { todo, partner, moved }: Pairing): readonly PlanChange[] {
  const [before, known] = [base.plan.todos[partner ?? -1], base.ids[partner ?? -1]];
  if (before === undefined || known === undefined) return [{ kind: "todo_appeared", todo }];
  const meant = ticked(before, todo);
  const fields = changedFields(before, meant);
  if (moved) fields.push("index"); // (K5)
  if (known !== todo.todo_id) fields.push("todo_id"); // (K2)
  return fields.length === 0 ? [] : [{ kind: "todo_changed", todo_id: known, todo: meant, fields }];
}

/** (K5) Each list for itself: a todo that left its list moved there, and no one else did. */
function movedPlaces(base: IdentifiedPlan, file: Plan, partners: readonly (number | null)[]): ReadonlySet<number> {
  const lists = partners.map((partner, at) => {
    const [before, after] = [base.plan.todos[partner ?? -1], file.todos[at]];
    return before !== undefined && after !== undefined && listOf(before) === listOf(after) ? listOf(after) : null;
  });
  const orders = [...new Set(lists)].flatMap((list) =>
    list === null ? [] : [partners.map((partner, at) => (lists[at] === list ? partner : null))],
  );
  return new Set(orders.flatMap((order) => [...fewestMoves(order)]));
}

function listOf(todo: PlanTodo): string {
  return todo.archived ? "archive" : todo.role;
}

/** (K4) */
function ticked(before: PlanTodo, todo: PlanTodo): PlanTodo {
  const isTicked =
    before.checkbox !== todo.checkbox && before.status === todo.status && todo.checkbox !== todo.status && !todo.archived;
  return isTicked ? { ...todo, status: todo.checkbox } : todo;
}

function changedFields(before: PlanTodo, todo: PlanTodo): PlanField[] {
  const fields: PlanField[] = [];
  if (before.text !== todo.text) fields.push("text");
  if (before.status !== todo.status) fields.push("status");
  if (before.role !== todo.role) fields.push("role");
  if (before.section !== todo.section || before.archived !== todo.archived) fields.push("section");
  if (!sameMetadata(before.metadata, todo.metadata)) fields.push("metadata");
  return fields;
}

function sameMetadata(a: PlanTodo["metadata"], b: PlanTodo["metadata"]): boolean {
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => metadataValue(a, key) === metadataValue(b, key));
}

function missing(base: IdentifiedPlan, file: Plan, partners: readonly (number | null)[]): readonly PlanChange[] {
  const present = new Set(partners);
  const headings = new Set(file.sections.map((section) => section.title));
  return base.plan.todos.flatMap((todo, at) => {
    const todo_id = base.ids[at];
    return present.has(at) || todo_id === undefined
      ? []
      : [{ kind: "todo_missing" as const, todo_id, heading_present: headings.has(todo.section) }];
  });
}

function nextActionChange(base: Plan | null, file: Plan): readonly PlanChange[] {
  const [before, after] = [textsOf(base), textsOf(file)];
  return JSON.stringify(before) === JSON.stringify(after) ? [] : [{ kind: "next_action_changed", before, after }];
}

function textsOf(plan: Plan | null): readonly string[] | null {
  return plan?.next_action?.map((entry) => entry.text) ?? null;
}
