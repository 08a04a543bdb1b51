/**
 * What a goal needs attention for: at most one item a goal, the most pressing of everything that could be said.
 *
 * Does not own: the order of the queue (`rank.ts`), what drifts (`core/drift`), whether an agent may act (`core/next`).
 *
 * Q1  The item of a goal is the one that would stand first in the queue; of equals, the first of the list below.
 * Q2  `waiting_on` has the reference's words. `controller` and `user_or_controller` are people, all others are not: a goal waits for a person
 *     exactly when it is one of these two.
 * Q3  Stopped and archived goals are in no queue.
 * Q4  An item that prose alone gave rise to (`waiting_without_user_todo`) never waits for a person.
 * Q5  What the registry entry says the goal waits for stands in the place of the work that an agent could take up.
 */
import { loopxCommand } from "../command-line.ts";
import type { Drift, DriftKind, Fix } from "../drift/drift.ts";
import { goalCommand } from "../drift/drift.ts";
import type { Instant } from "../instant.ts";
import { activityOf, lastActivityOf, standingSince } from "./now.ts";
import type { AttentionRank, Severity } from "./rank.ts";
import { compareRanks } from "./rank.ts";
import type { GoalView, ShownTodo } from "./view.ts";

export type WaitingOn = "user_or_controller" | "controller" | "codex" | "external_evidence" | "monitor_signal";

export interface AttentionItem {
  readonly goal_id: string;
  /** Why it is here: a word of the reference, or the kind of a drift. */
  readonly status: string;
  readonly waiting_on: WaitingOn;
  readonly severity: Severity;
  readonly recommended_action: string;
  readonly since: Instant;
  readonly fix: Fix;
}

/** Drift that people have to settle; agents deal with every other kind. */
const FOR_PEOPLE: ReadonlyMap<DriftKind, WaitingOn> = new Map<DriftKind, WaitingOn>([
  ["state_file_unreadable", "user_or_controller"],
  ["state_file_missing", "user_or_controller"],
  ["activation_invalid", "user_or_controller"],
  ["clock_stepped", "user_or_controller"],
  ["moved_root", "user_or_controller"],
  ["runtime_goal_not_registered", "controller"],
  ["plan_conflict", "user_or_controller"],
  ["state_file_shrunk", "user_or_controller"],
  ["heading_missing", "user_or_controller"],
  ["state_file_shared", "user_or_controller"],
  ["claimed_by_unregistered_agent", "user_or_controller"],
]);

/** The reference's word, where it has one. */
const STATUS: Readonly<Partial<Record<DriftKind, string>>> = {
  runtime_goal_not_registered: "unregistered_runtime_goal",
  artifacts_missing: "run_artifact_missing",
};

/** Q1, Q3. Null: a goal that needs nobody. */
export function attentionOf(
  view: GoalView,
  { drift, now }: { readonly drift: readonly Drift[]; readonly now: Instant },
): AttentionItem | null {
  if (activityOf(view) !== "running") return null;
  const candidates = [
    ...drift.filter((entry) => entry.severity !== "info").map(ofDrift),
    ...ofUserTodos(view),
    ...(ofDeclaredWait(view) ?? ofAgentWork(view, now)),
  ];
  return candidates.reduce<AttentionItem | null>(
    (first, next) => (first === null || pressesMore(next, first) ? next : first),
    null,
  );
}

export function rankOf(item: AttentionItem): AttentionRank {
  const { goal_id, severity, since } = item;
  return { waits_for_person: waitsForPerson(item), severity, since, goal_id };
}

/** Q2. */
export function waitsForPerson({ waiting_on }: Pick<AttentionItem, "waiting_on">): boolean {
  return waiting_on === "controller" || waiting_on === "user_or_controller";
}

/** Age is no reason between two items of one goal. */
function pressesMore(a: AttentionItem, b: AttentionItem): boolean {
  return compareRanks(rankOf(a), { ...rankOf(b), since: a.since }) < 0;
}

function ofDrift(entry: Drift): AttentionItem {
  const { goal_id, kind, severity, since, fix } = entry;
  return {
    goal_id,
    status: STATUS[kind] ?? kind,
    waiting_on: FOR_PEOPLE.get(kind) ?? "codex", // (Q4)
    severity,
    recommended_action: "person" in fix ? fix.person : `run \`${fix.command}\``,
    since,
    fix,
  };
}

/** A gate holds agents up, so it comes before what a person merely does some time. */
function ofUserTodos(view: GoalView): readonly AttentionItem[] {
  const todos = view.open_user_todos;
  const first = todos.find((todo) => todo.task_class === "user_gate") ?? todos[0];
  if (first === undefined) return [];
  return [
    {
      goal_id: view.goal_id,
      status: first.task_class === "user_gate" ? "active_state_user_gate" : "active_state_user_todo",
      waiting_on: "controller",
      severity: todos.every((todo) => todo.task_class === "user_action") ? "watch" : "action",
      recommended_action: first.text,
      since: first.since ?? standingSince(view),
      fix: { person: howToAnswer(view, first) },
    },
  ];
}

/** Only a person may: these commands are named and never run for them. */
function howToAnswer({ goal_id, state_file }: GoalView, { todo_id, task_class }: ShownTodo): string {
  const about = ["--goal-id", goal_id];
  if (task_class === "user_gate") {
    const [approve, reject] = [
      loopxCommand("gate", "approve", todo_id, ...about),
      loopxCommand("gate", "reject", todo_id, ...about),
    ];
    return `decide: \`${approve}\` or \`${reject}\``;
  }
  const where = state_file.kind === "read" ? ` in ${state_file.path}` : "";
  return `do it, then \`${loopxCommand("todo", "complete", todo_id, ...about)}\`, or tick it off${where}`;
}

const WAITS: ReadonlySet<string> = new Set<WaitingOn>([
  "user_or_controller",
  "controller",
  "codex",
  "external_evidence",
  "monitor_signal",
]);

/** (Q5) Null where the registry says nothing that can be understood. */
function ofDeclaredWait(view: GoalView): readonly AttentionItem[] | null {
  const declared = view.declared_wait;
  if (declared === undefined || !isWait(declared.waiting_on)) return null;
  const item = {
    goal_id: view.goal_id,
    status: declared.status ?? "declared_wait",
    waiting_on: declared.waiting_on,
    severity: declared.waiting_on === "external_evidence" || declared.waiting_on === "monitor_signal" ? "watch" : "action",
    recommended_action: declared.action ?? view.next_action?.entries[0] ?? "see what the registry says of this goal",
    since: view.registry_changed_at ?? standingSince(view),
    fix: { person: "take `waiting_on` out of the goal's registry entry once that is settled" },
  } as const;
  return [item];
}

function isWait(word: string): word is WaitingOn {
  return WAITS.has(word);
}

/** A goal that is only planned waits for whoever decides about it, until its first run (data-plane 10). */
function firstRunWaitsOn({ adapter }: GoalView): WaitingOn {
  if (adapter?.status !== "planned") return "codex";
  return adapter.kind?.endsWith("_read_only_map_v0") === true ? "user_or_controller" : "controller";
}

/** Work that an agent can take up, the goal that was left longest first. */
function ofAgentWork(view: GoalView, now: Instant): readonly AttentionItem[] {
  const action = nextWork(view);
  if (action === null) return [];
  return [
    {
      goal_id: view.goal_id,
      ...(view.runs.count === 0 ? withoutRun(view) : { status: "active_state_agent_todo", waiting_on: "codex" as const }),
      severity: "action",
      recommended_action: action,
      since: lastActivityOf(view, now) ?? standingSince(view),
      fix: { command: goalCommand(view, "goal show"), safe: true },
    },
  ];
}

function withoutRun(view: GoalView): Pick<AttentionItem, "status" | "waiting_on"> {
  const waiting_on = firstRunWaitsOn(view);
  return { status: waiting_on === "codex" ? "connected_without_run" : "planned", waiting_on };
}

/** Null when no agent todo is open and there is no first run to make. */
function nextWork(view: GoalView): string | null {
  const todo: ShownTodo | undefined = view.open_agent_todos[0];
  const declared = view.next_action?.entries[0];
  if (todo !== undefined) return declared ?? todo.text;
  return view.runs.count === 0 ? (declared ?? null) : null;
}
