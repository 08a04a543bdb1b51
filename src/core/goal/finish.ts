/**
 * What a finished todo leads to, as commands of one transaction: evidence, the written turn, its closing with what comes
 * next, and what it cost.
 *
 * Does not own: running the checks (`commands/run-checks.ts`), whether the quota is set (`core/registry/quota.ts`).
 *
 * F1  Finished means verified: without passing evidence for every check the todo declares, made on the tree that stands,
 *     nothing is closed.
 * F2  What was used beyond the room that is left is not spent: the law of the quota holds, and the rest is told as `over`.
 * F3  Work that was under way when the goal was stopped is finished like any other, but for the run: a stopped goal records none.
 */
import type { Continuation, Evidence, Lease, TodoRecord, Units } from "../events.ts";
import type { AgentId, TodoId, TurnId } from "../id.ts";
import { type Instant, toRunTime } from "../instant.ts";
import { beyondReserved, type Caps } from "../quota/law.ts";
import { type Refusal, refuse } from "../result.ts";
import type { GoalCommand } from "./command.ts";
import { type Fence, leaseOf } from "./fence.ts";
import type { GoalHead } from "./head.ts";
import { newTodo } from "./new-todo.ts";
import type { SpendCommand } from "./turn.ts";

export interface Finish {
  readonly todo: TodoRecord;
  readonly agent_id: AgentId | null;
  readonly turn_id: TurnId | null;
  readonly summary: string;
  /** New todos with the ids they get. */
  readonly successors: readonly { readonly todo_id: TodoId; readonly text: string }[];
  /** Todos of the plan that wait for it, where they are what follows. */
  readonly followed_by?: readonly TodoId[];
  /** Why nothing follows; null when something does, or nothing was said. */
  readonly no_follow_up: string | null;
  readonly evidence: readonly Evidence[];
  /** Digest of what was seen: equal digests are no progress. */
  readonly observation: string;
  readonly used: Units;
  readonly fence: Fence;
}

export interface FinishState {
  readonly head: GoalHead;
  readonly now: Instant;
  readonly caps: Caps;
  readonly spent: Units;
}

/** (F1) Checks are told apart by what they run. */
export function verifiedFlaw(
  todo: TodoRecord,
  declared: readonly { readonly label: string; readonly argv: readonly string[] }[],
  evidence: readonly Evidence[],
): Refusal | null {
  for (const check of declared) {
    const made = evidence.find(({ argv }) => JSON.stringify(argv) === JSON.stringify(check.argv));
    if (made?.outcome === "passed") continue;
    const why =
      made === undefined
        ? "was not run"
        : made.outcome === "failed"
          ? `ended with exit status ${made.exit_code ?? "unknown"}`
          : made.outcome.replace("_", " ");
    return refuse("checks_failed", `${todo.todo_id} is not done: the check "${check.label}" ${why}.`, {
      details: {
        todo_id: todo.todo_id,
        check: check.label,
        outcome: made?.outcome ?? "not_run",
        exit_code: made?.exit_code ?? null,
      },
      fix: `loopx verify ${todo.todo_id}`,
    });
  }
  return null;
}

export function finishCommands(finish: Finish, state: FinishState): readonly GoalCommand[] {
  const { todo, turn_id, agent_id, successors, evidence, fence, summary, observation, used } = finish;
  const first = state.head.seq + 1;
  const own = leaseOf(state.head, todo.todo_id);
  return [
    ...evidence.map((made) => ({ kind: "record-evidence", evidence: made }) as const),
    {
      kind: "write-turn",
      turn: {
        ...(turn_id !== null && { turn_id }),
        todo_id: todo.todo_id,
        outcome: "completed",
        summary,
        observation,
        evidence: evidence.map((_made, at) => first + at),
      },
    },
    ...(state.head.lifecycle.kind === "stopped" ? [] : [laneRun(finish)]), // (F3)
    ...successors.map((next, at) => addition(finish, { next, head: state.head, at })),
    {
      kind: "close-todo",
      todo_id: todo.todo_id,
      outcome: "done",
      next: continuationOf(finish),
      fields: { status: "done", metadata: closedMetadata(finish, state.now) },
      fence,
    },
    { kind: "spend", turn_id, agent_id, todo_id: todo.todo_id, ...affordable({ used, own }, state), source: "done" },
  ];
}

/** The run that it leaves in the goal's history: of the agent's lane, so that it says nothing about the goal's Next Action. */
function laneRun({ todo, turn_id, summary, successors }: Finish): GoalCommand {
  const next = successors[0]?.text ?? null;
  return {
    kind: "record-run",
    run: {
      classification: "todo_completed",
      recommended_action: next ?? (summary === "" ? todo.text : summary),
      recommended_action_source: next === null ? "todo_summary" : "successor_todo",
      health_check: "ok",
      progress_scope: "agent_lane",
      delivery_outcome: "outcome_progress",
      todo_id: todo.todo_id,
      ...(turn_id !== null && { turn_instance_id: turn_id }),
      state: null,
    },
  };
}

interface Addition {
  readonly next: Finish["successors"][number];
  readonly head: GoalHead;
  readonly at: number;
}

/** The work goes on where it was: with the priority of the todo, unless the text has its own. */
function addition({ todo }: Finish, { next, head, at }: Addition): GoalCommand {
  const priority = /^\[[pP][0-4]\]/.test(next.text) ? null : todo.priority;
  const words = { todo_id: next.todo_id, role: "agent", text: next.text, priority, status: "open", metadata: {} } as const;
  return { kind: "add-todo", todo: newTodo(words, head, at) };
}

function continuationOf(finish: Finish): Continuation {
  const { no_follow_up } = finish;
  const todo_ids = following(finish);
  if (todo_ids.length > 0) return { kind: "successors", todo_ids };
  return no_follow_up === null ? { kind: "open" } : { kind: "none", reason: no_follow_up };
}

function following({ successors, followed_by = [] }: Finish): readonly TodoId[] {
  return [...successors.map(({ todo_id }) => todo_id), ...followed_by];
}

function closedMetadata(finish: Finish, now: Instant): TodoRecord["metadata"] {
  const { todo, no_follow_up, summary, turn_id } = finish;
  const next = following(finish);
  return {
    ...todo.metadata,
    completed_at: toRunTime(now),
    ...(summary !== "" && { note: summary }),
    ...(turn_id !== null && { completion_turn_key: turn_id }),
    ...(next.length > 0 && { successor_todo_ids: next.join(",") }),
    ...(no_follow_up !== null && { no_followup: "true", reason: no_follow_up }),
  };
}

/** (F2) `own` is the lease that the turn ends. */
export function affordable(
  { used, own }: { readonly used: Units; readonly own: Lease | null },
  { head, now, caps, spent }: FinishState,
): Pick<SpendCommand, "units" | "over"> {
  const others = Object.values(head.leases).filter((lease) => lease !== own && lease.expires_at > now);
  const roomFor = (unit: keyof Units): number => {
    const cap = caps[unit];
    if (cap === null) return used[unit];
    const reserved = others.reduce((sum, lease) => sum + lease.reserved[unit], 0);
    return Math.max(0, Math.min(used[unit], cap - spent[unit] - reserved));
  };
  const units = { slots: roomFor("slots"), tokens: roomFor("tokens"), wall_ms: roomFor("wall_ms") };
  const over = beyondReserved(units, used);
  return over.slots + over.tokens + over.wall_ms === 0 ? { units } : { units, over };
}
