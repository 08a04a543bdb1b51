/**
 * Keeps the runtime folder out of the project's git history: one line in `.gitignore`.
 *
 * K1  Only for a runtime root inside the project, and only when no line covers it yet. A folder that is no git work tree gets
 *     the line too: it may become one, and the journal must not be in its first commit.
 * K2  The line is added at the end; everything else keeps its bytes.
 * K3  What is in the way is a warning: the project works without the line.
 * K4  What an attempt that was cut off left beside the file is ended by the next.
 */
import { folderOf } from "../core/registry/path-text.ts";
import type { Roots } from "../core/registry/resolve-roots.ts";
import type { Problem } from "../core/result.ts";
import type { EditableFiles } from "../ports/files.ts";
import type { WritingWorkspace } from "./workspace.ts";

interface IgnorePlan {
  readonly path: string;
  /** Null: there is no such file yet. */
  readonly text: string | null;
  readonly next: string;
}

export interface Ignored {
  /** The file that has, or would have, the line; null when none was needed. */
  readonly path: string | null;
  readonly warnings: readonly Problem[];
}

const MOST_TRIES = 20;
const NOTHING: Ignored = { path: null, warnings: [] };

/** What `ignoreRuntime` would answer, without writing. */
export function rehearseIgnore({ files }: { readonly files: EditableFiles }, roots: Roots): Ignored {
  const plan = planIgnore(files, roots);
  return "warnings" in plan ? plan : { path: plan.path, warnings: [] };
}

export async function ignoreRuntime({
  files,
  store,
  roots,
}: Pick<WritingWorkspace, "files" | "store" | "roots">): Promise<Ignored> {
  const wasCutOff = files.findLeftovers(roots.project_root).length > 0;
  const plan = planIgnore(files, roots);
  if ("warnings" in plan && (plan.warnings.length > 0 || !wasCutOff)) return plan;
  return await store.exclusively(() => {
    if (wasCutOff) files.recoverFile(`${roots.project_root}/.gitignore`); // (K4)
    return ignoreNow(files, roots);
  });
}

function ignoreNow(files: EditableFiles, roots: Roots): Ignored {
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    const plan = planIgnore(files, roots);
    if ("warnings" in plan) return plan;
    const outcome = write(files, plan, roots);
    if (outcome.kind === "replaced" || outcome.kind === "created") return { path: plan.path, warnings: [] };
    if ("problem" in outcome) return warn(outcome.problem); // (K3)
  }
  return warn({
    path: `${roots.project_root}/.gitignore`,
    code: "file_changed",
    message: "the file was saved again and again while the line was to be added",
  });
}

function write(
  files: EditableFiles,
  { path, text, next }: IgnorePlan,
  roots: Roots,
): ReturnType<EditableFiles["replaceFile"] | EditableFiles["createFile"]> {
  if (text === null) return files.createFile(path, next);
  return files.replaceFile({ path, expected: { kind: "text", text }, next, within: roots.project_root });
}

function planIgnore(files: EditableFiles, roots: Roots): IgnorePlan | Ignored {
  const project = roots.project_root;
  if (!roots.runtime_root.startsWith(`${project}/`)) return NOTHING; // (K1)
  const path = `${project}/.gitignore`;
  const folder = roots.runtime_root.slice(project.length + 1);
  const read = files.readText(path);
  if (read.kind === "unreadable") return warn(read.problem);
  const text = read.kind === "text" ? read.text : null;
  if (isCovered(text ?? "", folder)) return NOTHING; // (K1)
  return { path, text, next: appended(text ?? "", `/${escaped(folder)}/`) };
}

function isCovered(text: string, folder: string): boolean {
  const covering = new Set<string>();
  for (let at = `/${folder}`; at !== "/"; at = folderOf(at)) covering.add(escaped(at.slice(1)));
  return text.split(/\r\n|\r|\n/).some((line) => {
    const named = line
      .replace(/^\uFEFF/, "")
      .trim()
      .replace(/^\//, "")
      .replace(/\/(?:\*\*?)?$/, "");
    return covering.has(named);
  });
}

/** (K2) */
function appended(text: string, line: string): string {
  const newline = /\r\n|\n|\r/.exec(text)?.[0] ?? "\n";
  const begins = text === "" || /[\r\n]$/.test(text) ? "" : newline;
  return `${text}${begins}${line}${newline}`;
}

/** As git reads a pattern: these characters mean themselves behind a backslash. */
function escaped(path: string): string {
  return path.replace(/[\\*?[\]!# ]/g, "\\$&");
}

function warn(problem: Problem): Ignored {
  return { path: null, warnings: [problem] };
}
