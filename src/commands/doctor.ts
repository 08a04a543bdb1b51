/**
 * `doctor`: looks at machine, store and files, says what is wrong and what cures it.
 *
 * Does not own: the checks (`doctor/rules.ts`), what is answered (`core/show/doctor.ts`).
 *
 * D1  What is broken is a finding, never the end of the examination: each check stands alone, and one that fails says so.
 * D2  Without `fix` nothing is written but caches; a store or folder that is not there is not made.
 * D3  A repair runs under the same locks as a command; whatever it cannot do stays found.
 */
import { type Roots, resolveRoots } from "../core/registry/resolve-roots.ts";
import { done, type Reply, reject } from "../core/result.ts";
import { buildDoctor, type DoctorPayload, type Finding, type FixedFinding } from "../core/show/doctor.ts";
import { isFault } from "../errors.ts";
import type { RegistryFile } from "../ports/files.ts";
import type { DoctorRequest } from "./app.ts";
import type { Check, DoctorPorts, Examined, Found, Look } from "./doctor/check.ts";
import { CHECKS } from "./doctor/rules.ts";
import { accessToLook } from "./ground.ts";
import { registryRows } from "./registry-rows.ts";
import type { WritingWorkspace } from "./workspace.ts";

export async function doctor(ports: DoctorPorts, { fix, dryRun }: DoctorRequest): Promise<Reply<DoctorPayload>> {
  const mode = modeOf(fix, dryRun);
  const examined = await examine(ports, mode);
  const results: Result[] = [];
  for (const check of CHECKS) results.push(await run(check, examined, mode));
  return done(
    buildDoctor({
      checks: results.map(({ row }) => row),
      findings: results.flatMap(({ findings }) => findings),
      fixed: results.flatMap(({ fixed }) => fixed),
      dry_run: dryRun,
    }),
  );
}

function modeOf(fix: boolean, dryRun: boolean): Mode {
  if (!fix) return "look";
  return dryRun ? "rehearse" : "repair";
}

interface Result {
  readonly row: { readonly check: string; readonly says: string; readonly skipped: boolean };
  readonly findings: readonly Finding[];
  readonly fixed: readonly FixedFinding[];
}

async function run(check: Check, examined: Examined, mode: Mode): Promise<Result> {
  const look = await lookAt(check, examined);
  const findings: Finding[] = [];
  const fixed: FixedFinding[] = [];
  for (const found of look.kind === "looked" ? look.found : []) {
    const outcome = await repaired(found, mode);
    if (outcome !== null) fixed.push({ check: check.name, ...placeOf(found), ...outcome });
    if (outcome?.outcome !== "fixed") findings.push(findingOf(check, found));
  }
  return { row: { check: check.name, says: look.says, skipped: look.kind === "skipped" }, findings, fixed };
}

type Mode = "look" | "rehearse" | "repair";

async function examine(ports: DoctorPorts, mode: Mode): Promise<Examined> {
  const roots = resolveRoots(ports.flags, ports.view);
  if (roots.kind !== "done") return { ...ports, roots, registry: null, workspace: null, store_failure: null, rows: null };
  const registry = await readRegistry(ports, roots.value);
  const opened = await openStore(ports, { roots: roots.value, mode });
  const rows = opened.workspace === null || registry.kind !== "done" ? null : await registryRows(opened.workspace).catch(noRows);
  return { ...ports, roots, registry, ...opened, rows: rows?.kind === "done" ? rows.value : null };
}

/** (D1) */
async function readRegistry({ files }: DoctorPorts, { registry_path }: Roots): Promise<Reply<RegistryFile>> {
  const read = await files.registryReader();
  try {
    return read(registry_path);
  } catch (error) {
    return reject("registry_failed", messageOf(error));
  }
}

/** (D1) A damaged store has no rows; the check of its integrity says why. */
function noRows(error: unknown): null {
  if (isFault(error)) return null;
  throw error;
}

/** (D2) */
async function openStore(
  ports: DoctorPorts,
  { roots, mode }: { readonly roots: Roots; readonly mode: Mode },
): Promise<{ readonly workspace: WritingWorkspace | null; readonly store_failure: unknown }> {
  try {
    const workspace = await ports.open(roots, mode === "repair" ? "read_write" : accessToLook(ports, roots));
    return { workspace, store_failure: null };
  } catch (store_failure) {
    return { workspace: null, store_failure };
  }
}

/** (D1) */
async function lookAt(check: Check, examined: Examined): Promise<Look> {
  try {
    return await check.look(examined);
  } catch (error) {
    return { kind: "looked", says: "could not be finished", found: [{ severity: "error", message: messageOf(error) }] };
  }
}

function messageOf(error: unknown): string {
  if (isFault(error) && error.hint !== null) return `${error.message} ${error.hint}`;
  return error instanceof Error ? error.message : String(error);
}

/** (D3) Null: nothing was to be repaired. */
async function repaired({ message, repair }: Found, mode: Mode): Promise<Pick<FixedFinding, "outcome" | "message"> | null> {
  if (repair === undefined || mode === "look") return null;
  if (mode === "rehearse") return { outcome: "would_fix", message };
  try {
    const said = await repair();
    return said === null ? { outcome: "not_fixed", message } : { outcome: "fixed", message: said };
  } catch (error) {
    return { outcome: "not_fixed", message: messageOf(error) };
  }
}

function findingOf({ name }: Check, { severity, message, path, line, fix }: Found): Finding {
  return {
    check: name,
    severity,
    ...(path !== undefined && { path }),
    ...(line !== undefined && { line }),
    message,
    ...(fix !== undefined && { fix }),
  };
}

function placeOf({ path }: Found): { readonly path?: string } {
  return path === undefined ? {} : { path };
}
