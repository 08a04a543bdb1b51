/** What `done` answers, from what was stored; the closed todo is shown in the files. */
import type { TodoRecord } from "../core/events.ts";
import { done as answered, type Reply } from "../core/result.ts";
import { type DonePayload, donePayload } from "../core/show/done.ts";
import type { Finishing } from "./done-asked.ts";
import type { RegisteredGoal } from "./registry-rows.ts";
import { showWrite } from "./show-write.ts";
import type { Verified } from "./verify-todo.ts";
import type { WritingWorkspace } from "./workspace.ts";
import type { WriteAnswer } from "./write-goal.ts";

export interface Answering {
  readonly written: WriteAnswer;
  readonly todo: TodoRecord;
  readonly verified: Verified;
}

export async function doneAnswer(
  workspace: WritingWorkspace,
  finishing: Finishing,
  { written, todo, verified }: Answering,
): Promise<Reply<DonePayload>> {
  if (written.kind === "refusal" || written.kind === "bad_input") return written;
  const { registered, rows, request, agent } = finishing;
  const { goal_id } = registered.goal;
  const replay = written.kind === "replayed";
  const events = replay ? await closedBefore(workspace, written.receipt) : written.draft.events;
  const head = replay ? written.head : written.draft.head;
  const subject = { goal_id, registered };
  const moved = !replay && events.length > 0 && !request.dryRun;
  const shown = moved ? await showWrite(workspace, rows, { subject, events, head, base: written.base }) : null;
  const before = replay ? todo : (written.draft.todos.get(todo.todo_id) ?? todo);
  return answered(
    donePayload({
      goal_id,
      agent_id: agent,
      todo: before,
      events,
      replay,
      dry_run: request.dryRun,
      evidence: verified.evidence,
      warnings: shown?.warnings ?? [],
    }),
  );
}

/** (D2) */
async function closedBefore(
  { store }: WritingWorkspace,
  {
    goal_id,
    generation,
    seq,
  }: { readonly goal_id: RegisteredGoal["goal"]["goal_id"]; readonly generation: number; readonly seq: number },
): Promise<Awaited<ReturnType<WritingWorkspace["store"]["events"]>>> {
  return await store.events({ goal_id, generation, type: "todo.closed", order: "newest_first", beyond_seq: seq + 1, limit: 1 });
}
