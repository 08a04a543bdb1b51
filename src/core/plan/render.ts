/**
 * From what LoopX wants a state file to say to the edits that make it say so.
 *
 * Does not own: single edits (`splice.ts`, `splice-archive.ts`), and who is right when file and journal differ (`merge.ts`).
 *
 * V1  Only what the target names changes. The result is parsed again and compared before anyone writes it: edits that
 *     would change the meaning of anything else (a fence or comment left open elsewhere that would now close) are refused.
 * V2  Rendering the same target onto the result gives no edits.
 */
import type { TodoId } from "../id.ts";
import { done, type Reply, refuse } from "../result.ts";
import { applyEdits, type Edit, endAsBefore } from "./edit.ts";
import { parsePlan } from "./parse.ts";
import type { Plan, PlanTodo } from "./plan.ts";
import {
  addTodos,
  type Edits,
  editTodo,
  type NewTodo,
  type Source,
  setFrontMatter,
  setNextAction,
  type TodoChange,
} from "./splice.ts";
import { takeOutTodos } from "./splice-archive.ts";
import { roleOfClass } from "./todos.ts";
import { collapse } from "./white-space.ts";

/** What becomes of one todo that stands in the file. */
export type TodoTarget =
  | { readonly kind: "keep"; readonly todo: PlanTodo; readonly change: TodoChange }
  | {
      readonly kind: "archive";
      readonly todo: PlanTodo /** The id it is known by. */;
      readonly todo_id: TodoId;
      readonly change: TodoChange;
    }
  | { readonly kind: "remove"; readonly todo: PlanTodo };

/** Values of the fields that LoopX owns; what is not named stays as the file says it. */
export interface PlanTarget {
  readonly next_action?: readonly string[];
  readonly front_matter?: Readonly<Record<string, string>>;
  readonly todos?: readonly TodoTarget[];
  readonly added?: readonly NewTodo[];
}

export interface Rendered {
  readonly edits: readonly Edit[];
  readonly text: string;
  readonly plan: Plan;
}

/** The edits towards the target, the text they give and what that says. */
export function renderPlan(source: Source, target: PlanTarget): Reply<Rendered> {
  const edits = editsToward(source, target);
  if (edits.kind !== "done") return edits;
  if (edits.value.length === 0) return done({ edits: [], text: source.text, plan: source.plan });
  const text = applyEdits(source.text, edits.value);
  const plan = parsePlan(text);
  const strayed = whatStrayed(source.plan, plan, target);
  if (strayed !== null)
    return refuse(
      "edit_changes_more",
      `The edit would also change ${strayed}; close the open code fence or comment in the file first`,
    ); // (V1)
  return done({ edits: edits.value, text, plan });
}

/** The edits alone, not yet checked (V1). */
export function editsToward(source: Source, target: PlanTarget): Edits {
  const todos = target.todos ?? [];
  const steps: readonly (() => Edits)[] = [
    ...Object.entries(target.front_matter ?? {}).map(
      ([key, value]) =>
        () =>
          setFrontMatter(source, key, value),
    ),
    ...todos.flatMap((wanted) => (wanted.kind === "keep" ? [() => editTodo(source, wanted.todo, wanted.change)] : [])),
    () => addTodos(source, target.added ?? []),
    () => done(target.next_action === undefined ? [] : setNextAction(source, target.next_action)),
    () =>
      takeOutTodos(source, {
        archive: todos.filter((wanted) => wanted.kind === "archive"),
        remove: todos.flatMap((wanted) => (wanted.kind === "remove" ? [wanted.todo] : [])),
      }),
  ];
  const edits: Edit[] = [];
  for (const step of steps) {
    const made = step();
    if (made.kind !== "done") return made;
    for (const edit of made.value) edits.push(edit);
  }
  return done(endAsBefore(source.text, edits));
}

/** (V1) What the new plan says differently though the target does not name it; null when nothing. */
function whatStrayed(before: Plan, after: Plan, target: PlanTarget): string | null {
  const entries =
    target.next_action?.map(collapse).filter((entry) => entry !== "") ?? before.next_action?.map((entry) => entry.text) ?? [];
  const found = after.next_action?.map((entry) => entry.text) ?? [];
  if (!sameList(entries, found)) return "the next action";
  if (!sameList(todosWanted(before, target), after.todos.map(signature).sort())) return "other todos";
  const fields: readonly (keyof Plan)[] = ["objective", "feedback", "progress"];
  const field = fields.find((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]));
  return field === undefined ? null : `the ${field}`;
}

function sameList(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((item, at) => item === b[at]);
}

type Signed = Pick<PlanTodo, "role" | "archived" | "status" | "text">;

function signature({ role, archived, status, text }: Signed): string {
  return [role, archived ? "archived" : "active", status, text].join("|");
}

function todosWanted(before: Plan, target: PlanTarget): readonly string[] {
  const targets = new Map((target.todos ?? []).map((wanted) => [wanted.todo.block.start, wanted]));
  const kept = before.todos.flatMap((todo) => {
    const wanted = targets.get(todo.block.start);
    return wanted === undefined ? [todo] : todoWanted(todo, wanted);
  });
  const added = (target.added ?? []).map((todo) => ({ ...todo, text: collapse(todo.text), archived: false }));
  return [...kept, ...added].map(signature).sort();
}

function todoWanted(todo: PlanTodo, target: TodoTarget): readonly Signed[] {
  if (target.kind === "remove") return [];
  const { text, status, metadata } = target.change;
  const archived = todo.archived || target.kind === "archive";
  const wanted = status ?? todo.status;
  const isUsers = todo.role === "user" || roleOfClass(metadata?.["task_class"] ?? todo.task_class) === "user";
  return [
    {
      role: archived && isUsers ? "user" : todo.role,
      archived,
      status: archived && wanted !== "deferred" ? "done" : wanted,
      text: text === undefined ? todo.text : collapse(text),
    },
  ];
}
