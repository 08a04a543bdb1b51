/** Which registry and which runtime root are used, and why. */
import { resolvePath } from "../../core/registry/path-text.ts";
import { chooseRegistry, declaredRootPath, type Roots } from "../../core/registry/resolve-roots.ts";
import type { BadInput, Refusal } from "../../core/result.ts";
import { type Check, type Examined, type Found, type Look, looked } from "./check.ts";

export const roots: Check = {
  name: "roots",
  look: (examined) => {
    const { roots: reply } = examined;
    if (reply.kind !== "done") return unresolved(examined, reply);
    const found = reply.value;
    const says = `registry ${found.registry_path} (${found.registry_source}), runtime root ${found.runtime_root} (${found.runtime_root_source})`;
    return looked(says, [...registryLink(examined, found), ...runtimeLink(examined, found), ...worktree(examined, found)]);
  },
};

/** That there is no project here is no fault of anything, unless one was named. */
function unresolved({ flags, view }: Examined, no: BadInput | Refusal): Look {
  const named = flags.registry !== undefined || (view.env_registry ?? "") !== "";
  const severity = no.code === "registry_not_found" && !named ? "warning" : "error";
  const at = no.kind === "bad_input" ? no.problems[0] : undefined;
  const place = { ...(at?.path !== undefined && { path: at.path }), ...(at?.line !== undefined && { line: at.line }) };
  return looked("no registry", [{ severity, message: no.message, ...place, ...(no.fix !== undefined && { fix: no.fix }) }]);
}

function registryLink({ flags, view }: Examined, found: Roots): readonly Found[] {
  const chosen = chooseRegistry(flags, view);
  if (chosen.kind !== "done" || chosen.value.path === found.registry_path) return [];
  return [
    { severity: "info", message: `the registry is reached through a link: ${found.registry_path}`, path: chosen.value.path },
  ];
}

function runtimeLink({ flags, view }: Examined, found: Roots): readonly Found[] {
  const declared = view.readRuntimeRoot(found.registry_path);
  if (declared.kind !== "done") return [];
  const { project_root, registry_path } = found;
  const named = flags.runtime_root;
  const base = found.registry_source === "global" ? view.cwd : project_root;
  const path = declaredRootPath(named ? { kind: "text", text: resolvePath(base, named) } : declared.value, {
    view,
    project_root,
    registry_path,
  });
  if (named?.startsWith("~") || path.kind !== "done" || path.value.path === found.runtime_root) return [];
  return [
    { severity: "info", message: `the runtime root is reached through a link: ${found.runtime_root}`, path: path.value.path },
  ];
}

function worktree({ view }: Examined, found: Roots): readonly Found[] {
  const main = view.mainRepositoryOf(view.cwd);
  if (main === null) return [];
  return [
    {
      severity: "info",
      message: `this is a linked worktree of ${main}; its goals are those of ${found.project_root}`,
      path: view.cwd,
    },
  ];
}
