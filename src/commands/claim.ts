/**
 * Selects a todo for an agent and leases it, in one transaction.
 *
 * Does not own: the decision (`core/next`), what a lease is (`core/goal/lease.ts`), the law of the quota (`core/quota`).
 *
 * C1  Nothing to claim is an answer, not a failure: `todo` is null, and the decision says why.
 * C2  A todo that is asked for by name is leased or refused with the first thing that stands in the way.
 * C3  With the lease, one turn is set aside of the quota; what does not fit is not given out.
 * C4  The same turn id or key claims once: again, it gets the lease it got.
 * C5  What an agent holds already it gets again, with the number it has.
 */
import type { Lease, TodoRecord } from "../core/events.ts";
import { required } from "../core/goal/actor.ts";
import type { GoalCommand } from "../core/goal/command.ts";
import type { GoalDraft } from "../core/goal/draft.ts";
import { leaseOf } from "../core/goal/fence.ts";
import { writeScopesOf } from "../core/goal/todo-traits.ts";
import type { AgentId, TodoId, TurnId } from "../core/id.ts";
import type { Instant } from "../core/instant.ts";
import type { Decision, DecisionState } from "../core/next/decision.ts";
import { next as decide } from "../core/next/next.ts";
import { reservationFor } from "../core/next/quota-state.ts";
import { type WhyNot, whyNot } from "../core/next/why-not.ts";
import { windowOf } from "../core/quota/law.ts";
import { runningTaskBar } from "../core/quota/limits.ts";
import { settingsOf } from "../core/quota/settings-of.ts";
import { type BadInput, done, type Refusal, type Reply, refuse, reject } from "../core/result.ts";
import { type ClaimPayload, claimPayload } from "../core/show/claim.ts";
import { actingOn } from "./acting.ts";
import type { ClaimRequest } from "./app.ts";
import { todoIdFrom, ttlFrom, turnIdFrom } from "./asked-lease.ts";
import { mayBeBeyondPage } from "./decide-for.ts";
import { decidingWrite, stateInWrite } from "./decide-in-write.ts";
import { FRONTIER_PAGE } from "./read-decision.ts";
import type { RegisteredGoal, RegistryRows } from "./registry-rows.ts";
import { showWrite } from "./show-write.ts";
import type { WritingWorkspace } from "./workspace.ts";
import { type WriteAnswer, type WriteMaterial, writeGoal } from "./write-goal.ts";

interface Claim {
  readonly rows: RegistryRows;
  readonly registered: RegisteredGoal;
  readonly agent: AgentId;
  readonly todo_id: TodoId | null;
  readonly turn: TurnId | null;
  readonly ttl_ms: number;
  readonly request: ClaimRequest;
}

export async function claim(workspace: WritingWorkspace, request: ClaimRequest): Promise<Reply<ClaimPayload>> {
  const goalId = request.goalId ?? (await goalWithWork(workspace, request));
  if (typeof goalId !== "string") return goalId;
  const acting = await actingOn(workspace, { goalId, agentId: request.agentId }, "write");
  if (acting.kind !== "done") return acting;
  const { rows, registered, agent } = acting.value;
  if (agent === null) return required(registered.goal);
  const asked = askedFor(request);
  if (asked.kind !== "done") return asked;
  return await claimAs(workspace, { rows, registered, agent, request, ...asked.value });
}

async function goalWithWork(
  workspace: WritingWorkspace,
  request: ClaimRequest,
): Promise<string | Exclude<Reply<never>, { kind: "done" }>> {
  const { nextOfAnyGoal } = await import("./best-goal.ts");
  const best = await nextOfAnyGoal(workspace, { ...request, goalId: null, turnInstanceId: null, seen: null });
  return best.kind === "done" ? (best.value.goal_id ?? "") : best;
}

function askedFor({ todoId, turnInstanceId, ttlSeconds }: ClaimRequest): Reply<Pick<Claim, "todo_id" | "turn" | "ttl_ms">> {
  const todo = todoId === null ? done(null) : todoIdFrom(todoId);
  if (todo.kind !== "done") return todo;
  const turn = turnIdFrom(turnInstanceId);
  if (turn.kind !== "done") return turn;
  const ttl = ttlFrom(ttlSeconds);
  return ttl.kind === "done" ? done({ todo_id: todo.value, turn: turn.value, ttl_ms: ttl.value }) : ttl;
}

/** What the transaction found out, beside what it stored. */
interface Outcome {
  decision: Decision | null;
  todo_id: TodoId | null;
  beyond: boolean;
}

async function claimAs(workspace: WritingWorkspace, asked: Claim): Promise<Reply<ClaimPayload>> {
  const { rows, registered, agent, turn, request } = asked;
  const key = request.idempotencyKey ?? (turn === null ? null : `claim ${turn}`);
  for (let limit = FRONTIER_PAGE; ; limit *= 16) {
    const outcome: Outcome = { decision: null, todo_id: null, beyond: false };
    const written = await writeGoal(workspace, rows, {
      ...(await decidingWrite(workspace, rows, { registered, agent, limit })),
      actor: { agent_id: agent, ...(turn !== null && { turn_id: turn }) },
      todos: asked.todo_id === null ? [] : [asked.todo_id],
      rehearse: request.dryRun ? "rehearse" : "store",
      ...(key !== null && { idempotency: { key, fingerprint: fingerprintOf(workspace, asked), proves: "lease.taken" } }), // (C4)
      commands: (draft, _state, material) => commandsFor(asked, { draft, material, outcome, limit }),
    });
    if (!outcome.beyond) return await answer(workspace, asked, { written, outcome });
  }
}

function fingerprintOf(workspace: WritingWorkspace, { agent, todo_id, ttl_ms, request }: Claim): string {
  return workspace.digest.sha256(
    JSON.stringify({ agent, todo_id, ttl_ms, instance: request.instance, scopes: request.writeScopes }),
  );
}

interface Deciding {
  readonly draft: GoalDraft;
  readonly material: WriteMaterial;
  readonly outcome: Outcome;
  readonly limit: number;
}

function commandsFor(asked: Claim, { draft, material, outcome, limit }: Deciding): readonly GoalCommand[] | Refusal | BadInput {
  const { registered, agent, request } = asked;
  const state = stateInWrite(registered, { draft, material });
  const decisionRequest = { agent, instance: request.instance, capabilities: request.capabilities, seen: null };
  const decision = decide(state, decisionRequest, material.at);
  outcome.decision = decision;
  const named = asked.todo_id === null ? null : draft.todos.get(asked.todo_id);
  if (named === undefined) return unknownTodo(registered, asked.todo_id ?? "");
  if (named !== null) {
    const flaw = whyNot(state, { todo: named, request: decisionRequest, now: material.at });
    if (flaw !== null && flaw.code !== "not_first" && flaw.code !== "stalled") return refusalFor(state, named, flaw); // (C2)
    return take(asked, { todo: named, state, outcome, at: material.at });
  }
  outcome.beyond = mayBeBeyondPage(decision, state.frontier.work.length, limit);
  const gives = decision.act === "run" || decision.act === "poll";
  return outcome.beyond || !gives || decision.todo === null
    ? []
    : take(asked, { todo: decision.todo, state, outcome, at: material.at }); // (C1)
}

interface Taking {
  readonly todo: TodoRecord;
  readonly state: DecisionState;
  readonly outcome: Outcome;
  readonly at: Instant;
}

function take(asked: Claim, { todo, state, outcome, at }: Taking): readonly GoalCommand[] | Refusal {
  const { registered, agent, turn, ttl_ms, request } = asked;
  const { goal_id } = registered.goal;
  outcome.todo_id = todo.todo_id;
  const held = state.head === null ? null : leaseOf(state.head, todo.todo_id);
  const live = Object.values(state.head?.leases ?? {}).filter((lease) => lease.expires_at > at);
  if (held !== null && live.includes(held) && held.owner === agent) return [{ kind: "clamp-leases" }]; // (C5)
  const quota = settingsOf(registered.goal);
  if (quota.kind === "refusal") return quota;
  const bar = runningTaskBar({ goal_id, limits: quota.settings.limits }, live.length + 1);
  if (bar !== null) return bar;
  const reopen: readonly GoalCommand[] =
    todo.status === "deferred"
      ? [{ kind: "change-todo", todo_id: todo.todo_id, fields: { status: "open" }, fence: { ...NOBODY, agent_id: agent } }]
      : [];
  const lease = {
    todo_id: todo.todo_id,
    owner: agent,
    ...(request.instance !== null && { instance: request.instance }),
    ...(turn !== null && { turn_id: turn }),
    ...(request.idempotencyKey !== null && { key: request.idempotencyKey }),
    ttl_ms,
    write_scopes: request.writeScopes.length > 0 ? request.writeScopes : writeScopesOf(todo),
    reserved: reservationFor(windowOf(quota.settings).caps), // (C3)
  };
  return [{ kind: "clamp-leases" }, ...reopen, { kind: "take-lease", lease }];
}

const NOBODY = { turn_id: null, epoch: null, key: null, version: null } as const;

async function answer(
  workspace: WritingWorkspace,
  asked: Claim,
  { written, outcome }: { readonly written: WriteAnswer; readonly outcome: Outcome },
): Promise<Reply<ClaimPayload>> {
  if (written.kind === "refusal" || written.kind === "bad_input") return written;
  if (written.kind === "replayed") return await claimedBefore(workspace, asked, written.receipt);
  const { registered, rows, request, agent } = asked;
  const { draft, base } = written;
  const subject = { goal_id: registered.goal.goal_id, registered };
  const moved = draft.events.length > 0 && !request.dryRun;
  const shown = moved
    ? await showWrite(workspace, rows, { about: "lease", subject, events: draft.events, head: draft.head, base })
    : null;
  const todo = outcome.todo_id === null ? null : (draft.todos.get(outcome.todo_id) ?? outcome.decision?.todo ?? null);
  const lease = todo === null || draft.head === null ? null : leaseOf(draft.head, todo.todo_id);
  return done(
    claimPayload({
      goal_id: subject.goal_id,
      agent_id: agent,
      todo,
      lease,
      decision: outcome.decision,
      dry_run: request.dryRun,
      replay: false,
      warnings: shown?.warnings ?? [],
    }),
  );
}

/** (C4) */
async function claimedBefore(
  workspace: WritingWorkspace,
  { registered, agent }: Claim,
  { generation, seq }: { readonly generation: number; readonly seq: number },
): Promise<Reply<ClaimPayload>> {
  const { goal_id } = registered.goal;
  const query = { goal_id, generation, type: "lease.taken", order: "newest_first", beyond_seq: seq + 1, limit: 1 } as const;
  const [event] = await workspace.store.events(query);
  if (event?.type !== "lease.taken")
    return refuse("receipt_without_lease", "The lease of this turn is not in the journal.", { fix: "loopx doctor" });
  const given: Lease = event.data;
  const { head, todos } = await workspace.store.load({ goal_id, todos: [given.todo_id], base: "none" });
  const standing = head === null ? null : leaseOf(head, given.todo_id);
  const lease = standing?.epoch === given.epoch ? standing : given;
  const todo = todos.get(given.todo_id) ?? null;
  return done(
    claimPayload({ goal_id, agent_id: agent, todo, lease, decision: null, dry_run: false, replay: true, warnings: [] }),
  );
}

function unknownTodo({ goal }: RegisteredGoal, todoId: string): BadInput {
  return reject("unknown_todo", `Goal ${goal.goal_id} has no todo ${todoId}.`, {
    fix: `loopx todo list --goal-id ${goal.goal_id}`,
  });
}

/** The reference's codes, where it has one. */
const CODES: Readonly<Record<string, string>> = {
  leased: "todo_lease_conflict",
  claimed: "todo_claimed",
  write_scope: "write_scope_conflict",
  not_open: "todo_not_open",
  for_person: "todo_for_person",
  waits_for: "todo_waits",
  not_yet: "todo_waits",
  condition: "todo_waits",
  capacity: "todo_waits",
  gate: "gate_open",
  capability: "capability_missing",
  owner_capability: "capability_missing",
  throttled: "over_quota",
  paused: "goal_paused",
  stopped: "goal_stopped",
  archived: "goal_archived",
};

function refusalFor({ head, quota }: DecisionState, todo: TodoRecord, flaw: WhyNot): Refusal {
  const lease = head === null ? null : leaseOf(head, todo.todo_id);
  const holder = flaw.code === "leased" || flaw.code === "claimed" || flaw.code === "write_scope" ? { holder: flaw.by } : {};
  const next = quota.kind === "set" && flaw.code === "throttled" ? { next_eligible_at: quota.state.next_eligible_at } : {};
  return refuse(CODES[flaw.code] ?? flaw.code, `${todo.todo_id} cannot be claimed: ${flaw.message}.`, {
    details: {
      todo_id: todo.todo_id,
      ...holder,
      ...next,
      ...(flaw.code === "leased" && lease !== null && { current_epoch: lease.epoch, expires_at: lease.expires_at }),
      by: flaw.by,
    },
    fix: flaw.change,
  });
}
