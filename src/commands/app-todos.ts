/** The part of the application that is about todos, gates and what is looked up: requests, and one method a use case. */
import type { TodoWords } from "../core/goal/todo-words.ts";
import type { Reply } from "../core/result.ts";
import type { GateDecisionPayload, GateListPayload } from "../core/show/gate.ts";
import type { ShownPoll } from "../core/show/markdown/poll.ts";
import type { ShownTodoArchive } from "../core/show/markdown/todo.ts";
import type { TodoShowPayload, TodoWritePayload } from "../core/show/todo.ts";
import type { TodoListPayload } from "../core/show/todo-list.ts";
import type { PageRequest } from "./app-words.ts";

/** What every command about a todo says beside what it is about. */
export interface TodoWriteRequest {
  /** Null: the goal that has the todo. */
  readonly goalId: string | null;
  readonly agentId: string | null;
  readonly turnInstanceId: string | null;
  readonly leaseEpoch: number | null;
  /** The reference's fence. */
  readonly leaseKey: string | null;
  readonly leaseVersion: number | null;
  readonly dryRun: boolean;
}

export interface TodoAddRequest extends Pick<TodoWriteRequest, "agentId" | "turnInstanceId" | "dryRun"> {
  readonly goalId: string;
  readonly text: string;
  /** Null: that of the class, else an agent's. */
  readonly role: "user" | "agent" | null;
  /** Null: the text's own `[Pn]`, or none. */
  readonly priority: number | null;
  readonly status: "open" | "blocked" | "deferred" | null;
  readonly words: TodoWords;
  /** The same request under it adds one todo, whatever became of that one since. */
  readonly idempotencyKey?: string | null;
}

/** Todos that come after one. */
export interface TodoNext {
  readonly agent: readonly string[];
  readonly user: readonly string[];
  /** What is said of each of the agent todos, and of each of the user todos. */
  readonly agentWords: TodoWords;
  readonly userWords: TodoWords;
  /** Nothing comes next. */
  readonly noFollowUp: boolean;
}

export interface TodoUpdateRequest extends TodoWriteRequest {
  readonly todoId: string;
  readonly text: string | null;
  readonly priority: number | null;
  readonly status: "open" | "blocked" | "deferred" | "done" | null;
  readonly words: TodoWords;
  readonly clearClaim: boolean;
  /** For work that was closed without a word of what comes next. */
  readonly next: TodoNext;
}

export interface TodoStatusRequest extends TodoWriteRequest {
  readonly todoId: string;
  readonly status: "open" | "blocked" | "deferred";
  /** Reason, and what brings it back. */
  readonly words: TodoWords;
}

export interface TodoCompleteRequest extends TodoWriteRequest {
  readonly todoId: string;
  readonly decisionOutcome: "approve" | "reject" | "cancel" | null;
  readonly words: TodoWords;
  readonly next: TodoNext;
}

export interface TodoSupersedeRequest extends TodoWriteRequest {
  readonly todoId: string;
  /** A todo that is there already and takes its place. */
  readonly supersededBy: string | null;
  readonly words: TodoWords;
  readonly next: TodoNext;
}

export interface TodoArchiveRequest {
  readonly goalId: string;
  /** Null: 12. */
  readonly maxActiveDone: number | null;
  readonly dryRun: boolean;
}

export interface TodoListRequest extends PageRequest {
  readonly goalId: string;
  readonly todoId: string | null;
  readonly role: "user" | "agent" | null;
  readonly status: "open" | "blocked" | "deferred" | "done" | "archived" | null;
}

export interface GateDecideRequest {
  /** Null: the goal that has it. */
  readonly goalId: string | null;
  /** Null: the only open one of the goal. */
  readonly todoId: string | null;
  readonly outcome: "approve" | "reject" | "defer";
  readonly reason: string | null;
  /** When a deferred question is asked again. */
  readonly until: string | null;
  readonly agentId: string | null;
  readonly dryRun: boolean;
}

export interface GateListRequest extends PageRequest {
  /** Null: all goals. */
  readonly goalId: string | null;
  /** Only this one. */
  readonly todoId: string | null;
}

export interface PollRequest {
  /** Null: all goals, or the one that has the todo. */
  readonly goalId: string | null;
  readonly agentId: string | null;
  /** The monitor that was looked at; null with `targetKey` null: whatever is due. */
  readonly todoId: string | null;
  readonly targetKey: string | null;
  /** Digest of what was seen; null: the monitor's own command is run. */
  readonly resultHash: string | null;
  /** Null: decided by comparing the digests. */
  readonly materialChange: boolean | null;
  /** Todos that follow where the monitor that is named has changed. */
  readonly next?: TodoNext;
  readonly dryRun: boolean;
}

export interface TodoShowRequest {
  readonly goalId: string | null;
  readonly todoId: string;
  /** Also why this agent cannot take it up. */
  readonly agentId: string | null;
}

export interface TodoApp {
  todoAdd(request: TodoAddRequest): Promise<Reply<TodoWritePayload>>;
  todoList(request: TodoListRequest): Promise<Reply<TodoListPayload>>;
  todoShow(request: TodoShowRequest): Promise<Reply<TodoShowPayload>>;
  todoUpdate(request: TodoUpdateRequest): Promise<Reply<TodoWritePayload>>;
  todoSetStatus(request: TodoStatusRequest): Promise<Reply<TodoWritePayload>>;
  todoComplete(request: TodoCompleteRequest): Promise<Reply<TodoWritePayload>>;
  todoSupersede(request: TodoSupersedeRequest): Promise<Reply<TodoWritePayload>>;
  todoArchiveCompleted(request: TodoArchiveRequest): Promise<Reply<ShownTodoArchive>>;
  gateList(request: GateListRequest): Promise<Reply<GateListPayload>>;
  gateDecide(request: GateDecideRequest): Promise<Reply<GateDecisionPayload>>;
  poll(request: PollRequest): Promise<Reply<ShownPoll>>;
}
