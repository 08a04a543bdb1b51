/**
 * The `Files` port on the file system of this machine.
 */
import type { Files } from "../../ports/files.ts";
import { fingerprint, isSettled } from "./fingerprint.ts";
import { readText } from "./read-text.ts";
import { findLeftovers, recoverFile } from "./recover-file.ts";
import { replaceFile } from "./replace-file.ts";
import { createFile, writeAtomically } from "./write-file.ts";

export const localFiles: Files = {
  readText: (path) => readText(path),
  fingerprint,
  isSettled,
  registryReader: async () => (await import("./registry-file.ts")).readRegistryFile,
  replaceFile: (replacement) => replaceFile(replacement),
  createFile: (path, text) => createFile(path, text),
  writeAtomically: (path, text) => writeAtomically(path, text),
  recoverFile: (path) => recoverFile(path),
  findLeftovers: (folder) => findLeftovers(folder),
};
