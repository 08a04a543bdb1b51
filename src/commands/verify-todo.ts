/**
 * Runs the checks that a todo declares, on the folder of its goal.
 *
 * Does not own: running them (`run-checks.ts`), what follows from the outcome (`core/goal/finish.ts`).
 *
 * V1  A declaration that cannot be understood verifies nothing: it is refused, never passed over.
 * V2  A tree that changed while the checks ran proves nothing.
 */

import { loopxCommand } from "../core/command-line.ts";
import type { Evidence, TodoRecord } from "../core/events.ts";
import { cacheBounds } from "../core/quota/limits.ts";
import { limitedGoal } from "../core/quota/settings-of.ts";
import { type BadInput, type Refusal, refuse, reject } from "../core/result.ts";
import { type Check, parseAcceptance } from "../core/verify/acceptance.ts";
import type { Environment } from "../core/verify/environment.ts";
import { placesOf } from "./goal-places.ts";
import type { RegisteredGoal } from "./registry-rows.ts";
import type { EvidenceRecord } from "./run-checks.ts";
import type { WritingWorkspace } from "./workspace.ts";

export interface Verified {
  /** The declaration that was run, to be compared with the one that stands. */
  readonly checks: string;
  readonly declared: readonly Check[];
  readonly evidence: readonly Evidence[];
  /** Of the tree that stands; null where no check asked for it. */
  readonly tree_hash: string | null;
  /** Digest of tree and outcomes; without checks, of the summary. */
  readonly observation: string;
}

interface TodoToVerify {
  readonly registered: RegisteredGoal;
  readonly todo: TodoRecord;
  readonly request: { readonly summary: string | null; readonly noCache: boolean };
  /** Beside those that it declares. */
  readonly extra?: readonly Check[];
  /** By which its processes are found when whoever runs them is killed. */
  readonly marks?: Environment;
}

/** What a todo declares about its checks, as text: equal texts are equal declarations. */
export function checksOf({ metadata }: TodoRecord): string {
  return JSON.stringify(Object.entries(metadata).filter(([key]) => key.startsWith("validation_")));
}

export async function verifyTodo(
  workspace: WritingWorkspace,
  { registered, todo, request, extra = [], marks = {} }: TodoToVerify,
): Promise<Verified | Refusal | BadInput> {
  const { goal } = registered;
  const declared = parseAcceptance(todo.metadata);
  if (declared.kind === "flawed") {
    const problems = declared.flaws.map(({ key, code, message }) => ({ path: key, code, message }));
    return reject("checks_invalid", `The checks of ${todo.todo_id} cannot be understood: ${problems[0]?.message ?? ""}`, {
      problems,
      fix: loopxCommand("todo", "show", "--goal-id", goal.goal_id, "--todo-id", todo.todo_id),
    }); // (V1)
  }
  const checks = checksOf(todo);
  const wanted = [...declared.checks, ...extra];
  if (wanted.length === 0) {
    return {
      checks,
      declared: [],
      evidence: [],
      tree_hash: null,
      observation: workspace.digest.sha256(request.summary ?? "").slice(0, 16),
    };
  }
  const ran = await run(workspace, registered, { checks: wanted, cache: request.noCache ? "ignore" : "use", marks });
  if (ran.kind !== "done") return ran;
  const { records, tree_moved, tree_hash } = ran.value;
  if (tree_moved) {
    return refuse("tree_changed", `Files of goal ${goal.goal_id} changed while the checks of ${todo.todo_id} ran.`, {
      details: { todo_id: todo.todo_id, tree_hash },
      fix: loopxCommand("done", "--goal-id", goal.goal_id, "--todo-id", todo.todo_id),
    }); // (V2)
  }
  const outcomes = records.map(({ label, outcome, exit_code }) => [label, outcome, exit_code]);
  return {
    checks,
    declared: wanted,
    evidence: records.map((record) => evidenceOf(todo, record)),
    tree_hash,
    observation: workspace.digest.sha256(JSON.stringify([tree_hash, outcomes])).slice(0, 16),
  };
}

async function run(
  workspace: WritingWorkspace,
  { goal }: RegisteredGoal,
  { checks, cache, marks }: { readonly checks: readonly Check[]; readonly cache: "use" | "ignore"; readonly marks: Environment },
): ReturnType<typeof import("./run-checks.ts").runChecks> {
  const [{ runChecks }, ports] = await Promise.all([
    import("./run-checks.ts"),
    workspace.checking(cacheBounds(limitedGoal(goal.goal_id, goal).limits)),
  ]);
  const { repo, state_file } = placesOf(workspace, goal);
  const exclude = [workspace.roots.runtime_root, ...(state_file === null ? [] : [state_file])];
  return await runChecks(ports, { goal_id: goal.goal_id, folder: repo, exclude, checks, env: { ...ports.env, ...marks }, cache });
}

function evidenceOf({ todo_id }: TodoRecord, record: EvidenceRecord): Evidence {
  const { label, argv, outcome, exit_code, duration_ms, tree_hash, environment, output, cached, note } = record;
  return {
    todo_id,
    label,
    argv,
    outcome,
    exit_code,
    duration_ms,
    tree_hash,
    environment,
    output,
    ...(cached && { cached }),
    ...(note !== null && { note }),
  };
}
