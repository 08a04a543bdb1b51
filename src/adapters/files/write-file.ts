/**
 * Writes files that nobody else edits: new ones, and those that can be derived again.
 */
import { mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import type { CreateOutcome } from "../../ports/files.ts";
import { errnoOf, faultOf, pathProblem } from "./file-fault.ts";
import { type FileSteps, fileSteps } from "./file-steps.ts";
import { fingerprint } from "./fingerprint.ts";
import { leftoverName } from "./leftover-names.ts";

const SHARED_MODE = 0o644;
const PRIVATE_MODE = 0o600;

/** Under its name it is whole from the first instant; a name that is taken is left alone. */
export function createFile(path: string, text: string, steps: FileSteps = fileSteps): CreateOutcome {
  return create({ path, text, mode: SHARED_MODE }, steps);
}

/** As `createFile`, and at no instant can anybody else read it. */
export function createPrivateFile(path: string, text: string, steps: FileSteps = fileSteps): CreateOutcome {
  return create({ path, text, mode: PRIVATE_MODE }, steps);
}

interface Creation {
  readonly path: string;
  readonly text: string;
  readonly mode: number;
}

function create({ path, text, mode }: Creation, steps: FileSteps): CreateOutcome {
  try {
    makeFolders(dirname(path), steps);
    if (createNew({ path, bytes: Buffer.from(text), mode }, steps) === "exists") return { kind: "exists" };
    steps.syncFolderOf(path);
    return { kind: "created", fingerprint: fingerprint(path) ?? "" };
  } catch (error) {
    const problem = pathProblem(error, path);
    if (problem === null) throw faultOf(error, path);
    return { kind: "refused", problem };
  }
}

interface NewBytes {
  readonly path: string;
  readonly bytes: Uint8Array;
  readonly mode: number;
}

function createNew({ path, bytes, mode }: NewBytes, steps: FileSteps): "created" | "exists" {
  const temporary = join(dirname(path), leftoverName("tmp"));
  steps.create(temporary, bytes, { mode, keep: "durable" });
  try {
    steps.link(temporary, path);
    return "created";
  } catch (error) {
    if (errnoOf(error) === "EEXIST") return "exists";
    return createDirectly({ path, bytes, mode }, steps);
  } finally {
    steps.remove(temporary);
  }
}

/** For a file system without hard links: the name is exclusive all the same, but a kill can leave half a file. */
function createDirectly({ path, bytes, mode }: NewBytes, steps: FileSteps): "created" | "exists" {
  try {
    steps.create(path, bytes, { mode, keep: "durable" });
    return "created";
  } catch (error) {
    if (errnoOf(error) === "EEXIST") return "exists";
    throw error;
  }
}

/** The name of a new folder is durable once the folder that it is in was synced. */
function makeFolders(folder: string, steps: FileSteps): void {
  const first = mkdirSync(folder, { recursive: true });
  for (let made: string = folder; first !== undefined && made.length >= first.length; made = dirname(made))
    steps.syncFolderOf(made);
}

export function writeAtomically(path: string, text: string, steps: FileSteps = fileSteps): void {
  try {
    mkdirSync(dirname(path), { recursive: true });
    putInPlace(path, text, steps);
  } catch (error) {
    throw faultOf(error, path);
  }
}

function putInPlace(path: string, text: string, steps: FileSteps): void {
  const temporary = join(dirname(path), leftoverName("tmp"));
  steps.create(temporary, Buffer.from(text), { mode: SHARED_MODE, keep: "volatile" });
  renameOrRemove(temporary, { path, steps });
}

function renameOrRemove(temporary: string, { path, steps }: { readonly path: string; readonly steps: FileSteps }): void {
  try {
    steps.rename(temporary, path);
  } catch (error) {
    steps.remove(temporary);
    throw error;
  }
}
