/** `loopx registry` for people: which file and which folder are in use and why, and what is wrong with the file. */
import type { RegistrySource, RuntimeRootSource } from "../../registry/resolve-roots.ts";
import type { Problem } from "../../result.ts";
import { code } from "../escape.ts";
import { counted, list, page } from "./table.ts";
import { problemLine, text } from "./words.ts";

export interface ShownRegistry {
  readonly registry: string;
  readonly registry_source: RegistrySource;
  readonly runtime_root: string;
  readonly runtime_root_source: RuntimeRootSource;
  readonly writable: string;
  readonly goal_count: number;
  readonly status_counts: Readonly<Record<string, number>>;
  readonly problems: readonly Problem[];
  readonly problem_count: number;
}

const SHOWN_PROBLEMS = 10;
const REGISTRY_FROM: Readonly<Record<RegistrySource, string>> = {
  flag: "from `--registry`",
  env: "from `LOOPX_REGISTRY`",
  search: "found from the current folder upwards",
  global: "the global one: there is none in the current folder or above it",
};
const ROOT_FROM: Readonly<Record<RuntimeRootSource, string>> = {
  flag: "from `--runtime-root`",
  registry: "named by the registry",
  default: "the default: the registry names none",
};

export function registryPage(answer: ShownRegistry): string {
  const { registry, registry_source, runtime_root, runtime_root_source, writable, goal_count, problems, problem_count } = answer;
  const shown = problems.slice(0, SHOWN_PROBLEMS).map(problemLine);
  const more = problem_count - shown.length;
  return page(
    [`# Registry with ${counted(goal_count, "goal")}${problem_count === 0 ? "" : `, ${counted(problem_count, "problem")}`}`],
    list([
      `file: ${code(registry)} (${REGISTRY_FROM[registry_source]})`,
      `runtime root: ${code(runtime_root)} (${ROOT_FROM[runtime_root_source]})`,
      ...(writable === "yes" ? [] : ["read only: a newer LoopX wrote it"]),
      ...statusLine(answer),
    ]),
    list([...shown, ...(more > 0 ? [`and ${more} more: ${code("loopx registry --json")}`] : [])]),
    [goal_count === 0 ? `Next: ${code('loopx init --objective "What is to be reached"')}` : `Next: ${code("loopx goal list")}`],
  );
}

function statusLine({ status_counts }: ShownRegistry): readonly string[] {
  const counts = Object.entries(status_counts).slice(0, 6);
  return counts.length === 0 ? [] : [`status: ${counts.map(([word, count]) => `${count} ${text(word, 24)}`).join(", ")}`];
}
