/**
 * What a todo is for the decision, read from its record: kind, owner, what it needs, when it is due.
 *
 * Does not own: how the metadata is written in the state file (`core/plan/metadata.ts`), whether the todo may be done now
 * (`core/next`).
 *
 * T1  A value that cannot be understood counts as if it were not there; `metadata_not_understood` reports it elsewhere.
 * T2  Nothing is concluded from the words of a todo's text.
 */
import type { TodoRecord } from "../events.ts";
import { type AgentId, parseAgentId, parseTodoId, type TodoId } from "../id.ts";
import { addMilliseconds, type Instant, parseInstant } from "../instant.ts";

export type TodoKind = "work" | "monitor" | "blocker" | "gate" | "action";

type Metadata = TodoRecord["metadata"];
export type TraitSource = Pick<TodoRecord, "role" | "task_class" | "metadata">;

const MONITORING: ReadonlySet<string> = new Set(["monitor", "observe", "poll", "watch", "external_evidence"]);

export function kindOf({ role, task_class, metadata }: TraitSource): TodoKind {
  if (role === "user") return task_class === "user_gate" ? "gate" : "action";
  if (task_class === "continuous_monitor") return "monitor";
  if (task_class === "blocker") return "blocker";
  return task_class === null && MONITORING.has(metadata["action_kind"] ?? "") ? "monitor" : "work";
}

/** Who claimed it, in the state file or by a lease. */
export function ownerOf({ metadata }: Pick<TodoRecord, "metadata">): AgentId | null {
  return agent(metadata["claimed_by"]);
}

export function excludedFrom({ metadata }: Pick<TodoRecord, "metadata">): readonly AgentId[] {
  return words(metadata["excluded_agents"]).flatMap((word) => agent(word) ?? []);
}

/** Todos of this goal that must be done first, in the order they are named. */
export function needsOf({ metadata }: Pick<TodoRecord, "metadata">): readonly TodoId[] {
  const named = words(metadata["depends_on"]);
  const wake = wakeOf({ metadata });
  const ids = [...named, ...(wake?.kind === "todo_done" ? [wake.todo_id] : [])];
  return [...new Set(ids.flatMap((id) => parseTodoId(id) ?? []))];
}

/** Todos that a gate names. */
export function coversByName(todo: TraitSource): readonly TodoId[] {
  return kindOf(todo) === "gate" ? words(todo.metadata["unblocks_todo_id"]).flatMap((id) => parseTodoId(id) ?? []) : [];
}

export type GateScope =
  | { readonly kind: "todos" }
  | { readonly kind: "agents"; readonly agents: readonly AgentId[] }
  | { readonly kind: "decision"; readonly scope: string }
  | { readonly kind: "goal" };

/** From narrow to wide (decision-plane 3). A gate that names nothing is about the whole goal. */
export function gateScopeOf({ metadata }: Pick<TodoRecord, "metadata">): GateScope {
  if (words(metadata["unblocks_todo_id"]).length > 0) return { kind: "todos" };
  const agents = words(metadata["blocks_agent"]).flatMap((word) => agent(word) ?? []);
  if (agents.length > 0) return { kind: "agents", agents };
  const scope = metadata["decision_scope"];
  return scope === undefined || metadata["global_gate"] === "true" ? { kind: "goal" } : { kind: "decision", scope };
}

export function decisionScopesOf({ metadata }: Pick<TodoRecord, "metadata">): readonly string[] {
  return words(metadata["required_decision_scopes"]);
}

export type Wake =
  | { readonly kind: "todo_done"; readonly todo_id: TodoId }
  | { readonly kind: "capacity_available"; readonly capability: string }
  | { readonly kind: "time"; readonly at: Instant }
  /** Only `poll` finds out: `pr_merged:…`, `command:…` and what this version does not know. */
  | { readonly kind: "polled"; readonly condition: string };

export function wakeOf({ metadata }: Pick<TodoRecord, "metadata">): Wake | null {
  const text = metadata["resume_when"];
  if (text === undefined || text === "") return null;
  const [word = "", ...rest] = text.split(":");
  const value = rest.join(":");
  const todo_id = word === "todo_done" ? parseTodoId(value) : null;
  if (todo_id !== null) return { kind: "todo_done", todo_id };
  if (word === "capacity_available" && value !== "") return { kind: "capacity_available", capability: capability(value) };
  const at = parseInstant(word === "at" || word === "time" ? value : text);
  return at === null ? { kind: "polled", condition: text } : { kind: "time", at };
}

/** When a monitor is next due, or the time that a todo waits for; null: no time holds it. */
export function dueAtOf(todo: TraitSource): Instant | null {
  if (kindOf(todo) === "monitor") return parseInstant(todo.metadata["next_due_at"]);
  const wake = wakeOf(todo);
  return wake?.kind === "time" ? wake.at : null;
}

export function expiresAtOf({ metadata }: Pick<TodoRecord, "metadata">): Instant | null {
  return parseInstant(metadata["expires_at"]);
}

/** What the agent must be able to do, without what every agent can. */
export function capabilitiesOf({ metadata }: Pick<TodoRecord, "metadata">): readonly string[] {
  return words(metadata["required_capabilities"]).map(capability);
}

/** Capabilities that this todo is there to bring about. */
export function targetCapabilitiesOf({ metadata }: Pick<TodoRecord, "metadata">): readonly string[] {
  return words(metadata["target_capabilities"]).map(capability);
}

export function writeScopesOf({ metadata }: Pick<TodoRecord, "metadata">): readonly string[] {
  return words(metadata["required_write_scopes"]);
}

const UNITS: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 };

/** `30m`, `2h`, `1d` in milliseconds. */
export function cadenceOf({ metadata }: Pick<TodoRecord, "metadata">): number | null {
  const match = /^(\d{1,6})([smhdw])$/.exec(metadata["cadence"] ?? "");
  const unit = UNITS[match?.[2] ?? ""];
  const count = Number(match?.[1] ?? "0");
  return unit === undefined || count === 0 ? null : count * unit;
}

/** How often in a row a monitor saw what it had seen before. */
export function unchangedOf({ metadata }: Pick<TodoRecord, "metadata">): number {
  const text = metadata["consecutive_no_change"] ?? "";
  return /^\d{1,9}$/.test(text) ? Number(text) : 0;
}

/** One cadence after `now`, half an hour where there is none. */
export function nextDue(now: Instant, cadence: number | null): Instant {
  return addMilliseconds(now, cadence ?? DEFAULT_CADENCE_MS);
}

const DEFAULT_CADENCE_MS = 30 * 60_000;

/** How often a person is asked the same again, in milliseconds. */
export function remindsEvery(todo: Pick<TodoRecord, "metadata">): number {
  return cadenceOf(todo) ?? DEFAULT_REMINDER_MS;
}

const DEFAULT_REMINDER_MS = 4 * 60 * 60_000;

/** Was it said at its closing what comes next, or why nothing does? */
export function namesContinuation(metadata: Metadata): boolean {
  return (
    ["successor_todo_ids", "superseded_by"].some((key) => (metadata[key] ?? "") !== "") || metadata["no_followup"] === "true"
  );
}

/** Comma-separated lists of the metadata. */
function words(text: string | undefined): readonly string[] {
  return text === undefined
    ? []
    : text
        .split(",")
        .map((word) => word.trim())
        .filter((word) => word !== "");
}

function agent(text: string | undefined): AgentId | null {
  return text === undefined ? null : parseAgentId(text);
}

function capability(text: string): string {
  return text.toLowerCase().replaceAll("-", "_");
}
