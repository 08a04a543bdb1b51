/**
 * What a view was made from, as text: equal keys mean that nothing it shows has moved (S18).
 *
 * K1  A file that was changed less than two seconds before it was looked at proves nothing: such a key never matches again.
 * K2  The plan's part comes first and alone: it stays when only runs were added.
 * K3  A view that is too large to be kept whole is kept shortened, for its place in the lists; its key says so.
 */
import type { GoalHead } from "../core/goal/head.ts";
import type { GoalId } from "../core/id.ts";
import type { Instant } from "../core/instant.ts";
import { placesOf } from "./goal-places.ts";
import type { RegisteredGoal } from "./registry-rows.ts";
import type { Workspace } from "./workspace.ts";

/** What is asked about: an entry of the registry, or a folder under `goals/` without one. */
export interface GoalSubject {
  readonly goal_id: GoalId;
  readonly registered: RegisteredGoal | null;
}

export interface ViewKey {
  readonly plan: string;
  readonly whole: string;
}

type KeyPorts = Pick<Workspace, "roots" | "home" | "files" | "tree" | "run_files">;

export function keyOf(
  workspace: KeyPorts,
  subject: GoalSubject,
  { head, now }: { readonly head: GoalHead | null; readonly now: Instant },
): ViewKey {
  const declared = subject.registered === null ? "none" : subject.registered.digest;
  const intent = head === null ? "new" : `${head.generation}.${head.intent_seq}`;
  const plan = [declared, intent, stateFileKey(workspace, subject, now)].join(" ");
  return { plan, whole: `${plan}\n${runsKey(workspace, subject.goal_id, head)}` };
}

const FOLDED = "\nfolded";

const SHORTENED = "\nshortened";

/** As it is kept: a view that holds changes which no command has persisted yet says so, for `refresh --all`. */
export function storedKey(key: ViewKey, { folded, whole }: { readonly folded: boolean; readonly whole: boolean }): string {
  return `${key.whole}${folded ? FOLDED : ""}${whole ? "" : SHORTENED}`;
}

/** (K3) */
export function isShortened({ key }: { readonly key: string }): boolean {
  return key.endsWith(SHORTENED);
}

/** Whether a kept view was made from what is there now. */
export function isViewOf(stored: { readonly key: string } | null, key: ViewKey): boolean {
  return madeFrom(stored) === key.whole || isFolded(stored, key);
}

export function isFolded(stored: { readonly key: string } | null, key: ViewKey): boolean {
  return madeFrom(stored) === `${key.whole}${FOLDED}`;
}

function madeFrom(stored: { readonly key: string } | null): string | null {
  if (stored === null) return null;
  return isShortened(stored) ? stored.key.slice(0, -SHORTENED.length) : stored.key;
}

export function planKeyIn(key: string): string {
  return key.slice(0, Math.max(0, key.indexOf("\n"))); // (K2)
}

function stateFileKey(workspace: KeyPorts, subject: GoalSubject, now: Instant): string {
  const path = subject.registered === null ? null : placesOf(workspace, subject.registered.goal).state_file;
  if (path === null) return "none";
  const print = workspace.files.fingerprint(path);
  if (print === null) return `missing ${workspace.tree.changedAt(path.slice(0, Math.max(1, path.lastIndexOf("/")))) ?? ""}`;
  return workspace.files.isSettled(print, now) ? print : `${print} at ${now}`; // (K1)
}

function runsKey(workspace: KeyPorts, goalId: GoalId, head: GoalHead | null): string {
  const index = workspace.run_files.probe(goalId);
  return `${index.kind === "found" ? index.facts.version : index.kind} ${head?.run_count ?? 0}`;
}
