/**
 * The `EditableFiles` port on the file system of this machine.
 */
import type { EditableFiles } from "../../ports/files.ts";
import { localFiles } from "./files.ts";
import { findLeftovers, recoverFile } from "./recover-file.ts";
import { replaceFile } from "./replace-file.ts";
import { createFile, writeAtomically } from "./write-file.ts";

export const editableFiles: EditableFiles = {
  ...localFiles,
  replaceFile: (replacement) => replaceFile(replacement),
  createFile: (path, text) => createFile(path, text),
  writeAtomically: (path, text) => writeAtomically(path, text),
  recoverFile: (path) => recoverFile(path),
  findLeftovers: (folder) => findLeftovers(folder),
};
