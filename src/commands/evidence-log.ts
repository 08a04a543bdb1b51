/**
 * What one agent did on a goal, newest first; a read that writes nothing.
 *
 * Does not own: the rows as they are told (`core/show/evidence-log.ts`).
 *
 * E1  At most so many events are looked at, whatever the length of the journal: an answer says when there may be more.
 */
import type { GoalEvent } from "../core/events.ts";
import { required } from "../core/goal/actor.ts";
import type { GoalHead } from "../core/goal/head.ts";
import type { AgentId, TodoId } from "../core/id.ts";
import { type Instant, parseInstant } from "../core/instant.ts";
import { done, type Reply, reject } from "../core/result.ts";
import { summarise } from "../core/runs/summary.ts";
import {
  compareLedger,
  type EvidenceLogPayload,
  evidenceLogPayload,
  type LedgerRow,
  ledgerRowOfEvent,
  ledgerRowOfRun,
} from "../core/show/evidence-log.ts";
import { actingOn } from "./acting.ts";
import type { EvidenceLogRequest } from "./app.ts";
import { todoIdFrom } from "./asked-lease.ts";
import { catchUpForeign } from "./foreign-runs.ts";
import type { GoalSubject } from "./view-key.ts";
import type { Workspace } from "./workspace.ts";

const ROWS = 40;
const PAGE = 256;
const MOST_PAGES = 16;

interface Wanted {
  readonly agent: AgentId;
  readonly todo_id: TodoId | null;
  readonly since: Instant | null;
  readonly limit: number;
}

interface Found {
  readonly rows: readonly LedgerRow[];
  readonly more: boolean;
}

export async function evidenceLog(workspace: Workspace, request: EvidenceLogRequest): Promise<Reply<EvidenceLogPayload>> {
  const acting = await actingOn(workspace, request, "read");
  if (acting.kind !== "done") return acting;
  const { registered, agent } = acting.value;
  const { goal } = registered;
  if (agent === null) return required(goal);
  const todo = request.todoId === null ? done(null) : todoIdFrom(request.todoId);
  if (todo.kind !== "done") return todo;
  const since = request.since === null ? null : parseInstant(request.since);
  if (request.since !== null && since === null) {
    return reject("since_invalid", `${JSON.stringify(request.since)} is no time, such as 2026-11-30T08:00:00Z.`);
  }
  const wanted: Wanted = { agent, todo_id: todo.value, since, limit: request.limit ?? ROWS };
  const { head } = await workspace.store.load({ goal_id: goal.goal_id, todos: "none", base: "none" });
  const own = head === null ? { rows: [], more: false } : await ownRows(workspace, head, wanted);
  const theirs = await foreignRows(workspace, { goal_id: goal.goal_id, registered }, { head, wanted });
  const rows = [...own.rows, ...theirs.rows].sort(compareLedger);
  return done(
    evidenceLogPayload({
      goal_id: goal.goal_id,
      agent_id: agent,
      thin: request.thin,
      rows: rows.slice(0, wanted.limit),
      matched_count: rows.length,
      more: own.more || theirs.more || rows.length > wanted.limit,
    }),
  );
}

/** (E1) */
async function ownRows({ store }: Workspace, { goal_id, generation, seq }: GoalHead, wanted: Wanted): Promise<Found> {
  const rows: LedgerRow[] = [];
  let beyond_seq = seq + 1;
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const events = await store.events({ goal_id, generation, order: "newest_first", beyond_seq, limit: PAGE });
    rows.push(...events.filter((event) => isWanted(event, wanted)).map(ledgerRowOfEvent));
    const last = events.at(-1);
    if (last === undefined || events.length < PAGE) return { rows, more: false };
    if (wanted.since !== null && last.at < wanted.since) return { rows, more: false };
    if (rows.length > wanted.limit) return { rows, more: true };
    beyond_seq = last.seq;
  }
  return { rows, more: true };
}

function isWanted(event: GoalEvent, { agent, todo_id, since }: Wanted): boolean {
  if (event.agent_id !== agent || (since !== null && event.at < since)) return false;
  return todo_id === null || ledgerRowOfEvent(event).todo_id === todo_id;
}

async function foreignRows(
  { store, run_files: files, clock }: Workspace,
  { goal_id }: GoalSubject,
  { head, wanted }: { readonly head: GoalHead | null; readonly wanted: Wanted },
): Promise<Found> {
  const foreign = await catchUpForeign({ store, files, clock, generation: head?.generation ?? 1 }, goal_id);
  const placed = await foreign.newest({ which: "all", skip: 0, limit: PAGE });
  const runs = placed.map((row) => summarise(row, goal_id)).filter((run) => run.agent_id === wanted.agent);
  const { todo_id, since } = wanted;
  const rows = runs
    .filter((run) => (todo_id === null || run.todo_id === todo_id) && (since === null || (run.at ?? "") >= since))
    .map(ledgerRowOfRun);
  return { rows, more: placed.length === PAGE };
}
