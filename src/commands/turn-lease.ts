/**
 * The lease of a running turn: renewed while its host runs, given back where nothing else ends it.
 *
 * Does not own: when to renew (`keep-lease.ts`), what a lease is (`core/goal/lease.ts`).
 *
 * L1  What is taken from a renewal is what the journal says after it: a refusal means that the lease is lost.
 */
import { leaseOf } from "../core/goal/fence.ts";
import { millisecondsBetween } from "../core/instant.ts";
import { decidingWrite } from "./decide-in-write.ts";
import type { LeaseKeeping, Renewal } from "./keep-lease.ts";
import type { TurnContext } from "./turn-context.ts";
import type { WritingWorkspace } from "./workspace.ts";
import { type WriteAnswer, writeGoal } from "./write-goal.ts";

/** A third of its time, so that two renewals may fail. */
const PARTS = 3;

export function keepingOf(
  workspace: WritingWorkspace,
  context: TurnContext,
  { epoch, left_ms, ttl_ms }: { readonly epoch: number; readonly left_ms: number; readonly ttl_ms: number },
): LeaseKeeping {
  return { left_ms, renew_every_ms: ttl_ms / PARTS, renew: async () => await renewed(workspace, context, epoch) };
}

/** L1. */
async function renewed(workspace: WritingWorkspace, context: TurnContext, epoch: number): Promise<Renewal> {
  const { todo_id } = context.record;
  const written = await leaseWrite(workspace, context, (fence) => [
    { kind: "clamp-leases" },
    { kind: "renew-lease", todo_id, ttl_ms: null, fence: { ...fence, epoch } },
  ]);
  if (written.kind !== "written") return { kind: "lost" };
  const { head } = written.draft;
  const lease = head === null ? null : leaseOf(head, todo_id);
  return lease === null ? { kind: "lost" } : { kind: "held", for_ms: millisecondsBetween(written.at, lease.expires_at) };
}

/** Of a turn that was cut off while it claimed: whatever it got. */
export async function freeLeaseOfTurn(workspace: WritingWorkspace, context: TurnContext): Promise<void> {
  const { todo_id, turn_id } = context.record;
  await leaseWrite(workspace, context, (fence, lease) =>
    lease?.turn_id === turn_id
      ? [{ kind: "free-lease", todo_id, reason: "released", fence: { ...fence, epoch: lease.epoch } }]
      : [],
  );
}

type Fence = import("../core/goal/fence.ts").Fence;
type Lease = import("../core/events.ts").Lease;
type Commands = readonly import("../core/goal/command.ts").GoalCommand[];

async function leaseWrite(
  workspace: WritingWorkspace,
  { rows, registered, agent, record }: TurnContext,
  commands: (fence: Fence, lease: Lease | null) => Commands,
): Promise<WriteAnswer> {
  const { todo_id, turn_id } = record;
  return await writeGoal(workspace, rows, {
    ...(await decidingWrite(workspace, rows, { registered, agent, limit: 1 })),
    actor: { agent_id: agent, turn_id },
    todos: [todo_id],
    rehearse: "store",
    commands: ({ head }) =>
      commands(
        { agent_id: agent, turn_id, epoch: null, key: null, version: null },
        head === null ? null : leaseOf(head, todo_id),
      ),
  });
}
