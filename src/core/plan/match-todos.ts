/**
 * Which todo of the file is which todo of the base, though most carry no id and all of them may have moved.
 *
 * Does not own: what has changed between the two (`compare.ts`).
 *
 * Q1  One to one: a todo of either side has at most one partner.
 * Q2  First, equal ids: an id written in the file finds the todo that is known by it or had it written.
 * Q3  Then equal text: in the same role, then in any, each in file order, so that a todo survives lines inserted above,
 *     reordering and moving between sections. Two todos with different written ids are never partners.
 * Q4  Then the text alone changed: todos without written ids that stand in the same section between the same neighbours
 *     are partners in order.
 */
import type { TodoId } from "../id.ts";
import type { Plan, PlanTodo } from "./plan.ts";

export interface IdentifiedPlan {
  readonly plan: Plan;
  /** The ids that the todos of `plan` are known by, in the order of `plan.todos`. */
  readonly ids: readonly TodoId[];
}

/** For each todo of the file, the position of its partner in the base, or null. */
export function matchTodos(base: IdentifiedPlan, file: Plan): readonly (number | null)[] {
  const matching = new Matching(base, file);
  matching.byId();
  matching.byText((todo) => [todo.role, todo.archived ? "archived" : "active", todo.text].join("|"));
  matching.byText((todo) => todo.text);
  matching.byPlace();
  return matching.partners;
}

class Matching {
  readonly partners: (number | null)[];
  readonly #base: IdentifiedPlan;
  readonly #file: Plan;
  /** For each todo of the base, its partner in the file. */
  readonly #taken: (number | null)[];

  constructor(base: IdentifiedPlan, file: Plan) {
    this.#base = base;
    this.#file = file;
    this.partners = file.todos.map(() => null);
    this.#taken = base.ids.map(() => null);
  }

  /** (Q2) */
  byId(): void {
    const written = this.#base.plan.todos.flatMap((todo, at): [TodoId, number][] =>
      todo.id_source === "metadata" ? [[todo.todo_id, at]] : [],
    );
    const owners = new Map([...written, ...this.#base.ids.map((id, at): [TodoId, number] => [id, at])]);
    this.#file.todos.forEach((todo, at) => {
      const owner = todo.id_source === "metadata" ? owners.get(todo.todo_id) : undefined;
      if (owner !== undefined) this.#pair(owner, at);
    });
  }

  /** (Q3) */
  byText(keyOf: (todo: PlanTodo) => string): void {
    const waiting = new Map<string, Waiting>();
    this.#base.plan.todos.forEach((todo, at) => {
      if (this.#taken[at] === null) queueAt(waiting, keyOf(todo)).push(at, todo);
    });
    this.#file.todos.forEach((todo, at) => {
      const partner = this.partners[at] === null ? waiting.get(keyOf(todo))?.takeFor(todo) : undefined;
      if (partner !== undefined) this.#pair(partner, at);
    });
  }

  /** (Q4) */
  byPlace(): void {
    const { todos } = this.#base.plan;
    const gaps = new Map<string, Waiting>();
    for (const [at, key] of gapsOf(todos, (owner) => this.#staysIn(owner))) {
      const todo = todos[at];
      if (todo?.id_source === "generated" && this.#taken[at] === null) queueAt(gaps, key).push(at, todo);
    }
    for (const [at, key] of gapsOf(this.#file.todos, (place) => this.partners[place] ?? null)) {
      const todo = this.#file.todos[at];
      const partner = todo?.id_source === "generated" ? gaps.get(key)?.takeFor(todo) : undefined;
      if (partner !== undefined) this.#pair(partner, at);
    }
  }

  /** The todo itself when its partner stands in the same section, so that both sides can take it for a neighbour. */
  #staysIn(owner: number): number | null {
    const [mine, theirs] = [this.#base.plan.todos[owner], this.#file.todos[this.#taken[owner] ?? -1]];
    return mine !== undefined && theirs !== undefined && placeOf(mine) === placeOf(theirs) ? owner : null;
  }

  /** (Q1) */
  #pair(owner: number, at: number): void {
    if (this.#taken[owner] !== null || this.partners[at] !== null) return;
    this.#taken[owner] = at;
    this.partners[at] = owner;
  }
}

function placeOf(todo: PlanTodo): string {
  return [todo.role, todo.archived ? "archived" : "active", todo.section].join("|");
}

/** The todos that have no neighbour value of their own, each with its section and the neighbour before it there. */
function gapsOf(
  todos: readonly PlanTodo[],
  neighbourOf: (at: number) => number | null,
): readonly (readonly [at: number, key: string])[] {
  const before = new Map<string, number>();
  const gaps: (readonly [number, string])[] = [];
  todos.forEach((todo, at) => {
    const place = placeOf(todo);
    const neighbour = neighbourOf(at);
    if (neighbour === null) gaps.push([at, `${before.get(place) ?? "start"}|${place}`]);
    else before.set(place, neighbour);
  });
  return gaps;
}

/** Todos of the base in file order, those with a written id apart from the others. */
class Waiting {
  readonly #declared: number[] = [];
  readonly #free: number[] = [];
  #nextDeclared = 0;
  #nextFree = 0;

  push(at: number, todo: PlanTodo): void {
    (todo.id_source === "generated" ? this.#free : this.#declared).push(at);
  }

  /** The first one that may be the same todo (Q3). */
  takeFor(todo: PlanTodo): number | undefined {
    const free = this.#free[this.#nextFree];
    const declared = todo.id_source === "generated" ? this.#declared[this.#nextDeclared] : undefined;
    if (free !== undefined && (declared === undefined || free < declared)) {
      this.#nextFree += 1;
      return free;
    }
    if (declared !== undefined) this.#nextDeclared += 1;
    return declared;
  }
}

function queueAt(queues: Map<string, Waiting>, key: string): Waiting {
  const queue = queues.get(key) ?? new Waiting();
  queues.set(key, queue);
  return queue;
}
