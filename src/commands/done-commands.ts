/**
 * What the transaction of `done` judges: the todo as it stands then, against what was verified before.
 *
 * D1  The checks run before the transaction; it compares what they ran on with what stands: the todo's checks, the tree, the
 *     lease's number. What moved meanwhile is refused, or run again. Who may not finish it is told that, whatever the checks say.
 * D3  A todo that is closed already is an answer, not a failure, unless the number of a lease that was over by then is named.
 * D4  A turn that uses up the window of its goal leaves the question of what to do about it, in the same transaction.
 */
import type { TodoRecord } from "../core/events.ts";
import type { GoalCommand } from "../core/goal/command.ts";
import type { GoalDraft } from "../core/goal/draft.ts";
import { finishFlaw } from "../core/goal/fence.ts";
import { type Finish, finishCommands, verifiedFlaw } from "../core/goal/finish.ts";
import type { GoalHead } from "../core/goal/head.ts";
import { askingAtCap } from "../core/goal/quota-gate.ts";
import { needsOf } from "../core/goal/todo-traits.ts";
import type { TodoId } from "../core/id.ts";
import { type Window, windowOf } from "../core/quota/law.ts";
import { openTodoBar } from "../core/quota/limits.ts";
import { NOTHING_USED } from "../core/quota/room.ts";
import { settingsOf } from "../core/quota/settings-of.ts";
import type { BadInput, Refusal } from "../core/result.ts";
import type { Finishing } from "./done-asked.ts";
import { unknownTodo } from "./unknown-todo.ts";
import { checksOf, type Verified } from "./verify-todo.ts";
import type { WriteMaterial } from "./write-goal.ts";

export interface Outcome {
  /** The todo declares other checks by now. */
  moved: boolean;
}

export interface Attempt {
  readonly todo_id: TodoId;
  readonly verified: Verified;
  readonly outcome: Outcome;
}

export interface Judging extends Attempt {
  readonly draft: GoalDraft;
  readonly material: WriteMaterial;
}

export function doneCommands(finishing: Finishing, judging: Judging): readonly GoalCommand[] | Refusal | BadInput {
  const { goal } = finishing.registered;
  const todo = judging.draft.todos.get(judging.todo_id);
  const { head } = judging.draft;
  if (todo === undefined || head === null) return unknownTodo(goal.goal_id, judging.todo_id);
  const late = finishFlaw(head, todo, { fence: fenceOf(finishing), now: judging.material.at }); // (D1, D3)
  if (late !== null) return late;
  if (todo.status === "done") return []; // (D3)
  const quota = settingsOf(goal);
  if (quota.kind === "refusal") return quota;
  judging.outcome.moved = judging.verified.checks !== checksOf(todo); // (D1)
  if (judging.outcome.moved) return [];
  const bar =
    verifiedFlaw(todo, judging.verified.declared, judging.verified.evidence) ??
    roomFlaw(finishing, { open: head.todo_counts.open, limits: quota.settings.limits });
  return bar ?? finishingCommands(finishing, { ...judging, todo, head, window: windowOf(quota.settings) });
}

function roomFlaw(
  { registered, successors }: Finishing,
  { open, limits }: { readonly open: number; readonly limits: Parameters<typeof openTodoBar>[0]["limits"] },
): Refusal | null {
  if (successors.length === 0) return null;
  return openTodoBar({ goal_id: registered.goal.goal_id, limits }, open - 1 + successors.length);
}

function finishingCommands(
  finishing: Finishing,
  {
    todo,
    head,
    window,
    material,
    verified,
    draft,
  }: Judging & { readonly todo: TodoRecord; readonly head: GoalHead; readonly window: Window },
): readonly GoalCommand[] {
  const { agent, turn, request, successors, gate_id } = finishing;
  const finished = {
    todo,
    agent_id: agent,
    turn_id: turn,
    summary: request.summary ?? "",
    successors,
    ...continuationFor(finishing, { todo, draft }),
    evidence: verified.evidence,
    observation: verified.observation,
    used: { slots: request.slots ?? 1, tokens: request.tokens ?? 0, wall_ms: request.wallMs ?? 0 },
    fence: fenceOf(finishing),
  };
  const use = material.spend ?? NOTHING_USED;
  const { at: now, frontier } = material;
  const commands = finishCommands(finished, { head, now, caps: window.caps, spent: use.units });
  const cap = { head, window, use, gates: frontier.gates, now, gate_id };
  return [{ kind: "clamp-leases" }, ...askingAtCap(commands, cap)]; // (D4)
}

/** (E4 of `core/host/turn-ending.ts`) */
function continuationFor(
  { request, successors, unsaid }: Finishing,
  { todo, draft }: { readonly todo: TodoRecord; readonly draft: GoalDraft },
): Pick<Finish, "followed_by" | "no_follow_up"> {
  const said = request.noFollowUp ? (request.reason ?? "") : null;
  if (unsaid === undefined || said !== null || successors.length > 0) return { no_follow_up: said };
  const followed_by = [...draft.todos.values()].filter(
    (other) => other.status !== "done" && needsOf(other).includes(todo.todo_id),
  );
  if (followed_by.length > 0) return { followed_by: followed_by.map(({ todo_id }) => todo_id), no_follow_up: null };
  return { no_follow_up: `Nothing in the plan waits for it: ${request.summary ?? ""}` };
}

export function fenceOf({ agent, turn, request }: Finishing): Parameters<typeof finishCommands>[0]["fence"] {
  return { agent_id: agent, turn_id: turn, epoch: request.leaseEpoch, key: request.leaseKey, version: request.leaseVersion };
}
