/** `loopx registry` for people: which file and which folder are in use and why, and what is wrong with the file. */
import type { Problem } from "../../result.ts";
import { code } from "../escape.ts";
import { counted, list, page } from "./table.ts";
import { problemLine, text } from "./words.ts";

export interface ShownRegistry {
  readonly registry: string;
  readonly registry_source: string;
  readonly runtime_root: string;
  readonly runtime_root_source: string;
  readonly writable: string;
  readonly goal_count: number;
  readonly status_counts: Readonly<Record<string, number>>;
  readonly problems: readonly Problem[];
  readonly problem_count: number;
}

const SHOWN_PROBLEMS = 10;

export function registryPage(answer: ShownRegistry): string {
  const { registry, registry_source, runtime_root, runtime_root_source, writable, goal_count, problems, problem_count } = answer;
  const shown = problems.slice(0, SHOWN_PROBLEMS).map(problemLine);
  const more = problem_count - shown.length;
  return page(
    [`# Registry with ${counted(goal_count, "goal")}${problem_count === 0 ? "" : `, ${counted(problem_count, "problem")}`}`],
    list([
      `file: ${code(registry)} (${source(registry_source)})`,
      `runtime root: ${code(runtime_root)} (${source(runtime_root_source)})`,
      ...(writable === "yes" ? [] : ["read only: a newer LoopX wrote it"]),
      ...statusLine(answer),
    ]),
    list([...shown, ...(more > 0 ? [`and ${more} more: ${code("loopx registry --json")}`] : [])]),
    [goal_count === 0 ? `Next: ${code('loopx init --objective "What is to be reached"')}` : `Next: ${code("loopx goal list")}`],
  );
}

/** The words of `resolve-roots.ts`. */
function source(word: string): string {
  return text(word.replaceAll("_", " "), 40);
}

function statusLine({ status_counts }: ShownRegistry): readonly string[] {
  const counts = Object.entries(status_counts).slice(0, 6);
  return counts.length === 0 ? [] : [`status: ${counts.map(([word, count]) => `${count} ${text(word, 24)}`).join(", ")}`];
}
