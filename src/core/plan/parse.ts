/**
 * A state file's text to its `Plan`: the one grammar (data-plane 15.13).
 *
 * Does not own: the parts (`layout.ts`, `front-matter.ts`, `sections.ts`, `todos.ts`, `entries.ts`); here they are put
 * together, and ids are given.
 *
 * G1  Never throws, whatever the text, and takes time in proportion to its length.
 * G2  No id stands twice in a plan. The first todo that declares an id has it; ids are generated around all declared ones.
 * G3  The first Next Action section and the first Objective section count; a second one is reported.
 */
import type { TodoId } from "../id.ts";
import { readEntries } from "./entries.ts";
import { frontMatterEntry, readFrontMatter } from "./front-matter.ts";
import { type LaidLine, layOut } from "./layout.ts";
import { prevailingNewline } from "./lines.ts";
import type { Diagnostic, Plan, PlanTodo, Section } from "./plan.ts";
import { type LaidSection, misreadHeadings, readSections } from "./sections.ts";
import { generatedTodoId, TodoIdPool } from "./todo-id.ts";
import { type FoundTodo, readTodos } from "./todos.ts";
import { collapse } from "./white-space.ts";

/** A command asks several times for the same text: before and after it is written, and to show it. */
const LAST_PARSED = 4;
/** What is longer is not kept. */
const KEPT_LENGTH = 1 << 20;
const parsed = new Map<string, Plan>();

/** The same text may get the same `Plan` again. */
export function parsePlan(text: string): Plan {
  const plan = parsed.get(text) ?? parse(text);
  if (text.length > KEPT_LENGTH) return plan;
  parsed.delete(text);
  parsed.set(text, plan);
  for (const oldest of parsed.keys()) if (parsed.size > LAST_PARSED) parsed.delete(oldest);
  return plan;
}

function parse(text: string): Plan {
  const layout = layOut(text);
  const front = readFrontMatter(text, layout.lines);
  const sections = readSections(text, layout.lines);
  const read = sections.filter(isTodoSection).map((section) => readTodos(text, section));
  const named = nameTodos(read.flatMap(({ todos }) => todos));
  const next = sections.filter((section) => section.role === "next_action");
  const next_action = next[0] === undefined ? null : readEntries(text, next[0].lines);
  const entriesOf = (role: string): readonly string[] =>
    sections.flatMap((section) => (section.role === role ? readEntries(text, section.lines).map((entry) => entry.text) : []));
  const placed = [
    ...layout.diagnostics,
    ...front.diagnostics,
    ...misreadHeadings(text, layout.lines),
    ...read.flatMap(({ diagnostics }) => diagnostics),
    ...next
      .slice(1)
      .map((section) => warning("duplicate_next_action", section.line, "Only the first Next Action section counts")), // (G3)
    ...strayTodos(text, sections),
    ...named.diagnostics,
  ];
  return {
    has_bom: text.startsWith("\ufeff"),
    newline: prevailingNewline(text, layout.lines),
    front_matter: front.front_matter,
    sections: sections.map(withoutLines),
    next_action,
    objective: objectiveOf(text, sections) ?? frontMatterEntry(front.front_matter, "objective")?.value ?? "",
    todos: named.todos,
    feedback: entriesOf("feedback"),
    progress: entriesOf("progress"),
    diagnostics: [...placed.sort(byLine), ...whatIsMissing(next_action?.length ?? 0, named.todos)],
  };
}

function warning(code: string, line: number | null, message: string): Diagnostic {
  return { code, severity: "warning", line, message };
}

function byLine(a: Diagnostic, b: Diagnostic): number {
  return (a.line ?? 0) - (b.line ?? 0);
}

function isTodoSection(section: Section): boolean {
  return section.role === "user" || section.role === "agent" || section.role === "archive";
}

function withoutLines({ lines: _, ...section }: LaidSection): Section {
  return section;
}

interface NamedTodos {
  readonly todos: readonly PlanTodo[];
  readonly diagnostics: readonly Diagnostic[];
}

/** (G2) */
function nameTodos(found: readonly FoundTodo[]): NamedTodos {
  const owners = new Map<TodoId, FoundTodo>();
  for (const todo of found) if (todo.declared_id !== null && !owners.has(todo.declared_id)) owners.set(todo.declared_id, todo);
  const pool = new TodoIdPool(owners.keys());
  const lists = new Map<string, { readonly section: string; count: number }>();
  const diagnostics: Diagnostic[] = [];
  const todos = found.map((todo): PlanTodo => {
    const key = todo.archived ? "archive" : todo.role;
    const list = lists.get(key) ?? { section: todo.section, count: 0 };
    lists.set(key, list);
    list.count += 1;
    const index = list.count;
    const { declared_id } = todo;
    if (declared_id !== null && owners.get(declared_id) === todo)
      return withName(todo, { todo_id: declared_id, id_source: "metadata", index });
    if (declared_id !== null) diagnostics.push(duplicateId(todo, declared_id));
    const wish = generatedTodoId({ role: key, section: list.section, index, text: todo.text });
    return withName(todo, { todo_id: pool.take(wish), id_source: "generated", index });
  });
  return { todos, diagnostics };
}

/** Field by field: spreading 100,000 todos costs more than all else together. */
function withName(todo: FoundTodo, name: Pick<PlanTodo, "todo_id" | "id_source" | "index">): PlanTodo {
  return {
    todo_id: name.todo_id,
    id_source: name.id_source,
    declared_id: todo.declared_id,
    role: todo.role,
    archived: todo.archived,
    section: todo.section,
    index: name.index,
    status: todo.status,
    checkbox: todo.checkbox,
    text: todo.text,
    priority: todo.priority,
    task_class: todo.task_class,
    metadata: todo.metadata,
    line: todo.line,
    marker: todo.marker,
    first_line: todo.first_line,
    todo_line: todo.todo_line,
    continuation: todo.continuation,
    comment: todo.comment,
    comments: todo.comments,
    block: todo.block,
  };
}

function duplicateId(todo: FoundTodo, id: TodoId): Diagnostic {
  const message = `The id ${id} belongs to a todo above`;
  return { code: "duplicate_todo_ids", severity: "error", line: todo.line, message };
}

/** A checklist elsewhere is the person's own; one with LoopX metadata was meant for LoopX. */
function strayTodos(text: string, sections: readonly LaidSection[]): readonly Diagnostic[] {
  const stray = sections.filter((section) => section.role === "other").flatMap((section) => readTodos(text, section).todos);
  return stray
    .filter((todo) => todo.comment !== null)
    .map((todo) => warning("todo_outside_section", todo.line, "This todo stands under a heading that holds no todos"));
}

function objectiveOf(text: string, sections: readonly LaidSection[]): string | null {
  const section = sections.find(({ role }) => role === "objective"); // (G3)
  return section === undefined
    ? null
    : collapse(
        section.lines
          .filter(isProse)
          .map(({ start, end }) => text.slice(start, end))
          .join(" "),
      );
}

function isProse(line: LaidLine): boolean {
  return line.kind === "text" || line.kind === "fenced";
}

function whatIsMissing(nextActions: number, todos: readonly PlanTodo[]): readonly Diagnostic[] {
  const active = todos.filter((todo) => !todo.archived);
  const unnamed = active.filter((todo) => todo.id_source === "generated").length;
  return [
    ...(nextActions === 0 ? [warning("missing_next_action", null, "There is no next action")] : []),
    ...(active.length === 0 ? [warning("missing_todo_sections", null, "There are no todos")] : []),
    ...(unnamed > 0 ? [warning("implicit_todo_ids", null, `${unnamed} todos carry no id of their own`)] : []),
  ];
}
