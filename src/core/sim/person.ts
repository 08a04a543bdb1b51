/**
 * The person whose goal it is: adds work, answers questions, edits the state file and the registry by hand.
 *
 * Does not own: what new work looks like (`work.ts`), edits of the state file (`hand-edit.ts`).
 */
import type { TodoRecord } from "../events.ts";
import type { GoalCommand } from "../goal/command.ts";
import type { GoalHead } from "../goal/head.ts";
import { kindOf } from "../goal/todo-traits.ts";
import { addMilliseconds } from "../instant.ts";
import type { QuotaSettings } from "../registry/quota-settings.ts";
import { HOUR, MINUTE, SECOND } from "./clock.ts";
import { handEdit } from "./hand-edit.ts";
import type { SimAnswer, SimRequest } from "./request.ts";
import type { Actor, Surroundings } from "./surroundings.ts";
import { someGate, someWork } from "./work.ts";

const DOINGS = { add: 34, gate: 8, answer: 30, edit: 22, wake: 4, release: 2, quota: 3, stop: 2 } as const;

type Doing = readonly [does: string, commands: readonly GoalCommand[]];

export class Person implements Actor {
  wakes_at = 0;
  readonly #world: Surroundings;
  #left_to_add: number;
  #again: SimRequest | null = null;

  constructor(world: Surroundings, { todos }: { readonly todos: number }) {
    this.#world = world;
    this.#left_to_add = todos;
  }

  act(): SimRequest | null {
    const { random, clock, goal } = this.#world;
    this.wakes_at = clock.passed + (this.#left_to_add > 0 ? SECOND : random.between(20 * SECOND, 15 * MINUTE));
    if (this.#again !== null) return this.#again;
    const { head } = goal();
    if (head === null) return { kind: "plan", by: "person", does: "opens the goal", commands: [] };
    const doing = this.#doing(head);
    return doing === null ? null : { kind: "plan", by: "person", does: doing[0], commands: doing[1] };
  }

  hear(answer: SimAnswer, request: SimRequest): void {
    this.#again = answer.kind === "unknown" ? request : null;
  }

  #doing(head: GoalHead): Doing | null {
    const { random } = this.#world;
    if (this.#left_to_add > 0) {
      this.#left_to_add -= 1;
      return this.#add(head);
    }
    if (this.#world.terms.goal.activation.state === "stopped" && random.chance(0.7)) return this.#registry("stop");
    const does = this.#isThrottled() && random.chance(0.2) ? "quota" : random.weighted(DOINGS);
    switch (does) {
      case "add":
        return head.todo_counts.open > 40 ? null : this.#add(head);
      case "gate":
        return head.todo_counts.waiting_for_person > 5 ? null : added(someGate(this.#world, head));
      case "answer":
        return this.#answer();
      case "edit":
        return handEdit(this.#world);
      case "wake":
        return this.#wake();
      case "release":
        return this.#release(head);
      default:
        return this.#registry(does);
    }
  }

  #isThrottled(): boolean {
    const { quota } = this.#world.terms.goal;
    return quota.kind === "set" && quota.settings.allowed_slots < 20;
  }

  #add(head: GoalHead): Doing {
    return added(someWork(this.#world, head));
  }

  #answer(): Doing | null {
    const { random, clock } = this.#world;
    const gate = random.some(this.#open((todo) => kindOf(todo) === "gate"));
    if (gate === null) return null;
    const outcome = random.weighted({ approve: 60, reject: 28, defer: 12 });
    const until = outcome === "defer" ? addMilliseconds(clock.wall(), random.between(MINUTE, 2 * HOUR)) : null;
    const { todo_id } = gate;
    return [`${outcome} ${todo_id}`, [{ kind: "decide-gate", todo_id, outcome, reason: "so", by: "person", until }]];
  }

  #open(fits: (todo: TodoRecord) => boolean): readonly TodoRecord[] {
    return [...this.#world.goal().todos.values()].filter((todo) => todo.status === "open" && !todo.archived && fits(todo));
  }

  /** What only a look can find out has come. */
  #wake(): Doing | null {
    const todo = this.#world.random.some(this.#open(({ metadata }) => metadata["resume_when"]?.startsWith("pr_") === true));
    return todo === null ? null : [`wakes ${todo.todo_id}`, [{ kind: "wake-todo", todo_id: todo.todo_id }]];
  }

  #release({ waits }: GoalHead): Doing | null {
    const agent = this.#world.agents.find((id) => Object.hasOwn(waits, id));
    if (agent === undefined) return null;
    return [`lets ${agent} go on`, [{ kind: "release-agent", agent_id: agent, reason: "said so" }]];
  }

  /** The next write of anybody takes it in. */
  #registry(what: "quota" | "stop"): null {
    const { terms, random, clock } = this.#world;
    const { goal } = terms;
    if (what === "stop") {
      const state = goal.activation.state === "active" ? "stopped" : "active";
      terms.goal = { ...goal, activation: { state, updated_at: clock.wall(), reason: null } };
    } else if (goal.quota.kind === "set") {
      terms.goal = { ...goal, quota: { ...goal.quota, settings: { ...goal.quota.settings, ...someCaps(random) } } };
    }
    return null;
  }
}

function added(todo: TodoRecord): Doing {
  return [`adds ${todo.todo_id}`, [{ kind: "add-todo", todo }]];
}

export function someCaps(random: Surroundings["random"]): Pick<QuotaSettings, "allowed_slots" | "tokens" | "wall_minutes"> {
  return {
    allowed_slots: random.pick([0, 6, 20, 60, 200, 200, 400, 400]),
    tokens: random.pick([null, null, 20_000, 200_000]),
    wall_minutes: random.pick([null, null, 90, 600]),
  };
}
