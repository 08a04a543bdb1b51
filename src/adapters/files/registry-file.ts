/**
 * The registry as a file.
 */
import { declareGoals } from "../../core/registry/declare.ts";
import type { FieldReader } from "../../core/registry/fields.ts";
import { parseJsonText } from "../../core/registry/json-text.ts";
import { done, type Problem, type Reply, reject } from "../../core/result.ts";
import type { RegistryFile } from "../../ports/files.ts";
import { registryFieldReader } from "../../schema/registry.ts";
import { problemAt } from "./file-fault.ts";
import { readText } from "./read-text.ts";

/** Goals that are wrong are problems inside the registry; what cannot be read at all is not an empty registry. */
export function readRegistryFile(path: string, fields: FieldReader = registryFieldReader): Reply<RegistryFile> {
  const read = readText(path);
  if (read.kind === "missing") return unreadable(problemAt(path, "registry_not_found", "does not exist"));
  if (read.kind === "unreadable") return unreadable(read.problem);
  const document = parseJsonText(read.text);
  if (!document.ok) {
    const { code, message, line, column } = document.problem;
    return unreadable({ path, code, line, column, message: `${path}:${line}:${column}: ${message}` });
  }
  const registry = declareGoals({ document, path, fields });
  return registry.kind === "done" ? done({ document, registry: registry.value, fingerprint: read.fingerprint }) : registry;
}

function unreadable(problem: Problem): Reply<never> {
  return reject(problem.code, problem.message, { problems: [problem] });
}
