import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { someText, stateFile, statuses, texts, tidyFile, values } from "../../../test/arbitrary/state-file.ts";
import type { TodoId } from "../id.ts";
import { applyEdits, type Edit } from "./edit.ts";
import { parsePlan } from "./parse.ts";
import type { Plan, PlanTodo } from "./plan.ts";
import { type PlanTarget, renderPlan, type TodoTarget } from "./render.ts";
import type { NewTodo, TodoChange } from "./splice.ts";
import { roleOfClass } from "./todos.ts";
import { collapse } from "./white-space.ts";

function meaning(todo: PlanTodo): unknown {
  return {
    role: todo.role,
    archived: todo.archived,
    section: todo.section,
    text: todo.text,
    status: todo.status,
    metadata: todo.metadata,
    id: todo.declared_id,
  };
}

function restAfter(text: string, edits: readonly Edit[]): string {
  return applyEdits(
    text,
    edits.map((edit) => ({ ...edit, text: "" })),
  );
}

function render(
  text: string,
  target: (plan: Plan) => PlanTarget,
): { readonly before: Plan; readonly after: Plan; readonly text: string; readonly edits: readonly Edit[] } | null {
  const before = parsePlan(text);
  const reply = renderPlan({ text, plan: before }, target(before));
  return reply.kind === "done" ? { before, after: reply.value.plan, text: reply.value.text, edits: reply.value.edits } : null;
}

function pick<T>(list: readonly T[], at: number): T | undefined {
  return list[at % Math.max(1, list.length)];
}

type Step = TodoChange & { readonly kind: string };

function targetFrom(step: Step | undefined, todo: PlanTodo, at: number): readonly TodoTarget[] {
  const { kind = "none", ...change } = step ?? {};
  if (kind === "remove") return [{ kind, todo }];
  if (kind === "archive") return [{ kind, todo, todo_id: `todo_moved-${at}` as TodoId, change }];
  return kind === "keep" ? [{ kind, todo, change }] : [];
}

const RUNS = { numRuns: 300 };

describe("renderPlan", () => {
  test("an empty target is no edit", () => {
    fc.assert(
      fc.property(stateFile, (text) => {
        expect(render(text, () => ({}))).toMatchObject({ text, edits: [] });
      }),
      RUNS,
    );
  });

  test("W1 V2: what the file says already is no edit", () => {
    fc.assert(
      fc.property(stateFile, (text) => {
        const same = (plan: Plan): PlanTarget => ({
          ...(plan.next_action === null ? {} : { next_action: plan.next_action.map((entry) => entry.text) }),
          front_matter: Object.fromEntries(
            (plan.front_matter?.entries ?? [])
              .filter((entry) => entry.key === "goal_id")
              .map((entry) => [entry.key, entry.value]),
          ),
          todos: plan.todos.map((todo) => ({
            kind: "keep",
            todo,
            change: { text: todo.text, status: todo.status, metadata: todo.metadata },
          })),
        });
        expect(render(text, same)?.edits).toEqual([]);
      }),
      RUNS,
    );
  });

  test("W2 X2: Next Action is read back equal, all else stays", () => {
    fc.assert(
      fc.property(tidyFile, fc.array(someText, { maxLength: 3 }), (text, entries) => {
        const result = render(text, () => ({ next_action: entries }));
        if (result === null) throw new Error("refused");
        const { before, after, edits } = result;
        const wanted = entries.map(collapse);
        expect(after.next_action?.map((entry) => entry.text) ?? []).toEqual(wanted);
        expect(after.todos.map(meaning)).toEqual(before.todos.map(meaning));
        expect(result.text.length).toBe(restAfter(text, edits).length + edits.reduce((sum, edit) => sum + edit.text.length, 0));
        expect(render(result.text, () => ({ next_action: entries }))?.edits).toEqual([]);
      }),
      RUNS,
    );
  });

  test("W2 C1: text, status and metadata of one todo are read back equal, all else stays", () => {
    fc.assert(
      fc.property(tidyFile, fc.nat(), fc.record({ text: someText, status: statuses, metadata: values }), (text, at, change) => {
        const before = parsePlan(text);
        const todo = pick(before.todos, at);
        fc.pre(todo !== undefined && !(todo.archived && ["open", "blocked"].includes(change.status)));
        const place = before.todos.indexOf(todo);
        const result = render(text, () => ({ todos: [{ kind: "keep", todo, change }] }));
        if (result === null) throw new Error("refused");
        const changed = result.after.todos[place];
        expect(changed).toMatchObject({ text: collapse(change.text), status: change.status });
        const { note = null, claimed_by = null, unknown_key = null, ...rest } = { ...todo.metadata, ...change.metadata };
        const wanted = Object.entries({ ...rest, note, claimed_by, unknown_key }).filter(
          ([key, value]) => key !== "status" && value !== null,
        );
        expect(
          Object.entries({ ...changed?.metadata })
            .filter(([key]) => key !== "status")
            .sort(),
        ).toEqual(wanted.sort());
        expect(result.after.todos.toSpliced(place, 1).map(meaning)).toEqual(before.todos.toSpliced(place, 1).map(meaning));
        expect(result.after.next_action?.map((entry) => entry.text)).toEqual(before.next_action?.map((entry) => entry.text));
        for (const { span } of result.edits) expect(span.start >= todo.block.start && span.end <= todo.block.end).toBe(true);
      }),
      RUNS,
    );
  });

  test("N1 N2: added todos come last in their list and are read back equal", () => {
    const fresh = fc.record({ role: fc.constantFrom<"user" | "agent">("user", "agent"), text: someText, status: statuses });
    fc.assert(
      fc.property(tidyFile, fc.array(fresh, { minLength: 1, maxLength: 3 }), (text, drafts) => {
        const added: readonly NewTodo[] = drafts.map((draft, at) => ({
          ...draft,
          todo_id: `todo_new-${at}` as TodoId,
          metadata: { task_class: draft.role === "user" ? "user_action" : "blocker" },
        }));
        const result = render(text, () => ({ added }));
        if (result === null) throw new Error("refused");
        const isNew = (item: PlanTodo): boolean => item.todo_id.startsWith("todo_new-");
        expect(result.after.todos.filter((item) => !isNew(item)).map(meaning)).toEqual(result.before.todos.map(meaning));
        for (const item of added) {
          expect(result.after.todos.find(({ todo_id }) => todo_id === item.todo_id)).toMatchObject({
            role: item.role,
            status: item.status,
            text: collapse(item.text),
            archived: false,
            id_source: "metadata",
          });
        }
        expect(/[\r\n]$/.test(result.text) || text.length < 2).toBe(/[\r\n]$/.test(text) || text.length < 2);
        expect(result.edits.every(({ span }) => span.start === span.end)).toBe(true);
      }),
      RUNS,
    );
  });

  test("A1 A2 A3: archived and removed todos leave, the others stay", () => {
    fc.assert(
      fc.property(
        tidyFile,
        fc.array(fc.constantFrom("keep", "archive", "remove"), { minLength: 1, maxLength: 5 }),
        (text, kinds) => {
          const before = parsePlan(text);
          fc.pre(before.diagnostics.every(({ code }) => code !== "duplicate_todo_ids"));
          const kindOf = (at: number): string | undefined => kinds[at % kinds.length];
          const todos = before.todos.flatMap((todo, at): TodoTarget[] => {
            if (kindOf(at) === "archive") return [{ kind: "archive", todo, todo_id: todo.todo_id, change: {} }];
            return kindOf(at) === "remove" ? [{ kind: "remove", todo }] : [];
          });
          const result = render(text, () => ({ todos }));
          if (result === null) throw new Error("refused");
          const stay = before.todos.filter((todo, at) => kindOf(at) === "keep" || (kindOf(at) === "archive" && todo.archived));
          const moved = before.todos.filter((todo, at) => kindOf(at) === "archive" && !todo.archived);
          const archivedIds = new Set(moved.map((todo) => todo.todo_id));
          const others = result.after.todos.filter((todo) => !(todo.archived && archivedIds.has(todo.todo_id)));
          expect(others.map((todo) => todo.text)).toEqual(stay.map((todo) => todo.text));
          for (const todo of moved) {
            const found = result.after.todos.find(({ todo_id }) => todo_id === todo.todo_id);
            expect(found).toMatchObject({
              archived: true,
              role: roleOfClass(todo.task_class) === "user" ? "user" : todo.role,
              text: todo.text,
              id_source: "metadata",
            });
          }
        },
      ),
      RUNS,
    );
  });

  test("V1: a file with open fences and comments is edited as asked or not at all", () => {
    fc.assert(
      fc.property(stateFile, fc.nat(), someText, (text, at, wanted) => {
        const before = parsePlan(text);
        const todo = pick(before.todos, at);
        const todos: readonly TodoTarget[] = todo === undefined ? [] : [{ kind: "remove", todo }];
        const result = render(text, () => ({ todos, next_action: [wanted] }));
        if (result === null) return;
        expect(result.after.next_action?.map((entry) => entry.text)).toEqual([collapse(wanted)]);
        expect(result.after.todos.map((item) => item.text)).toEqual(
          before.todos.filter((item) => item !== todo).map((item) => item.text),
        );
      }),
      RUNS,
    );
  });

  test("X1 V1: any mixture of targets gives edits that fit together, and what was asked or a no", () => {
    const step = fc.record({
      kind: fc.constantFrom("keep", "archive", "remove", "none"),
      text: someText,
      status: statuses,
      metadata: values,
    });
    fc.assert(
      fc.property(
        stateFile,
        fc.array(step, { minLength: 1, maxLength: 4 }),
        fc.array(someText, { maxLength: 2 }),
        (text, steps, entries) => {
          const targetOf = (todo: PlanTodo, at: number): readonly TodoTarget[] => targetFrom(pick(steps, at), todo, at);
          const added: readonly NewTodo[] = [
            { todo_id: "todo_new" as TodoId, role: "user", text: "new", status: "open", metadata: {} },
          ];
          const result = render(text, ({ todos }) => ({ next_action: entries, added, todos: todos.flatMap(targetOf) }));
          if (result === null) return;
          expect(result.after.next_action?.map((entry) => entry.text) ?? []).toEqual(entries.map(collapse));
          const left = result.before.todos.filter((_, at) => pick(steps, at)?.kind !== "remove");
          expect(result.after.todos).toHaveLength(left.length + 1);
        },
      ),
      RUNS,
    );
  });

  test("front matter: the value is read back, nothing else moves", () => {
    fc.assert(
      fc.property(stateFile, fc.constantFrom("updated_at", "status"), texts, (text, key, value) => {
        const result = render(text, () => ({ front_matter: { [key]: value } }));
        if (result === null) throw new Error("refused");
        const { before, after } = result;
        if (before.front_matter === null) expect(result.text).toBe(text);
        else expect(after.front_matter?.entries.find((entry) => entry.key === key)?.value).toBe(collapse(value));
        expect(after.todos.map(meaning)).toEqual(before.todos.map(meaning));
      }),
      RUNS,
    );
  });
});
