/**
 * Projection files as plain functions (seed contract S11): with the runtime root alone the root's, with a goal that goal's.
 */
import { parseGoalId } from "../core/id.ts";
import { done, type Reply, reject } from "../core/result.ts";
import { printJson } from "../core/show/print-json.ts";
import type { EditableFiles, Files } from "../ports/files.ts";
import { PROJECTION_FILE } from "./projection-path.ts";

export interface ProjectionPlace {
  readonly goalId?: string;
}

export function loadSharedRuntimeProjection(
  files: Pick<Files, "readText">,
  runtimeRoot: string,
  place: ProjectionPlace,
): Reply<object | null> {
  const path = pathOf(runtimeRoot, place);
  if (path.kind !== "done") return path;
  const read = files.readText(path.value);
  if (read.kind === "missing") return done(null);
  if (read.kind === "unreadable") return reject(read.problem.code, read.problem.message, { problems: [read.problem] });
  return parsed(path.value, read.text);
}

/** Answers the path that was written. */
export function writeSharedRuntimeProjection(
  files: Pick<EditableFiles, "writeAtomically">,
  runtimeRoot: string,
  { projection, place }: { readonly projection: object; readonly place: ProjectionPlace },
): Reply<string> {
  const path = pathOf(runtimeRoot, place);
  if (path.kind !== "done") return path;
  files.writeAtomically(path.value, printJson(projection));
  return path;
}

function pathOf(runtimeRoot: string, { goalId }: ProjectionPlace): Reply<string> {
  if (goalId === undefined) return done(`${runtimeRoot}/${PROJECTION_FILE}`);
  const parsedId = parseGoalId(goalId);
  if (!parsedId.ok) return reject(parsedId.flaw.code, `goal id ${JSON.stringify(goalId)} ${parsedId.flaw.message}`);
  return done(`${runtimeRoot}/goals/${parsedId.id}/${PROJECTION_FILE}`);
}

function parsed(path: string, text: string): Reply<object> {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return done(value);
  } catch {
    // Said below: a torn projection is written anew by the next refresh.
  }
  return reject("projection_unreadable", `${path} does not hold a projection.`, { fix: "loopx refresh --all" });
}
