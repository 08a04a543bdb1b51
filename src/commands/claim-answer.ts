/** What `claim` answers, from what was stored; the claimed todo is shown in the state file. */
import type { Lease } from "../core/events.ts";
import { leaseOf } from "../core/goal/fence.ts";
import type { JudgedClaim } from "../core/next/claim.ts";
import { done, type Reply, refuse } from "../core/result.ts";
import { type ClaimPayload, claimPayload } from "../core/show/claim.ts";
import type { Claim } from "./claim-asked.ts";
import { showWrite } from "./show-write.ts";
import type { WritingWorkspace } from "./workspace.ts";
import type { WriteAnswer } from "./write-goal.ts";

export async function claimAnswer(
  workspace: WritingWorkspace,
  asked: Claim,
  { written, judged }: { readonly written: WriteAnswer; readonly judged: JudgedClaim | null },
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
  const todo = judged?.todo == null ? null : (draft.todos.get(judged.todo.todo_id) ?? judged.todo);
  const lease = todo === null || draft.head === null ? null : leaseOf(draft.head, todo.todo_id);
  return done(
    claimPayload({
      goal_id: subject.goal_id,
      agent_id: agent,
      todo,
      lease,
      decision: judged?.decision ?? null,
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
