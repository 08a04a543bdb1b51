/**
 * Brings everything that is derived up to date and persists what people changed: `refresh --all`, and each round of
 * `--watch` and `serve`. Records no run.
 *
 * A1  Only goals whose files moved, and those with a question whose time is up, are written to; the others cost a look (S13).
 */
import type { GoalHead } from "../core/goal/head.ts";
import { done, type Reply } from "../core/result.ts";
import type { RefreshAllRequest } from "./app.ts";
import { writeProjections } from "./projections.ts";
import { ownerOf, stateOf } from "./read-plan.ts";
import { needsTodos, reconcileGoal } from "./reconcile-goal.ts";
import { recoverStateFile } from "./recover-state-file.ts";
import { type RegistryRows, registryRows } from "./registry-rows.ts";
import { renderGoal } from "./render-plan.ts";
import { isRenderingDue } from "./rendering-due.ts";
import { dueGates, settleGates } from "./settle-gates.ts";
import { registeredSubjects, unregisteredSubjects } from "./subjects.ts";
import { type GoalSubject, isFolded, isViewOf, keyOf } from "./view-key.ts";
import type { WritingWorkspace } from "./workspace.ts";
import { writeGoal } from "./write-goal.ts";

export interface RefreshAllAnswer {
  readonly ok: true;
  readonly dry_run: boolean;
  readonly registry: string;
  readonly runtime_root: string;
  readonly goal_count: number;
  /** Goals whose files were taken in, with the number of events that followed. */
  readonly refreshed: readonly { readonly goal_id: string; readonly events: number }[];
  readonly refused: readonly { readonly goal_id: string; readonly code: string; readonly message: string }[];
}

export async function refreshAll(workspace: WritingWorkspace, request: RefreshAllRequest): Promise<Reply<RefreshAllAnswer>> {
  const rows = await registryRows(workspace);
  if (rows.kind !== "done") return rows;
  const subjects = [...(await registeredSubjects(rows.value)), ...(await unregisteredSubjects(workspace, rows.value))];
  return done(await refreshSubjects(workspace, rows.value, { subjects, dryRun: request.dryRun }));
}

export async function refreshSubjects(
  workspace: WritingWorkspace,
  rows: RegistryRows,
  { subjects, dryRun }: { readonly subjects: readonly GoalSubject[]; readonly dryRun: boolean },
): Promise<RefreshAllAnswer> {
  const refreshed: { goal_id: string; events: number }[] = [];
  const refused: { goal_id: string; code: string; message: string }[] = [];
  const moved = await movedSubjects(workspace, rows, subjects);
  for (const [at, { subject }] of moved.entries()) {
    if (!dryRun) await recoverStateFile(workspace, subject);
    const taken = await upToDate(workspace, rows, { subject, dryRun });
    if (taken.kind === "refused") refused.push({ goal_id: subject.goal_id, code: taken.code, message: taken.message });
    else if (taken.events > 0) refreshed.push({ goal_id: subject.goal_id, events: taken.events });
    workspace.progress.report(at + 1, moved.length, "goals");
  }
  if (moved.length > 0 && !dryRun) await showMoved(workspace, rows, moved);
  return {
    ok: true,
    dry_run: dryRun,
    registry: rows.path,
    runtime_root: workspace.roots.runtime_root,
    goal_count: subjects.length,
    refreshed,
    refused,
  };
}

interface Moved {
  readonly subject: GoalSubject;
  /** Its view holds what no command has persisted: it is made anew although its key may stay. */
  readonly folded: boolean;
}

async function showMoved(workspace: WritingWorkspace, rows: RegistryRows, moved: readonly Moved[]): Promise<void> {
  const folded = moved.filter((each) => each.folded).map(({ subject }) => subject.goal_id);
  if (folded.length > 0) await workspace.store.forgetViews(rows.path, folded);
  const subjects = moved.map(({ subject }) => subject);
  await writeProjections(workspace, rows, subjects);
}

const AT_ONCE = 500;

/** (A1) */
async function movedSubjects(
  workspace: WritingWorkspace,
  rows: RegistryRows,
  subjects: readonly GoalSubject[],
): Promise<readonly Moved[]> {
  const moved: Moved[] = [];
  for (let from = 0; from < subjects.length; from += AT_ONCE) {
    const some = subjects.slice(from, from + AT_ONCE);
    const known = await workspace.store.views(
      rows.path,
      some.map((subject) => subject.goal_id),
    );
    for (const subject of some) {
      const now = workspace.clock.now();
      const { head } = await workspace.store.load({ goal_id: subject.goal_id, todos: "none", base: "none" });
      const stored = known.get(subject.goal_id) ?? null;
      const key = keyOf(workspace, subject, { head, now });
      const folded = isFolded(stored, key);
      if (folded || !isViewOf(stored, key) || (await isAnswerDue(workspace, head))) moved.push({ subject, folded });
    }
  }
  return moved;
}

async function isAnswerDue(workspace: WritingWorkspace, head: GoalHead | null): Promise<boolean> {
  if (head === null || head.todo_counts.waiting_for_person === 0 || !STANDING.has(head.lifecycle.kind)) return false;
  return (await dueGates(workspace, head.goal_id)).length > 0;
}

/** Questions of a goal that is archived, or on its way, wait with it. */
const STANDING: ReadonlySet<GoalHead["lifecycle"]["kind"]> = new Set(["active", "stopped"] as const);

type Taken =
  | { readonly kind: "taken"; readonly events: number }
  | { readonly kind: "refused"; readonly code: string; readonly message: string };

interface Asked {
  readonly subject: GoalSubject;
  readonly dryRun: boolean;
}

/** Takes in the files; then questions whose time is up are answered, also those that were in them. */
async function upToDate(workspace: WritingWorkspace, rows: RegistryRows, asked: Asked): Promise<Taken> {
  const taken = await takeIn(workspace, rows, asked);
  const { subject, dryRun } = asked;
  const { registered, goal_id } = subject;
  if (taken.kind === "refused" || registered?.goal.standing !== "clear") return taken;
  const { head } = await workspace.store.load({ goal_id, todos: "none", base: "none" });
  if (!(await isAnswerDue(workspace, head))) return taken;
  const settled = await settleGates(workspace, { rows, registered, agent: null, turn: null, dryRun });
  if (settled.kind !== "done") return { kind: "refused", code: settled.code, message: settled.message };
  return { kind: "taken", events: taken.events + settled.value.events };
}

async function takeIn(workspace: WritingWorkspace, rows: RegistryRows, { subject, dryRun }: Asked): Promise<Taken> {
  const goal = subject.registered?.goal ?? null;
  if (goal === null || goal.standing !== "clear") return { kind: "taken", events: 0 };
  const state = stateOf(workspace, rows, subject);
  const loaded = await workspace.store.load({ goal_id: subject.goal_id, todos: "none", base: "text" });
  const declared = goal;
  const registry = ownerOf(workspace, rows, subject);
  const found = needsTodos(loaded.base, state)
    ? null
    : reconcileGoal({ loaded, registry, declared, state, now: workspace.clock.now() });
  const isSettled = found !== null && found.commands.length === 0 && !isRenderingDue(loaded.head, loaded.base);
  if (isSettled) return { kind: "taken", events: 0 };
  const written = await writeGoal(workspace, rows, {
    subject,
    state,
    commands: () => [],
    rehearse: dryRun ? "rehearse" : "store",
  });
  if (written.kind === "refusal" || written.kind === "bad_input")
    return { kind: "refused", code: written.code, message: written.message };
  if (written.kind === "replayed") return { kind: "taken", events: 0 };
  const { head } = written.draft;
  if (!dryRun && head !== null && isRenderingDue(head, written.base))
    await renderGoal(workspace, rows, { subject, plan_seq: head.plan_seq });
  return { kind: "taken", events: written.draft.events.length };
}
