/**
 * The runs of one goal, its own and those of others, as far as they are shown.
 *
 * Does not own: taking in the foreign index (`foreign-runs.ts`), order and merging (`core/runs`).
 *
 * U1  Bounded: a page of the newest rows is looked at, however long the history.
 */
import type { GoalHead } from "../core/goal/head.ts";
import type { GoalId } from "../core/id.ts";
import type { Instant } from "../core/instant.ts";
import { toRunTime } from "../core/instant.ts";
import type { Problem } from "../core/result.ts";
import { compareRuns, isFuture } from "../core/runs/history.ts";
import type { Damage, RunSummary } from "../core/runs/run.ts";
import { speaksForGoal } from "../core/runs/speaks.ts";
import { summarise } from "../core/runs/summary.ts";
import type { GoalView, MissingArtifacts } from "../core/show/view.ts";
import { catchUpForeign, type ForeignReading } from "./foreign-runs.ts";
import { foreignUntil } from "./foreign-until.ts";
import { runNames } from "./run-names.ts";
import { goalsFolder, type Workspace } from "./workspace.ts";

/** Instants only, so that it can be cached. */
export interface ReadRuns {
  readonly runs: GoalView["runs"];
  readonly moved_root: GoalView["moved_root"];
  readonly problems: readonly Problem[];
}

const SHOWN = 3;
const PAGE = 20;
const MOST_PAGES = 50;

/** `until`: runs of others that are later are passed over; null: none is. */
export async function readRuns(
  workspace: Workspace,
  goalId: GoalId,
  head: GoalHead | null,
  until: Instant | null = null,
): Promise<ReadRuns> {
  const { store, run_files: files, clock } = workspace;
  const reading = await catchUpForeign({ store, files, clock, generation: head?.generation ?? 1 }, goalId);
  const foreign = foreignUntil(reading, until);
  const now = clock.now();
  const own = head === null || head.latest_run === null ? [] : [ownSummary(goalId, head.latest_run)];
  const speaking = await newestSpeaking(foreign, goalId, { own, now });
  const foreign_count = await foreign.count();
  const indexPath = `${goalsFolder(workspace)}/${goalId}/runs/index.jsonl`;
  const indexChanged = workspace.tree.changedAt(indexPath) ?? now;
  const artifacts = await artifactsOf(workspace, { goalId, head, run: speaking.find((run) => !isFuture(run, now)) ?? null });
  return {
    runs: {
      count: foreign_count + (head?.run_count ?? 0),
      foreign_count,
      latest: speaking,
      last_activity_at: await lastActivity(foreign, { own, now }),
      missing_artifacts: artifacts.missing,
      foreign_writer: foreignWriter(foreign, indexChanged),
      damage_count: foreign.damage_count,
      ...(foreign.damage_count > 0 && { damage_since: indexChanged }),
    },
    moved_root:
      artifacts.moved_from === null
        ? null
        : { recorded: artifacts.moved_from, actual: workspace.roots.runtime_root, since: indexChanged },
    problems: foreign.damage.map((damage) => problemOf(indexPath, damage)),
  };
}

function ownSummary(goalId: GoalId, run: NonNullable<GoalHead["latest_run"]>): RunSummary {
  const { seq, at, state, recommended_action_source: _source, health_check: _health, ...facts } = run;
  return {
    generated_at: toRunTime(at),
    at,
    goal_id: goalId,
    ...facts,
    ...(state !== null && { state_sha256_16: state.sha256_16 }),
    origin: "journal",
    position: seq,
  };
}

interface Beside {
  readonly own: readonly RunSummary[];
  readonly now: Instant;
}

/** Those of the future (at most 3), then the newest that are not (at most 3). */
async function newestSpeaking(foreign: ForeignReading, goalId: GoalId, { own, now }: Beside): Promise<readonly RunSummary[]> {
  const future: RunSummary[] = [];
  const past: RunSummary[] = own.filter((run) => speaksForGoal(run));
  const wanted = past.length + SHOWN;
  for (let page = 0; page < MOST_PAGES && past.length < wanted; page += 1) {
    const rows = await foreign.newest({ which: "speaking", skip: page * PAGE, limit: PAGE });
    for (const row of rows) {
      const run = summarise(row, goalId);
      (isFuture(run, now) ? future : past).push(run);
    }
    if (rows.length < PAGE) break; // (U1)
  }
  return [...future.slice(-SHOWN), ...past.sort(compareRuns).slice(0, SHOWN)];
}

async function lastActivity(foreign: ForeignReading, { own, now }: Beside): Promise<Instant | null> {
  const rows = await foreign.newest({ which: "all", skip: 0, limit: PAGE });
  const known = [...own.map((run) => run.at), ...rows.map((row) => row.at)];
  return (
    known
      .filter((at): at is Instant => at !== null && at <= now)
      .toSorted()
      .at(-1) ?? null
  );
}

function foreignWriter(foreign: ForeignReading, indexChanged: Instant): GoalView["runs"]["foreign_writer"] {
  const row = foreign.checkpoint?.foreign_after_own ?? null;
  return row === null ? null : { since: row.at ?? indexChanged, generated_at: row.generated_at };
}

interface Artifacts {
  readonly missing: readonly MissingArtifacts[];
  /** The root that absolute paths of the row name, when the files lie under this one. */
  readonly moved_from: string | null;
}

const ALL_THERE: Artifacts = { missing: [], moved_from: null };

/** Whether the files of the newest run are there: those of older ones are not looked at (U1). */
async function artifactsOf(
  workspace: Workspace,
  { goalId, head, run }: { readonly goalId: GoalId; readonly head: GoalHead | null; readonly run: RunSummary | null },
): Promise<Artifacts> {
  if (run === null) return ALL_THERE;
  if (run.origin === "journal") return ownArtifacts(workspace, { head, run });
  const named = [run.json_path, run.markdown_path].filter((path) => path !== undefined);
  const paths = named.map((path) => (path.startsWith("/") ? path : `${workspace.roots.project_root}/${path}`));
  const gone = paths.filter((path) => workspace.tree.look(path) === "missing");
  if (gone.length === 0) return ALL_THERE;
  const moved = gone.filter((path) => workspace.run_files.has(goalId, nameOf(path)));
  const missing = gone.filter((path) => !moved.includes(path));
  return {
    missing: missing.length === 0 ? [] : [{ generated_at: run.generated_at ?? "", paths: missing, origin: "foreign" }],
    moved_from: moved[0] === undefined ? null : rootOf(moved[0], goalId),
  };
}

/** Only once they were written: until then they are late, not missing. */
async function ownArtifacts(
  workspace: Workspace,
  { head, run }: { readonly head: GoalHead | null; readonly run: RunSummary },
): Promise<Artifacts> {
  if (head === null || run.at === null) return ALL_THERE;
  const { goal_id, generation } = head;
  const names = runNames(workspace, { goal_id, generation, seq: run.position, at: run.at });
  const gone = [names.json_path, names.markdown_path].filter((path) => workspace.tree.look(path) === "missing");
  if (gone.length === 0 || (await workspace.store.mirroredSeq(goal_id, generation)) < run.position) return ALL_THERE;
  return { missing: [{ generated_at: run.generated_at ?? "", paths: gone, origin: "journal" }], moved_from: null };
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

function rootOf(path: string, goalId: GoalId): string {
  const tail = `/goals/${goalId}/runs/${nameOf(path)}`;
  return path.endsWith(tail) ? path.slice(0, -tail.length) : path.slice(0, path.lastIndexOf("/"));
}

function problemOf(path: string, { code, line, message }: Damage): Problem {
  return { path, ...(line > 0 && { line }), code, message };
}
