/** Goals, events and rows that the suites of the store write. */
import type { GoalFact, TodoRecord } from "../../src/core/events.ts";
import { append, draftOf } from "../../src/core/goal/draft.ts";
import { type AgentId, type GoalId, parseGoalId, parseTodoId, type TodoId } from "../../src/core/id.ts";
import { type Instant, instantFromEpoch } from "../../src/core/instant.ts";
import { runIdentity } from "../../src/core/runs/history.ts";
import type { RunRow } from "../../src/core/runs/run.ts";
import type { GoalChange, LoadedGoal, LoadRequest, PlanBase, Store } from "../../src/ports/store.ts";
import type { ForeignCheckpoint, ForeignRow } from "../../src/ports/store-foreign.ts";
import type { ViewEntry } from "../../src/ports/store-views.ts";

export const REGISTRY = "/project/.loopx/registry.json";

/** `minute` minutes after the first of January. */
export function at(minute: number): Instant {
  const instant = instantFromEpoch(Date.UTC(2026, 0, 1) + minute * 60_000);
  if (instant === null) throw new Error(`no instant: ${minute}`);
  return instant;
}

export function goalId(text: string): GoalId {
  const parsed = parseGoalId(text);
  if (!parsed.ok) throw new Error(`no goal id: ${text}`);
  return parsed.id;
}

export function todoId(text: string): TodoId {
  const id = parseTodoId(`todo_${text}`);
  if (id === null) throw new Error(`no todo id: ${text}`);
  return id;
}

export function todo(name: string, fields: Partial<TodoRecord> = {}): TodoRecord {
  return {
    todo_id: todoId(name),
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

export const OPENED: GoalFact = { type: "goal.opened", data: { registry: REGISTRY } };

export function added(record: TodoRecord): GoalFact {
  return { type: "todo.added", data: { todo: record, source: "command" } };
}

export function leased(name: string, owner: AgentId, epoch = 1): GoalFact {
  const times = { ttl_ms: 60_000, taken_at: at(0), renewed_at: at(0), expires_at: at(1) };
  const reserved = { slots: 0, tokens: 0, wall_ms: 0 };
  return {
    type: "lease.taken",
    data: { todo_id: todoId(name), owner, epoch, version: 1, ...times, write_scopes: [], reserved },
  };
}

export function nextAction(text: string): GoalFact {
  return { type: "plan.next_action_set", data: { entries: [text], source: "command" } };
}

export const ARCHIVED: readonly GoalFact[] = [
  { type: "archive.started", data: { source: "/runtime/goals/g", target: "/runtime/archived-goals/g" } },
  { type: "archive.done", data: { target: "/runtime/archived-goals/g" } },
];

export function request(id: GoalId, extra: Partial<LoadRequest> = {}): LoadRequest {
  return { goal_id: id, todos: "all", base: "text", ...extra };
}

/** The change that `facts` make to what was loaded. */
export function changeBy(loaded: LoadedGoal, facts: readonly GoalFact[], extra: Partial<GoalChange> = {}): GoalChange {
  const draft = draftOf(loaded.goal_id, loaded);
  append(draft, facts, { at: at(loaded.head?.seq ?? 0) });
  if (draft.head === null) throw new Error("the goal was never opened");
  const touched = [...draft.touched];
  return {
    goal_id: loaded.goal_id,
    events: draft.events,
    head: draft.head,
    todos_put: touched.flatMap((id) => draft.todos.get(id) ?? []),
    todos_removed: touched.filter((id) => !draft.todos.has(id)),
    ...extra,
  };
}

/** Loads one goal and records `facts` in one transaction; answers the position. */
export async function record(
  store: Store,
  id: GoalId,
  facts: readonly GoalFact[],
  extra: Partial<GoalChange> = {},
): Promise<string | null> {
  const { pos } = await store.transact([request(id)], ([loaded]) => {
    if (loaded === undefined) throw new Error("nothing was loaded");
    return { answer: null, changes: [changeBy(loaded, facts, extra)] };
  });
  return pos;
}

export function base(text: string, fields: Partial<PlanBase> = {}): PlanBase {
  return { text, ids: [], fingerprint: `fp-${text.length}`, accepted_at: at(0), rendered_seq: 0, sighting: null, ...fields };
}

/** Row `number` of a foreign index, 100 bytes a line; its time is `minute`, none when null. */
export function foreignRow(number: number, minute: number | null, extra: RunRow = {}): ForeignRow {
  const time = minute === null ? null : at(minute);
  const row: RunRow = {
    generated_at: time ?? "not a time",
    goal_id: "g",
    classification: "progress",
    json_path: `/runs/${number}.json`,
    ...extra,
  };
  return { identity: runIdentity(row), position: number * 100, line: number + 1, at: time, row };
}

export function checkpoint(lines: number, extra: Partial<ForeignCheckpoint> = {}): ForeignCheckpoint {
  return {
    fingerprint: `file-${lines}`,
    offset: lines * 100,
    lines,
    tail_sha256: `tail-${lines}`,
    raw_records: lines,
    damage: [],
    damage_count: 0,
    first_own_line: null,
    foreign_after_own: null,
    ...extra,
  };
}

export function viewEntry(id: string, fields: Partial<ViewEntry> = {}): ViewEntry {
  return {
    goal_id: goalId(id),
    key: `key-${id}`,
    checked_at: at(0),
    view: JSON.stringify({ goal_id: id }),
    rank: null,
    run_count: 0,
    open_todos: 0,
    waiting_todos: 0,
    stopped: 0,
    next_change_at: null,
    ...fields,
  };
}
