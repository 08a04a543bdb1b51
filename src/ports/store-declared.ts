/** Rows of a registry as the store keeps them. */
import type { Problem } from "../core/result.ts";

export interface RegistryCheckpoint {
  /** Real path. */
  readonly path: string;
  readonly fingerprint: string;
  readonly sha256: string;
  readonly goal_count: number;
  /** Everything of the registry except its goals, as JSON text. */
  readonly header: string;
  readonly problems: readonly Problem[];
}

export interface DeclaredRow {
  readonly goal_id: string;
  /** From 0, the place in the registry's `goals`. */
  readonly ordinal: number;
  /** The declared goal (`core/registry`) as JSON text. */
  readonly data: string;
}
