/**
 * Stores what a turn came to that did not finish its todo: written, spent or charged, what it leaves behind, its lease given back. One
 * transaction.
 *
 * Does not own: what a turn leads to (`core/host/turn-ending.ts`), finishing (`done.ts`).
 *
 * W1  The same turn is written once: again, nothing is added.
 * W2  A turn whose lease another one has by now says nothing about the todo and changes nothing of it.
 * W3  What a turn used is counted within the room that is left; one that brought nothing takes no slot.
 * W4  A turn that uses up the window of its goal leaves the question of what to do about it, in the same transaction.
 */
import type { Evidence, Lease, TodoRecord, TurnOutcome } from "../core/events.ts";
import type { GoalCommand } from "../core/goal/command.ts";
import type { GoalDraft } from "../core/goal/draft.ts";
import { leaseOf } from "../core/goal/fence.ts";
import { affordable } from "../core/goal/finish.ts";
import type { GoalHead } from "../core/goal/head.ts";
import { newTodo } from "../core/goal/new-todo.ts";
import { askingAtCap } from "../core/goal/quota-gate.ts";
import type { SpendCommand } from "../core/goal/turn.ts";
import type { Ending } from "../core/host/turn-ending.ts";
import type { TurnEnd } from "../core/host/turn-record.ts";
import type { TurnUsage } from "../core/host/usage.ts";
import type { TodoId } from "../core/id.ts";
import { type Instant, toRunTime } from "../core/instant.ts";
import { type Window, windowOf } from "../core/quota/law.ts";
import { NOTHING_USED, type WindowUse } from "../core/quota/room.ts";
import { settingsOf } from "../core/quota/settings-of.ts";
import { decidingWrite } from "./decide-in-write.ts";
import { showWrite } from "./show-write.ts";
import type { TurnContext } from "./turn-context.ts";
import type { WritingWorkspace } from "./workspace.ts";
import { type WriteAnswer, type WriteMaterial, writeGoal } from "./write-goal.ts";

export interface EndingRequest {
  readonly ending: Ending;
  readonly epoch: number;
  readonly usage: TurnUsage;
  readonly evidence: readonly Evidence[];
  readonly observation: string;
  /** Digest of what was seen of a monitor; null for work. */
  readonly polled: string | null;
  /** The agent takes up nothing before. */
  readonly hold: { readonly until: Instant; readonly reason: string } | null;
}

export const OUTCOMES: Readonly<Record<TurnEnd, TurnOutcome>> = {
  completed: "completed",
  progress: "progress",
  repair: "repair",
  replan: "replan",
  ask: "ask",
  wait: "wait",
  failed: "failed",
  lease_lost: "failed",
  stopped: "wait",
};

export function settleKey(turnId: string): string {
  return `settle ${turnId}`;
}

export async function writeEnding(
  workspace: WritingWorkspace,
  context: TurnContext,
  request: EndingRequest,
): Promise<WriteAnswer> {
  const { rows, registered, agent, record } = context;
  const { goal_id, turn_id, todo_id } = record;
  const ids = { gate_id: workspace.ids.todoId(), question_id: workspace.ids.todoId() };
  const written = await writeGoal(workspace, rows, {
    ...(await decidingWrite(workspace, rows, { registered, agent, limit: 1 })),
    actor: { agent_id: agent, turn_id },
    todos: [todo_id],
    idempotency: { key: settleKey(turn_id), fingerprint: "settle", proves: "turn.written" }, // (W1)
    rehearse: "store",
    commands: (draft, _state, material) => endingCommands(context, request, { draft, material, ...ids }),
  });
  if (written.kind !== "written") return written;
  const { draft, base } = written;
  await showWrite(workspace, rows, { subject: { goal_id, registered }, events: draft.events, head: draft.head, base });
  return written;
}

/** Who ends which turn. */
export type EndingContext = Pick<TurnContext, "registered" | "agent"> & {
  readonly record: Pick<TurnContext["record"], "turn_id" | "todo_id">;
};

export interface EndingJudging {
  readonly draft: GoalDraft;
  readonly material: WriteMaterial;
  /** The id that a question about the quota gets, should there be one. */
  readonly gate_id: TodoId;
  /** The id that a question of the turn gets. */
  readonly question_id: TodoId;
}

export function endingCommands(context: EndingContext, request: EndingRequest, judging: EndingJudging): readonly GoalCommand[] {
  const { record } = context;
  const { draft, material, gate_id } = judging;
  const { head } = draft;
  if (head === null) return [];
  const todo = draft.todos.get(record.todo_id);
  const standing = leaseOf(head, record.todo_id);
  const lease = standing?.epoch === request.epoch ? standing : null;
  const own = lease === null ? null : (todo ?? null); // (W2)
  const quota = settingsOf(context.registered.goal);
  const window = quota.kind === "refusal" ? null : windowOf(quota.settings);
  const use = material.spend ?? NOTHING_USED;
  const used = usedOf(request, { head, lease, window, use, now: material.at });
  const commands: readonly GoalCommand[] = [
    { kind: "clamp-leases" },
    ...request.evidence.map((evidence) => ({ kind: "record-evidence", evidence }) as const),
    writing(context, request, { head, own }),
    ...spending(context, request, { own, used }),
    ...(own === null ? [] : leftBehind(context, request, { ...judging, head, own })),
    ...(request.hold !== null && head.lifecycle.kind === "active" ? [{ kind: "hold-agent", ...request.hold } as const] : []),
    ...(own === null
      ? []
      : [{ kind: "free-lease", todo_id: record.todo_id, reason: "released", fence: fenceOf(context, request) } as const]),
  ];
  if (window === null) return commands;
  return askingAtCap(commands, { head, window, use, gates: material.frontier.gates, now: material.at, gate_id }); // (W4)
}

function writing(
  { record }: EndingContext,
  { ending, evidence, observation }: EndingRequest,
  { head, own }: { readonly head: GoalHead; readonly own: TodoRecord | null },
): GoalCommand {
  const first = head.seq + 1;
  const turn = {
    turn_id: record.turn_id,
    todo_id: own === null || ending.about === "nobody" ? null : record.todo_id,
    outcome: OUTCOMES[ending.end],
    summary: ending.summary,
    observation,
    evidence: evidence.map((_made, at) => first + at),
  };
  return { kind: "write-turn", turn };
}

type Used = Pick<SpendCommand, "units" | "over">;

interface Room {
  readonly head: GoalHead;
  /** That the turn ends; null: another one has it by now. */
  readonly lease: Lease | null;
  /** Null: the quota cannot be read. */
  readonly window: Window | null;
  readonly use: WindowUse;
  readonly now: Instant;
}

/** W3. */
function usedOf({ ending, usage }: EndingRequest, { head, lease, window, use, now }: Room): Used {
  const slots = ending.spend === "turn" ? 1 : 0;
  const used = { slots, tokens: tokensOf(usage), wall_ms: ending.spend === "turn" ? usage.wall_ms : 0 };
  if (window === null) return { units: { ...used, slots: 0 } };
  return affordable({ used, own: lease }, { head, now, caps: window.caps, spent: use.units });
}

export function tokensOf({ input_tokens = 0, output_tokens = 0 }: TurnUsage): number {
  return input_tokens + output_tokens;
}

function spending(
  { record, agent }: EndingContext,
  { ending }: EndingRequest,
  { own, used }: { readonly own: TodoRecord | null; readonly used: Used },
): readonly GoalCommand[] {
  const { turn_id, todo_id } = record;
  if (own !== null && ending.spend === "turn")
    return [{ kind: "spend", turn_id, agent_id: agent, todo_id, ...used, source: "run" }];
  return used.units.tokens > 0 ? [{ kind: "charge-turn", turn_id, todo_id, units: used.units }] : [];
}

function leftBehind(
  context: EndingContext,
  request: EndingRequest,
  { head, own, question_id }: EndingJudging & { readonly head: GoalHead; readonly own: TodoRecord },
): readonly GoalCommand[] {
  const { ask, wait_until } = request.ending;
  const { todo_id } = own;
  const commands: GoalCommand[] = [];
  if (request.polled !== null && head.lifecycle.kind === "active")
    commands.push({ kind: "poll-monitor", todo_id, result_hash: request.polled, material_change: null });
  if (wait_until !== null && own.status === "open" && request.polled === null) {
    const metadata = { ...own.metadata, resume_when: `at:${toRunTime(wait_until)}` };
    commands.push({ kind: "change-todo", todo_id, fields: { metadata }, fence: fenceOf(context, request) });
  }
  if (ask !== null) commands.push({ kind: "add-todo", todo: question(own, { ask, head, question_id }) });
  return commands;
}

/** E3 of `turn-ending.ts`: a gate that holds up this todo alone, and lets it go on when it is approved. */
function question(
  { todo_id, priority }: TodoRecord,
  { ask, head, question_id }: { readonly ask: string; readonly head: GoalHead; readonly question_id: TodoId },
): TodoRecord {
  const metadata = { task_class: "user_gate", unblocks_todo_id: todo_id, on_reject: "reopen" };
  return newTodo({ todo_id: question_id, role: "user", text: ask, priority, status: "open", metadata }, head);
}

function fenceOf({ agent, record }: EndingContext, { epoch }: EndingRequest) {
  return { agent_id: agent, turn_id: record.turn_id, epoch, key: null, version: null };
}
