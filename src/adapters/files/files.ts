/**
 * The `Files` port on the file system of this machine.
 */
import type { Files } from "../../ports/files.ts";
import { fingerprint, isSettled } from "./fingerprint.ts";
import { readText } from "./read-text.ts";

export const localFiles: Files = {
  readText: (path) => readText(path),
  fingerprint,
  isSettled,
  registryReader: async () => (await import("./registry-file.ts")).readRegistryFile,
};
