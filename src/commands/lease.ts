/**
 * Renews, hands over and gives back the lease of a todo.
 *
 * Does not own: what happens to a lease (`core/goal/lease.ts`), who may change it (`core/goal/lease-proof.ts`), taking one
 * (`claim.ts`).
 *
 * L1  A renewal runs from now, however long was left.
 * L2  The same request about the same lease is carried out once: again, it is answered and changes nothing. A renewal that
 *     names no version is a new one each time.
 * L3  A lease is handed over to an agent of the goal, under another key than the one it had.
 */

import type { Lease } from "../core/events.ts";
import { agentOf, required } from "../core/goal/actor.ts";
import type { GoalCommand } from "../core/goal/command.ts";
import { type Fence, leaseKey, leaseOf } from "../core/goal/fence.ts";
import type { GoalHead } from "../core/goal/head.ts";
import { type LeaseProof, provenFence } from "../core/goal/lease-proof.ts";
import type { AgentId, TodoId, TurnId } from "../core/id.ts";
import { type BadInput, done, type Refusal, type Reply, refuse } from "../core/result.ts";
import { type LeasePayload, leasePayload } from "../core/show/lease.ts";
import { actingOn } from "./acting.ts";
import type { LeaseChangeRequest, LeaseRenewRequest, LeaseTransferRequest } from "./app.ts";
import { todoIdFrom, ttlFrom, turnIdFrom } from "./asked-lease.ts";
import { standingGoal } from "./decide-in-write.ts";
import { nowFor } from "./goal-clock.ts";
import type { RegisteredGoal, RegistryRows } from "./registry-rows.ts";
import { showWrite } from "./show-write.ts";
import type { WritingWorkspace } from "./workspace.ts";
import { type WriteAnswer, writeGoal } from "./write-goal.ts";

export async function leaseRenew(workspace: WritingWorkspace, request: LeaseRenewRequest): Promise<Reply<LeasePayload>> {
  const ttl = request.ttlSeconds === null ? done(null) : ttlFrom(request.ttlSeconds);
  if (ttl.kind !== "done") return ttl;
  return await changeLease(workspace, request, () => ({
    name: "renew",
    proves: "lease.renewed",
    key: request.key,
    once: request.expectedVersion === null ? null : String(ttl.value), // (L2)
    command: ({ todo_id, fence }) => ({ kind: "renew-lease", todo_id, ttl_ms: ttl.value, fence }), // (L1)
  }));
}

export async function leaseRelease(workspace: WritingWorkspace, request: LeaseChangeRequest): Promise<Reply<LeasePayload>> {
  return await changeLease(workspace, request, () => ({
    name: "release",
    proves: "lease.freed",
    key: request.key,
    once: "",
    command: ({ todo_id, fence }) => ({ kind: "free-lease", todo_id, reason: "released", fence }),
  }));
}

export async function leaseTransfer(workspace: WritingWorkspace, request: LeaseTransferRequest): Promise<Reply<LeasePayload>> {
  const { key } = request;
  return await changeLease(workspace, request, ({ goal }) => {
    const to = agentOf(goal, request.to); // (L3)
    if (to.kind !== "done") return to;
    const agent = to.value;
    if (agent === null) return required(goal);
    return {
      name: "transfer",
      proves: "lease.moved",
      key: "owner",
      once: JSON.stringify([agent, key]),
      command: ({ todo_id, fence, head }) =>
        keyReused(head, todo_id, key) ?? { kind: "move-lease", todo_id, to: agent, key, fence },
    };
  });
}

/** (L3) */
function keyReused(head: GoalHead, todo_id: TodoId, key: string | null): Refusal | null {
  const lease = leaseOf(head, todo_id);
  if (lease === null || key === null || leaseKey(head.goal_id, lease) !== key) return null;
  return refuse("idempotency_key_reuse", `The lease of ${todo_id} has that key already; the next owner's is another.`, {
    details: { todo_id, holder: lease.owner, key },
  });
}

interface Verb {
  readonly name: "renew" | "transfer" | "release";
  readonly proves: "lease.renewed" | "lease.moved" | "lease.freed";
  readonly key: LeaseProof["key"];
  /** What tells two requests about one lease apart; null: each is a new one. */
  readonly once: string | null;
  readonly command: (on: { readonly todo_id: TodoId; readonly fence: Fence; readonly head: GoalHead }) => GoalCommand | Refusal;
}

interface Change {
  readonly rows: RegistryRows;
  readonly registered: RegisteredGoal;
  readonly agent: AgentId;
  readonly todo_id: TodoId;
  readonly turn: TurnId | null;
  readonly request: LeaseChangeRequest;
  readonly verb: Verb;
}

async function changeLease(
  workspace: WritingWorkspace,
  request: LeaseChangeRequest,
  verbOf: (registered: RegisteredGoal) => Verb | Refusal | BadInput,
): Promise<Reply<LeasePayload>> {
  const acting = await actingOn(workspace, request, "write");
  if (acting.kind !== "done") return acting;
  const { rows, registered, agent } = acting.value;
  if (agent === null) return required(registered.goal);
  const todo = todoIdFrom(request.todoId);
  if (todo.kind !== "done") return todo;
  const turn = turnIdFrom(request.turnInstanceId);
  if (turn.kind !== "done") return turn;
  const verb = verbOf(registered);
  if ("kind" in verb) return verb;
  return await carryOut(workspace, { rows, registered, agent, todo_id: todo.value, turn: turn.value, request, verb });
}

async function carryOut(workspace: WritingWorkspace, change: Change): Promise<Reply<LeasePayload>> {
  const { rows, registered, agent, todo_id, turn, request, verb } = change;
  const proof: LeaseProof = {
    agent_id: agent,
    turn_id: turn,
    epoch: request.leaseEpoch,
    key: verb.key,
    version: request.expectedVersion,
  };
  const key = onceKey(change);
  let before: Lease | null = null;
  const written = await writeGoal(workspace, rows, {
    ...(await standingGoal(workspace, rows, registered)),
    actor: { agent_id: agent, ...(turn !== null && { turn_id: turn }) },
    todos: [todo_id],
    rehearse: request.dryRun ? "rehearse" : "store",
    ...(key !== null && { idempotency: { key, fingerprint: workspace.digest.sha256(key), proves: verb.proves } }),
    commands: ({ head }, _state, { at }) => {
      if (head === null) return [];
      before = leaseOf(head, todo_id);
      const fence = provenFence(head, { todo_id, proof, now: at });
      if ("kind" in fence) return fence;
      const command = verb.command({ todo_id, fence, head });
      return command.kind === "refusal" ? command : [command];
    },
  });
  return await answer(workspace, change, { written, before });
}

/** (L2) */
function onceKey({ agent, todo_id, request, verb }: Change): string | null {
  const { leaseEpoch, expectedVersion } = request;
  if (verb.once === null || (leaseEpoch === null && expectedVersion === null)) return null;
  return `lease ${verb.name} ${JSON.stringify([todo_id, agent, leaseEpoch, verb.key, expectedVersion, verb.once])}`;
}

async function answer(
  workspace: WritingWorkspace,
  change: Change,
  { written, before }: { readonly written: WriteAnswer; readonly before: Lease | null },
): Promise<Reply<LeasePayload>> {
  if (written.kind === "refusal" || written.kind === "bad_input") return written;
  const { rows, registered, todo_id, request, verb } = change;
  const { goal_id } = registered.goal;
  const about = { goal_id, todo_id, dry_run: request.dryRun };
  if (written.kind === "replayed") {
    const { head } = await workspace.store.load({ goal_id, todos: "none", base: "none" });
    const lease = head === null ? null : leaseOf(head, todo_id);
    const now = nowFor(head, workspace.clock.now());
    return done(leasePayload({ ...about, lease, released: false, idempotent: true, changed: false, now, warnings: [] }));
  }
  const { draft, base, at: now } = written;
  const changed = draft.events.some(({ type }) => type === verb.proves);
  const subject = { goal_id, registered };
  const shown =
    draft.events.length > 0 && !request.dryRun
      ? await showWrite(workspace, rows, { subject, events: draft.events, head: draft.head, base })
      : null;
  const released = verb.name === "release" && changed;
  const lease = released || draft.head === null ? before : leaseOf(draft.head, todo_id);
  return done(leasePayload({ ...about, lease, released, idempotent: !changed, changed, now, warnings: shown?.warnings ?? [] }));
}
