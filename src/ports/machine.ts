/**
 * Facts of this machine that decide how well LoopX runs on it.
 *
 * Does not own: what is good or bad about them (`commands/doctor`).
 */

export interface Mount {
  readonly mount_point: string;
  /** Of the file system, for example `ext4`. */
  readonly kind: string;
  readonly options: readonly string[];
}

export type SyncTime =
  | { readonly kind: "measured"; readonly milliseconds: number }
  /** Of the file system, for example `EROFS`. */
  | { readonly kind: "failed"; readonly code: string };

export interface Machine {
  /** Without a leading `v`. */
  readonly node_version: string;
  /** The file that `NODE_EXTRA_CA_CERTS` names; null when it is unset. */
  readonly extra_certificates: string | null;
  /** Names the device that a path, or the nearest folder above it that is there, lies on; null when it cannot be told. */
  deviceOf(path: string): string | null;
  /** What a path lies on; null where the system does not tell. */
  mountOf(path: string): Mount | null;
  freeBytes(path: string): number | null;
  /** The median of a few small writes that wait for the disk, in a folder that is there; leaves nothing behind. */
  syncTime(folder: string): SyncTime;
  /** Whether a server of this machine could listen there. */
  portState(port: number): Promise<"free" | "in_use" | "not_permitted">;
}
