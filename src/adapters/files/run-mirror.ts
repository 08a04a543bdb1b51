/**
 * Writes the files of a recorded run beside the journal (`ports/run-files.ts`).
 *
 * The order is record, summary, row: a row never names a file that was not there. Whatever stops in between is found by
 * its content at the next attempt.
 */
import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  readSync,
  realpathSync,
  unlinkSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import type { GoalId } from "../../core/id.ts";
import { numberedStem } from "../../core/runs/stem.ts";
import type { MirrorOutcome, MirrorRequest, RunMirror } from "../../ports/run-files.ts";
import { errorCode, goalsFolder, INDEX_NAME, isInside, runsFolder } from "./run-index-place.ts";

const CREATE = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
const APPEND = constants.O_RDWR | constants.O_CREAT | constants.O_APPEND | constants.O_NOFOLLOW;
const MODE = 0o644;
const MOST_PAIRS = 10_000;
/** A record is small; a larger file under its name is not ours. */
const MOST_RECORD_BYTES = 4_194_304;

type Step = Extract<MirrorOutcome, { kind: "failed" }>["step"];

/** Why a step stopped; caught in this file. */
class Stopped extends Error {
  readonly step: Step;
  readonly code: string;
  readonly path: string;

  constructor(step: Step, code: string, path: string) {
    super(code);
    this.step = step;
    this.code = code;
    this.path = path;
  }
}

export function runMirror(options: { readonly runtime_root: string }): RunMirror {
  return {
    write: (request) => {
      try {
        return write(options.runtime_root, request);
      } catch (error) {
        if (!(error instanceof Stopped)) throw error;
        return { kind: "failed", step: error.step, code: error.code, path: error.path }; // (X2)
      }
    },
  };
}

function write(root: string, request: MirrorRequest): MirrorOutcome {
  const folder = ensureFolder(root, request.goal_id);
  const names = request.named ?? reserve(folder, request);
  const paths = { json_path: join(folder, names.json), markdown_path: join(folder, names.markdown) };
  if (request.named !== null) createIfMissing("json", paths.json_path, request.record);
  createIfMissing("markdown", paths.markdown_path, request.markdown);
  if (request.named === null) append(join(folder, INDEX_NAME), request.row(paths));
  return { kind: "written", ...paths };
}

/** X1. The goal's runs folder, made where it is missing, as a real path inside the goals folder. */
function ensureFolder(root: string, goalId: GoalId): string {
  const goals = goalsFolder(root);
  try {
    mkdirSync(goals, { recursive: true });
    const real = realpathSync.native(goals);
    let folder = real;
    for (const segment of [goalId, "runs"]) folder = enter(join(folder, segment), real);
    return folder;
  } catch (error) {
    throw error instanceof Stopped ? error : new Stopped("folder", errorCode(error), runsFolder(root, goalId));
  }
}

function enter(folder: string, goals: string): string {
  try {
    mkdirSync(folder);
  } catch (error) {
    if (errorCode(error) !== "EEXIST") throw error;
  }
  const real = realpathSync.native(folder);
  if (!isInside(real, goals)) throw new Stopped("folder", "outside_root", folder);
  return real;
}

/** The first pair of names that is free, or that an interrupted attempt of this very run took. */
function reserve(
  folder: string,
  { stem, event, journal, record, attempt: kind }: MirrorRequest,
): { readonly json: string; readonly markdown: string } {
  for (let attempt = 1; attempt <= MOST_PAIRS; attempt += 1) {
    const name = numberedStem(stem, attempt);
    const names = { json: `${name}.json`, markdown: `${name}.md` };
    const path = join(folder, names.json);
    if (kind === "again" && isOf(path, { event, journal })) return names;
    if (!existsSync(join(folder, names.markdown)) && create("json", path, record)) return names;
  }
  throw new Stopped("json", "no_free_name", join(folder, `${stem}.json`));
}

/** Whether the file is the record of that event. */
function isOf(path: string, { event, journal }: Pick<MirrorRequest, "event" | "journal">): boolean {
  try {
    const descriptor = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      const stats = fstatSync(descriptor);
      if (!stats.isFile() || stats.size > MOST_RECORD_BYTES) return false;
      const value: unknown = JSON.parse(readFileSync(descriptor, "utf8"));
      return isRecord(value) && value["loopx_event"] === event && value["loopx_store"] === journal;
    } finally {
      closeSync(descriptor);
    }
  } catch {
    return false;
  }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}

function createIfMissing(step: Step, path: string, text: string): void {
  if (!existsSync(path)) create(step, path, text);
}

/** X4. False when something of that name is there. */
function create(step: Step, path: string, text: string): boolean {
  let descriptor: number;
  try {
    descriptor = openSync(path, CREATE, MODE);
  } catch (error) {
    if (errorCode(error) === "EEXIST") return false;
    throw new Stopped(step, errorCode(error), path);
  }
  try {
    writeAll(descriptor, text);
  } catch (error) {
    removeQuietly(path);
    throw new Stopped(step, errorCode(error), path);
  } finally {
    closeSync(descriptor);
  }
  return true;
}

function writeAll(descriptor: number, text: string): void {
  const bytes = Buffer.from(text, "utf8");
  for (let done = 0; done < bytes.length; ) done += writeSync(descriptor, bytes, done);
}

function removeQuietly(path: string): void {
  try {
    unlinkSync(path);
  } catch {
    // What is left is an unfinished record under a name that nothing refers to.
  }
}

/** X3. A row that was cut short is followed by a line feed at the next append, and its line is damage until then. */
function append(path: string, row: string): void {
  try {
    const descriptor = openSync(path, APPEND, MODE);
    try {
      const bytes = Buffer.from(`${endsOpen(descriptor) ? "\n" : ""}${row}\n`, "utf8");
      if (writeSync(descriptor, bytes) < bytes.length) throw new Stopped("row", "short_write", path);
    } finally {
      closeSync(descriptor);
    }
  } catch (error) {
    throw error instanceof Stopped ? error : new Stopped("row", errorCode(error), path);
  }
}

/** Whether the last byte of the file is something else than a line feed. */
function endsOpen(descriptor: number): boolean {
  const { size } = fstatSync(descriptor);
  if (size === 0) return false;
  const last = Buffer.alloc(1);
  return readSync(descriptor, last, 0, 1, size - 1) === 1 && last[0] !== 0x0a;
}
