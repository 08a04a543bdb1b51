/**
 * Recorded evidence of a goal, newest first: `evidence list`.
 *
 * L1  A page costs a bounded part of the journal: where a todo has little evidence among much, the cursor goes on.
 */
import { loopxCommand } from "../core/command-line.ts";
import type { GoalId, TodoId } from "../core/id.ts";
import { done, type Reply, reject } from "../core/result.ts";
import {
  type EvidenceEvent,
  type EvidenceListPayload,
  isEvidence,
  type ShownEvidence,
  shownEvidence,
} from "../core/show/evidence.ts";
import { PAGE_BYTES, parseCursor, printCursor } from "../core/show/paging.ts";
import { entryBytes } from "../core/show/print-json.ts";
import type { EvidenceListRequest } from "./app.ts";
import { todoAsked } from "./asked-ids.ts";
import { findRegistered, registryRows } from "./registry-rows.ts";
import type { Workspace } from "./workspace.ts";

const LIST = "evidence";
const PAGE_ROWS = 50;
const STEP = 500;
/** (L1) */
const MOST_READ = 5000;
/** For what stands round the rows. */
const RESERVE_BYTES = 4096;

export async function evidenceList(workspace: Workspace, request: EvidenceListRequest): Promise<Reply<EvidenceListPayload>> {
  const rows = await registryRows(workspace);
  if (rows.kind !== "done") return rows;
  const registered = await findRegistered(rows.value, request.goalId);
  if (registered.kind !== "done") return registered;
  const todo = todoAsked(request.todoId);
  if (todo.kind !== "done") return todo;
  const cursor = placeIn(request.cursor);
  if (cursor.kind !== "done") return cursor;
  const { goal_id } = registered.value.goal;
  const limit = request.limit ?? PAGE_ROWS;
  const read = await readPage(workspace, { goal_id, todo_id: todo.value, limit, after: cursor.value.after });
  const shown = request.limit === null ? fitting(read.events.map(shownEvidence)) : read.events.map(shownEvidence);
  const last = shown.length < read.events.length ? (shown.at(-1)?.seq ?? null) : read.last;
  const seen = cursor.value.seen + shown.length;
  return done({ ok: true, goal_id, todo_id: todo.value, evidence: shown, left_out: leftOut(request, { last, seen }) });
}

function placeIn(text: string | null): Reply<{ readonly seen: number; readonly after: number | null }> {
  if (text === null) return done({ seen: 0, after: null });
  const cursor = parseCursor(text, [LIST]);
  if (cursor.kind !== "done") return cursor;
  const { seen, after } = cursor.value;
  return /^\d{1,15}$/.test(after)
    ? done({ seen, after: Number(after) })
    : reject("invalid_cursor", "--cursor takes the text that an answer gave in `left_out`, whole and unchanged");
}

interface PageAsked {
  readonly goal_id: GoalId;
  readonly todo_id: TodoId | null;
  readonly limit: number;
  /** Exclusive. */
  readonly after: number | null;
}

interface PageRead {
  readonly events: readonly EvidenceEvent[];
  /** Where to go on; null: there is no more. */
  readonly last: number | null;
}

async function readPage(workspace: Workspace, asked: PageAsked): Promise<PageRead> {
  const { todo_id, limit } = asked;
  const events: EvidenceEvent[] = [];
  let last: number | null = null;
  for await (const event of newestFirst(workspace, asked)) {
    if (events.length === limit) return { events, last: events.at(-1)?.seq ?? null };
    if (event === "bound") return { events, last };
    if (todo_id === null || event.data.todo_id === todo_id) events.push(event);
    last = event.seq;
  }
  return { events, last: null };
}

/** (L1) `bound`: there may be more. */
async function* newestFirst({ store }: Workspace, { goal_id, after }: PageAsked): AsyncGenerator<EvidenceEvent | "bound"> {
  let beyond_seq = after ?? Number.MAX_SAFE_INTEGER;
  for (let read = 0; read < MOST_READ; read += STEP) {
    const page = await store.events({ goal_id, type: "evidence.recorded", order: "newest_first", beyond_seq, limit: STEP });
    yield* page.filter(isEvidence);
    const last = page.at(-1);
    if (last === undefined || page.length < STEP) return;
    beyond_seq = last.seq;
  }
  yield "bound";
}

function fitting(rows: readonly ShownEvidence[]): readonly ShownEvidence[] {
  let room = PAGE_BYTES - RESERVE_BYTES;
  const over = rows.findIndex((row) => {
    room -= entryBytes(row);
    return room < 0;
  });
  return over < 0 ? rows : rows.slice(0, Math.max(1, over));
}

function leftOut(
  { goalId, todoId }: EvidenceListRequest,
  { last, seen }: { readonly last: number | null; readonly seen: number },
): EvidenceListPayload["left_out"] {
  if (last === null) return { more: false, cursor: null, get: [] };
  const cursor = printCursor({ list: LIST, seen, after: String(last) });
  const about = ["--goal-id", goalId, ...(todoId === null ? [] : ["--todo-id", todoId])];
  return { more: true, cursor, get: [loopxCommand("evidence", "list", ...about, "--cursor", cursor)] };
}
