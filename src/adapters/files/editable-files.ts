/**
 * The `EditableFiles` port on the file system of this machine.
 */
import type { EditableFiles } from "../../ports/files.ts";
import { localFiles } from "./files.ts";
import { discardText, prepareText } from "./prepare-text.ts";
import { findLeftovers, needsRecovery, recoverFile } from "./recover-file.ts";
import { replaceFile } from "./replace-file.ts";
import { createFile, writeAtomically } from "./write-file.ts";

export const editableFiles: EditableFiles = {
  ...localFiles,
  prepareText: (replacement) => prepareText(replacement),
  discardText: (prepared) => discardText(prepared),
  replaceFile: (replacement) => replaceFile(replacement),
  createFile: (path, text) => createFile(path, text),
  writeAtomically: (path, text) => writeAtomically(path, text),
  needsRecovery: (path) => needsRecovery(path),
  recoverFile: (path) => recoverFile(path),
  findLeftovers: (folder) => findLeftovers(folder),
};
