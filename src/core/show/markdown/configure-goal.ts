/** `loopx configure-goal`, `agent add` and `register-agent` for people: what the registry says of the goal now. */
import { loopxCommand } from "../../command-line.ts";
import { code } from "../escape.ts";
import type { ConfigurationChange, ShownConfiguration } from "../goal-configuration.ts";
import { counted, list, page } from "./table.ts";

export interface ShownConfigureGoal extends ConfigurationChange {
  readonly ok: true;
  readonly goal_id: string;
  readonly changed: boolean;
  readonly dry_run: boolean;
  readonly execute: boolean;
  readonly written: boolean;
  readonly registry: string;
}

/** `writes`: what turns the preview into the deed. */
export function configureGoalPage(answer: ShownConfigureGoal, writes: "execute" | "no_dry_run"): string {
  const { goal_id, registry, before, after } = answer;
  const now = lines(after);
  const was = new Map(lines(before));
  return page(
    [`# ${headline(answer)}`],
    list([`goal: ${code(goal_id)}`, `registry: ${code(registry)}`]),
    list(now.map(([name, words]) => `${name}: ${words}${was.get(name) === words ? "" : ` (was ${was.get(name)})`}`)),
    after.left_out === 0 ? [] : [`${counted(after.left_out, "entry", "entries")} more in the registry.`],
    [nextLine(answer, writes)],
  );
}

function headline({ changed, dry_run }: ShownConfigureGoal): string {
  if (!changed) return "The goal is so already: nothing changed";
  return dry_run ? "The goal would be changed (nothing was written)" : "The goal is changed";
}

function lines({ quota, waiting_on, ...lists }: ShownConfiguration): readonly (readonly [name: string, words: string])[] {
  const share = quota === null ? "cannot be understood" : `${quota.compute} of ${quota.window_hours} h`;
  return [
    ["quota", share],
    ["waits for", waiting_on === null ? "-" : code(waiting_on)],
    ["write scope", words(lists.write_scope)],
    ["agents", words(lists.registered_agents)],
    ["work modes", words(Object.entries(lists.agent_work_modes).map(([agent, mode]) => `${agent}=${mode}`))],
  ];
}

function words(entries: readonly string[]): string {
  return entries.length === 0 ? "-" : entries.map(code).join(", ");
}

function nextLine({ goal_id, changed, dry_run }: ShownConfigureGoal, writes: "execute" | "no_dry_run"): string {
  if (dry_run && changed) return `Next: the same command ${writes === "execute" ? "with `--execute`" : "without `--dry-run`"}`;
  return `Next: ${code(loopxCommand("goal", "show", "--goal-id", goal_id))}`;
}
