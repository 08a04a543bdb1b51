/**
 * The folders of goals as wholes: where they stand, and moving them between `goals/` and an archive.
 *
 * Does not own: when a folder may move (`commands/archive-finish.ts`), what an archive is called (`core/goal/archive-name.ts`).
 *
 * F1  A folder appears under its new name whole or not at all, and never inside something that has that name.
 * F2  Nothing is followed out of a tree: a goal's folder that is a link is none; links inside are moved and copied as links.
 * F3  What can be expected is a value; a disk that fails is thrown as a `Fault`, and the same call again goes on.
 * F4  Only what stands in the copy too, byte for byte, is deleted.
 */
import type { ManifestIdentity } from "../core/goal/archive-manifest.ts";
import type { GoalId } from "../core/id.ts";

export type StandingFolder =
  | { readonly kind: "folder"; readonly path: string }
  /** `link`: whatever it leads to. */
  | { readonly kind: "missing" | "not_folder" | "link"; readonly path: string };

export interface FolderMove {
  readonly source: string;
  readonly target: string;
}

/** What LoopX adds to an archive. */
export interface ArchiveExport {
  /** The text of `archive.json` for a folder that holds this. */
  readonly manifest: (contents: FolderContents) => string;
  readonly journal: () => AsyncIterable<string>;
}

export interface FolderContents {
  readonly entries: readonly {
    readonly path: string;
    readonly kind: "file" | "folder" | "link" | "other";
    readonly size: number;
    readonly sha256?: string;
  }[];
  readonly file_count: number;
  readonly bytes: number;
}

/** A whole copy under a name of its own on the target's file system. */
export interface StagedFolder {
  readonly path: string;
  /** What the source held when it was copied. */
  readonly state: string;
}

export type Published =
  | "moved"
  /** Something has the target's name. */
  | "taken"
  /** The source is not there any more. */
  | "gone"
  /** One rename does not reach it: it has to be copied (`stage`) and published. */
  | "other_device"
  /** The source is another one than was staged. */
  | "changed";

export interface GoalFolders {
  /** The folder of a goal under `goals/`. */
  standing(goalId: GoalId): StandingFolder;
  /** With links resolved in as much of the path as exists; null when a part of it is no folder. */
  realPlace(path: string): string | null;
  /** By their devices, or those of the folders that they will be in. */
  mounts(a: string, b: string): "same" | "different";
  /** A folder, not a link to one. */
  isFolder(path: string): boolean;
  exists(path: string): boolean;
  /** Of an archive, or of a goal's folder on its way; null when there is none. */
  manifest(folder: string): ManifestIdentity | null;
  /** Names in the folder that LoopX would add and that are not its own. */
  takenNames(folder: string): readonly string[];
  /** Sockets, pipes and devices, which cannot be copied; the first few. */
  uncopyable(folder: string): readonly string[];
  /** Adds manifest and journal to a folder, durably; false when it is gone. Again is the same as once. */
  addExport(folder: string, added: ArchiveExport): Promise<boolean>;
  /** Takes them away again. */
  removeExport(folder: string): void;
  /** One rename. Only for the holder of the store's write lock. */
  rename(move: FolderMove): Published;
  /** A verified and durable copy of the source beside the target; null when the source is gone. */
  stage(move: FolderMove, added: ArchiveExport | null): Promise<StagedFolder | null>;
  /** Gives a staged copy its name. Only for the holder of the store's write lock. */
  publish(move: FolderMove, staged: StagedFolder): Published;
  /** Deletes a staged copy that is not needed. */
  discard(staged: StagedFolder): void;
  /** With the target in place: deletes the source (F4). `kept`: it holds what the target does not, and stays as it is. */
  retire(move: FolderMove): "gone" | "kept";
  /** An empty folder in the target's place, when the source is lost. */
  replaceLost(target: string): void;
  /** What interrupted copies of this move have left. */
  clearStage(move: FolderMove): void;
}
