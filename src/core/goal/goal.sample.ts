/** A goal that tests act on, with a clock that they set. */
import type { GoalEvent, GoalFact, TodoRecord } from "../events.ts";
import { type AgentId, type GoalId, parseAgentId, parseTodoId, parseTurnId, type TodoId, type TurnId } from "../id.ts";
import { addMilliseconds, type Instant, instantFromEpoch } from "../instant.ts";
import type { PlanTodo } from "../plan/plan.ts";
import type { GoalCommand } from "./command.ts";
import { append, draftOf, type GoalDraft } from "./draft.ts";
import { type Fence, NO_FENCE } from "./fence.ts";
import { handle } from "./handle.ts";
import type { GoalHead } from "./head.ts";
import type { LeaseRequest } from "./lease.ts";

const BEGIN = instantFromEpoch(1_780_000_000_000);

/** `seconds` after the goal began. */
export function at(seconds: number): Instant {
  return addMilliseconds(given(BEGIN), seconds * 1000);
}

export function given<T>(value: T | null | undefined): T {
  if (value === null || value === undefined) throw new Error("the test expected something to be there");
  return value;
}

export const agent = (name: string): AgentId => given(parseAgentId(name));
export const turn = (name: string): TurnId => given(parseTurnId(name));
export const id = (name: string): TodoId => given(parseTodoId(`todo_${name}`));

export function todo(name: string, fields: Partial<TodoRecord> = {}): TodoRecord {
  return {
    todo_id: id(name),
    id_source: "metadata",
    role: "agent",
    text: `Do ${name}`,
    status: "open",
    priority: null,
    task_class: null,
    section: "Agent Todo",
    index: 1,
    archived: false,
    metadata: {},
    ...fields,
  };
}

export function gate(name: string, metadata: TodoRecord["metadata"] = {}, fields: Partial<TodoRecord> = {}): TodoRecord {
  return todo(name, { role: "user", task_class: "user_gate", section: "User Todo", metadata, ...fields });
}

export function fence(fields: Partial<Fence>): Fence {
  return { ...NO_FENCE, ...fields };
}

export class SampleGoal {
  draft: GoalDraft = draftOf("g" as GoalId, { head: null, todos: new Map() });
  now: Instant = at(0);

  constructor(...todos: readonly TodoRecord[]) {
    this.give({ kind: "open-goal", registry: "/p/.loopx/registry.json" });
    for (const each of todos) this.record({ type: "todo.added", data: { todo: each, source: "file" } });
  }

  get head(): GoalHead {
    return given(this.draft.head);
  }

  todo(name: string): TodoRecord {
    return given(this.draft.todos.get(id(name)));
  }

  /** `accepted`, or the code of the refusal. */
  give(command: GoalCommand, by: { readonly agent?: string } = {}): string {
    const handled = handle({ head: this.draft.head, todos: this.draft.todos }, command, this.now);
    if ("kind" in handled) return handled.code;
    this.record(...handled.map((fact) => ({ ...fact, ...(by.agent !== undefined && { agent_id: agent(by.agent) }) })));
    return "accepted";
  }

  /** What a refusal says about the facts. */
  refusal(command: GoalCommand): {
    readonly code: string;
    readonly details: Readonly<Record<string, unknown>>;
    readonly fix: string;
  } {
    const handled = handle({ head: this.draft.head, todos: this.draft.todos }, command, this.now);
    if (!("kind" in handled)) throw new Error("it was accepted");
    return { code: handled.code, details: handled.details ?? {}, fix: handled.fix ?? "" };
  }

  record(...facts: readonly (GoalFact & { readonly agent_id?: AgentId })[]): void {
    for (const { agent_id, ...fact } of facts)
      append(this.draft, [fact as GoalFact], { at: this.now, ...(agent_id !== undefined && { agent_id }) });
  }

  /** Events since there were `count`. */
  since(count: number): readonly GoalEvent["type"][] {
    return this.draft.events.slice(count).map((event) => event.type);
  }

  /** Takes a lease of 100 seconds. */
  take(name: string, owner: string, fields: Partial<LeaseRequest> = {}): string {
    const reserved = { slots: 1, tokens: 0, wall_ms: 0 };
    return this.give({
      kind: "take-lease",
      lease: { todo_id: id(name), owner: agent(owner), ttl_ms: 100_000, write_scopes: [], reserved, ...fields },
    });
  }

  close(name: string, by: Partial<Fence>, fields: Partial<Extract<GoalCommand, { kind: "close-todo" }>> = {}): string {
    return this.give(closing(name, by, fields));
  }

  /** A person saved the state file with these fields of a todo changed. */
  edit(name: string, fields: Partial<TodoRecord>): string {
    const before = this.todo(name);
    const change = { kind: "todo_changed", todo_id: id(name), todo: lineOf({ ...before, ...fields }), fields: [] } as const;
    return this.give({ kind: "accept-plan", changes: [change], base: new Map([[id(name), lineOf(before)]]) });
  }
}

export function closing(
  name: string,
  by: Partial<Fence>,
  fields: Partial<Extract<GoalCommand, { kind: "close-todo" }>> = {},
): GoalCommand {
  const next = { kind: "none", reason: "that was all" } as const;
  return { kind: "close-todo", todo_id: id(name), outcome: "done", next, fields: {}, fence: fence(by), ...fields };
}

const NOWHERE = { start: 0, end: 0 };

export function lineOf({ waits_for: _w, lease_epoch: _l, gap: _g, wake_met: _m, stall: _s, ...todo }: TodoRecord): PlanTodo {
  return {
    ...todo,
    declared_id: todo.todo_id,
    checkbox: todo.status === "blocked" ? "open" : todo.status,
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
