/**
 * One look: what a monitor's own command shows, or whether the condition of a todo is met.
 *
 * Does not own: recording it (`poll-record.ts`).
 *
 * K1  Only commands that stand in the goal's own todos are run, as arguments and never as a shell line, in the goal's folder.
 * K2  A monitor saw what its command printed and how it ended; a condition is met when its command ends with 0.
 */
import type { TodoRecord } from "../core/events.ts";
import { dueAtOf, expiresAtOf, kindOf, wakeOf } from "../core/goal/todo-traits.ts";
import { argvIn } from "../core/goal/todo-words.ts";
import type { Instant } from "../core/instant.ts";
import { argvFlaw } from "../core/verify/argv.ts";
import { verifierEnvironment } from "../core/verify/environment.ts";
import type { CommandEnd } from "../ports/command-runner.ts";
import { placesOf } from "./goal-places.ts";
import type { RegisteredGoal } from "./registry-rows.ts";
import type { WritingWorkspace } from "./workspace.ts";

export interface Ran {
  readonly outcome: "exited" | "signalled" | "timed_out" | "not_started" | "not_run";
  readonly exit_code: number | null;
}

export type Looked =
  | {
      readonly kind: "seen";
      readonly todo: TodoRecord;
      readonly result_hash: string;
      readonly material_change: boolean | null;
      readonly ran: Ran | null;
    }
  /** The command could not tell, or was not run. */
  | { readonly kind: "unseen"; readonly todo: TodoRecord; readonly ran: Ran }
  | { readonly kind: "met" | "not_met"; readonly todo: TodoRecord; readonly ran: Ran }
  /** Its time was up. */
  | { readonly kind: "ended"; readonly todo: TodoRecord };

/** Whether `poll` has to look: an expired monitor, one that is due and can look by itself, or a condition that a command finds out. */
export function isDue(todo: TodoRecord, now: Instant): boolean {
  if (kindOf(todo) !== "monitor") return conditionOf(todo) !== null;
  if (todo.status !== "open") return false;
  if (hasEnded(todo, now)) return true;
  const due = dueAtOf(todo);
  return todo.metadata["run"] !== undefined && (due === null || due <= now);
}

export function hasEnded(todo: TodoRecord, now: Instant): boolean {
  const expires = expiresAtOf(todo);
  return expires !== null && expires <= now;
}

/** The arguments of the command that tells whether the todo can go on; null: nothing is to be run for it. */
export function conditionOf(todo: TodoRecord): readonly string[] | null {
  const wake = wakeOf(todo);
  if (wake?.kind !== "polled" || todo.wake_met === true || !wake.condition.startsWith("command:")) return null;
  return usable(wake.condition.slice("command:".length));
}

/** (K1) What a person wrote by hand is checked as well. */
function usable(json: string): readonly string[] | null {
  const argv = argvIn(json);
  return argv === null || argvFlaw(argv) !== null ? null : argv;
}

interface Looking {
  readonly todo: TodoRecord;
  readonly now: Instant;
  readonly dryRun: boolean;
}

const NOT_RUN: Ran = { outcome: "not_run", exit_code: null };

export async function lookAt(
  workspace: WritingWorkspace,
  registered: RegisteredGoal,
  { todo, now, dryRun }: Looking,
): Promise<Looked> {
  const condition = conditionOf(todo);
  if (kindOf(todo) === "monitor" && hasEnded(todo, now)) return { kind: "ended", todo };
  const argv = condition ?? usable(todo.metadata["run"] ?? "");
  if (dryRun || argv === null) return { kind: condition === null ? "unseen" : "not_met", todo, ran: NOT_RUN };
  const end = await run(workspace, registered, argv);
  const ran = ranAs(end);
  if (condition !== null) return { kind: ran.exit_code === 0 ? "met" : "not_met", todo, ran }; // (K2)
  if (end.kind === "not_started") return { kind: "unseen", todo, ran };
  const text = new TextDecoder().decode(end.output.bytes);
  const result_hash = workspace.digest.sha256(JSON.stringify([ran, end.output.total_bytes, text])).slice(0, 32);
  return { kind: "seen", todo, result_hash, material_change: null, ran };
}

const TIMEOUT_MS = 30_000;
const MOST_OUTPUT = 65_536;

async function run(workspace: WritingWorkspace, { goal }: RegisteredGoal, argv: readonly string[]): Promise<CommandEnd> {
  const { runner, env } = await workspace.checking();
  const cwd = placesOf(workspace, goal).repo;
  return await runner.run({
    argv,
    cwd,
    env: verifierEnvironment(env, {}),
    timeout_ms: TIMEOUT_MS,
    max_output_bytes: MOST_OUTPUT,
  });
}

function ranAs(end: CommandEnd): Ran {
  return { outcome: end.kind, exit_code: end.kind === "exited" ? end.exit_code : null };
}
