/**
 * The folders of a project and a runtime root, as far as their entries matter and not their contents.
 *
 * Does not own: reading and writing files (`files.ts`), runs (`run-files.ts`).
 */
import type { Instant } from "../core/instant.ts";

export interface FolderEntry {
  readonly name: string;
  /** A link is a link whatever it leads to. */
  readonly kind: "file" | "folder" | "link" | "other";
}

export interface Tree {
  /** What stands there itself, links not followed. */
  look(path: string): FolderEntry["kind"] | "missing";
  /** With every link resolved; null when there is nothing or a link leads nowhere. */
  realPath(path: string): string | null;
  /** When the entry (after links) was last modified; null when there is none. */
  changedAt(path: string): Instant | null;
  /** In code point order; empty when there is no such folder or it cannot be read. */
  entries(path: string): readonly FolderEntry[];
  /** Of all files below; links are not followed. What cannot be looked at is not counted. */
  bytesBelow(path: string): number;
}
