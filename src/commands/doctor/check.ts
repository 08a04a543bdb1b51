/**
 * What a check is, and what all checks look at.
 *
 * Does not own: the list of checks (`rules.ts`), running them (`../doctor.ts`).
 */

import type { Roots } from "../../core/registry/resolve-roots.ts";
import type { Reply } from "../../core/result.ts";
import type { FindingSeverity } from "../../core/show/doctor.ts";
import type { RegistryFile } from "../../ports/files.ts";
import type { Machine } from "../../ports/machine.ts";
import type { Digest } from "../../ports/system.ts";
import type { Ground } from "../ground.ts";
import type { RegistryRows } from "../registry-rows.ts";
import type { WritingWorkspace } from "../workspace.ts";

export interface DoctorPorts extends Ground {
  readonly machine: Machine;
  readonly digest: Digest;
}

/** As far as it could be opened: what is broken is null, and the thing that broke it is kept for the check that says so. */
export interface Examined extends DoctorPorts {
  readonly roots: Reply<Roots>;
  /** Null: no roots. */
  readonly registry: Reply<RegistryFile> | null;
  readonly workspace: WritingWorkspace | null;
  /** What was thrown when the store was opened. */
  readonly store_failure: unknown;
  readonly rows: RegistryRows | null;
}

export interface Found {
  readonly severity: FindingSeverity;
  readonly message: string;
  readonly path?: string;
  readonly line?: number;
  readonly fix?: string;
  /** Answers what was done; null: it could not be done. */
  readonly repair?: () => Promise<string | null>;
}

export type Look =
  | { readonly kind: "looked"; readonly says: string; readonly found: readonly Found[] }
  | { readonly kind: "skipped"; readonly says: string };

export interface Check {
  readonly name: string;
  look(examined: Examined): Look | Promise<Look>;
}

export const FIX = "loopx doctor --fix";

export function looked(says: string, found: readonly Found[] = []): Look {
  return { kind: "looked", says, found };
}

export function skipped(says: string): Look {
  return { kind: "skipped", says };
}

export const NO_ROOTS: Look = skipped("no project to look at");
export const NO_STORE: Look = skipped("the store or the registry cannot be read");
