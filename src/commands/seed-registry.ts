/**
 * The registry and the runtime root as plain functions (seed contract S01, S02), for programs that embed LoopX.
 *
 * Does not own: which registry a command works on (`core/registry/resolve-roots.ts`).
 */
import { declaredRoot } from "../core/registry/declared-root.ts";
import type { JsonObject, JsonValue } from "../core/registry/json-node.ts";
import { projectRootOf } from "../core/registry/locate.ts";
import { declaredRootPath } from "../core/registry/resolve-roots.ts";
import { type Reply, reject } from "../core/result.ts";
import type { RegistryReader } from "../ports/files.ts";

export interface SeedPorts {
  readonly readRegistry: RegistryReader;
  readonly home: string;
  /** With symlinks resolved in as much of the path as exists. */
  readonly realPath: (path: string) => string;
}

export interface RuntimeRootOptions {
  /** The file that `registry` came from: relative roots belong to its project. */
  readonly registryPath?: string;
  /** Wins over what the registry says. */
  readonly runtimeRootOverride?: string | null;
}

/** The whole registry as it was written, unknown fields too. */
export function loadRegistry({ readRegistry }: SeedPorts, path: string): Reply<JsonObject> {
  const read = readRegistry(path);
  if (read.kind !== "done") return read;
  const root: JsonValue = read.value.document.value;
  if (typeof root === "object" && root !== null && !Array.isArray(root)) return { kind: "done", value: root as JsonObject };
  return reject("registry_not_object", `${path} does not hold a JSON object.`);
}

/** Absolute, and the same from every folder. */
export function resolveRuntimeRoot(
  ports: SeedPorts,
  registry: { readonly common_runtime_root?: unknown },
  options: RuntimeRootOptions,
): Reply<string> {
  const { registryPath, runtimeRootOverride } = options;
  const declared = declaredRoot(runtimeRootOverride || registry.common_runtime_root);
  if (registryPath === undefined && declared.kind === "text" && !/^(?:\/|~(?:\/|$))/.test(declared.text)) {
    return reject("registry_path_missing", "A relative runtime root belongs to the registry's project: pass registryPath.");
  }
  const registry_path = ports.realPath(registryPath ?? "/");
  const found = declaredRootPath(declared, {
    view: { home: ports.home },
    project_root: projectRootOf(registry_path),
    registry_path,
  });
  return found.kind === "done" ? { kind: "done", value: ports.realPath(found.value.path) } : found;
}
