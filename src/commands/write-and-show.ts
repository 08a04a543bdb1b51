/** A write of facts about one goal by one agent or person, and showing what was stored. */
import type { GoalEvent } from "../core/events.ts";
import type { GoalHead } from "../core/goal/head.ts";
import type { TurnId } from "../core/id.ts";
import type { Instant } from "../core/instant.ts";
import type { BadInput, Problem, Refusal } from "../core/result.ts";
import type { Acting } from "./acting.ts";
import { decidingWrite } from "./decide-in-write.ts";
import { showWrite } from "./show-write.ts";
import type { WritingWorkspace } from "./workspace.ts";
import { type Replayed, type WriteRequest, writeGoal } from "./write-goal.ts";

export interface FactsAsked extends Pick<WriteRequest, "commands" | "idempotency" | "todos"> {
  readonly turn?: TurnId | null;
  readonly dryRun: boolean;
}

export interface FactsWritten {
  readonly kind: "written";
  /** Those that were stored; of a rehearsal, those that would be. */
  readonly events: readonly GoalEvent[];
  readonly head: GoalHead | null;
  readonly at: Instant;
  readonly warnings: readonly Problem[];
}

export async function writeAndShow(
  workspace: WritingWorkspace,
  { rows, registered, agent }: Acting,
  { turn = null, dryRun, ...asked }: FactsAsked,
): Promise<FactsWritten | Replayed | Refusal | BadInput> {
  const written = await writeGoal(workspace, rows, {
    ...(await decidingWrite(workspace, rows, { registered, agent })),
    ...asked,
    actor: { ...(agent !== null && { agent_id: agent }), ...(turn !== null && { turn_id: turn }) },
    rehearse: dryRun ? "rehearse" : "store",
  });
  if (written.kind !== "written") return written;
  const { draft, base, at } = written;
  const { events, head } = draft;
  const subject = { goal_id: registered.goal.goal_id, registered };
  const moved = events.length > 0 && !dryRun;
  const { warnings } = moved ? await showWrite(workspace, rows, { subject, events, head, base }) : { warnings: [] };
  return { kind: "written", events, head, at, warnings };
}
