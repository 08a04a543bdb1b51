/** `init`, `goal add`, `goal stop`, `goal resume`, `goal-lifecycle` and `goal remove` for people: what is different now, and what to type next. */
import { loopxCommand } from "../../command-line.ts";
import type { Problem } from "../../result.ts";
import { code } from "../escape.ts";
import { list, page } from "./table.ts";
import { problemLine } from "./words.ts";

interface Edited {
  readonly goal_id: string;
  readonly changed: boolean;
  readonly dry_run: boolean;
  readonly registry: string;
}

export interface ShownInit extends Edited {
  /** Paths and the id of what was made, or would be; false for what was there. */
  readonly created: Readonly<Record<"registry" | "goal" | "state_file" | "gitignore", string | false>>;
  readonly state_file: string | null;
  readonly warnings: readonly Problem[];
  readonly next_commands: readonly string[];
}

export interface ShownGoalAdd extends Edited {
  readonly state_file: string | null;
  readonly warnings: readonly Problem[];
  readonly next_commands: readonly string[];
}

export interface ShownActivation extends Edited {
  readonly before: "active" | "stopped";
  readonly activation: "active" | "stopped";
  readonly reason: string | null;
  readonly warnings: readonly Problem[];
}

export interface ShownGoalRemove extends Edited {
  readonly kept: { readonly state_file: string | null; readonly runtime: string | null };
  readonly next_commands: readonly string[];
}

const CREATED = [
  ["registry", "registry"],
  ["goal", "goal"],
  ["state_file", "state file"],
  ["gitignore", "ignored by git in"],
] as const;

export function initPage(answer: ShownInit): string {
  const { created, goal_id, registry, warnings, next_commands } = answer;
  const made = CREATED.flatMap(([key, words]) => (created[key] === false ? [] : [`${words}: ${code(created[key])}`]));
  return page(
    [headline(answer, { done: "This folder is a LoopX project", would: "This folder would be a LoopX project" })],
    answer.changed ? list(made) : list([`goal: ${code(goal_id)}`, `registry: ${code(registry)}`]),
    list(warnings.map(problemLine)),
    nextLine(answer, next_commands),
  );
}

export function goalAddPage(answer: ShownGoalAdd): string {
  const { goal_id, registry, state_file, warnings, next_commands } = answer;
  const file = state_file === null ? [] : [`state file: ${code(state_file)}`];
  return page(
    [headline(answer, { done: "Goal added", would: "The goal would be added" })],
    list([`goal: ${code(goal_id)}`, ...file, `registry: ${code(registry)}`]),
    list(warnings.map(problemLine)),
    nextLine(answer, next_commands),
  );
}

/** `writes`: what turns the preview into the deed. */
export function activationPage(answer: ShownActivation, writes: "execute" | "no_dry_run"): string {
  const { goal_id, activation, reason, registry, warnings } = answer;
  const why = reason === null || reason === "" ? [] : [`reason: ${code(reason)}`];
  const words = { active: "active again", stopped: "stopped: it takes no runs" }[activation];
  const back = activation === "active" ? ["goal", "show"] : ["goal", "resume"];
  return page(
    [headline(answer, { done: `The goal is ${words}`, would: `The goal would be ${words}` })],
    list([`goal: ${code(goal_id)}`, ...why, `registry: ${code(registry)}`]),
    list(warnings.map(problemLine)),
    nextLine(answer, [loopxCommand(...back, "--goal-id", goal_id)], writes),
  );
}

export function goalRemovePage(answer: ShownGoalRemove): string {
  const { goal_id, registry, kept, next_commands } = answer;
  const stays = [kept.state_file, kept.runtime].filter((path) => path !== null);
  return page(
    [headline(answer, { done: "The goal is no longer in the registry", would: "The goal would leave the registry" })],
    list([`goal: ${code(goal_id)}`, `registry: ${code(registry)}`, ...stays.map((path) => `kept: ${code(path)}`)]),
    nextLine(answer, next_commands),
  );
}

function headline({ changed, dry_run }: Edited, words: { readonly done: string; readonly would: string }): string {
  if (!changed) return `# ${words.done} already: nothing changed`;
  return dry_run ? `# ${words.would} (nothing was written)` : `# ${words.done}`;
}

function nextLine(
  { changed, dry_run }: Edited,
  commands: readonly string[],
  writes: "execute" | "no_dry_run" = "no_dry_run",
): readonly string[] {
  if (dry_run && changed) return [`Next: the same command ${writes === "execute" ? "with `--execute`" : "without `--dry-run`"}`];
  return commands.length === 0 ? [`Next: ${code("loopx status")}`] : [`Next: ${commands.map(code).join(" or ")}`];
}
