/**
 * The program killed at every call by which `archive` and `restore` change a disk, on one file system and over two: the
 * folder is whole in one of its places, and the same command again ends with everything where it belongs.
 */

import { spawnSync } from "node:child_process";
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { snapshot } from "../../src/commands/archive.sample.ts";
import { emptyFolder, type Project, registryText, STATE, writeTo } from "./program.ts";
import { killAt, type Point, type Run, traceSyscalls, WRITING } from "./trace.ts";

const OTHER_DISK = "/dev/shm";
/** The runtime itself makes a call more or less: a run that was not killed is tried again. */
const MOST_TRIES = 4;

interface Place {
  readonly project: Project;
  readonly goal: string;
  readonly archives: string;
  readonly before: readonly string[];
}

function setUp(archives: string | null): Place {
  const project = emptyFolder();
  writeTo(project.registry, registryText(["alpha"]));
  writeTo(project.stateFile(), STATE);
  const goal = join(project.root, "goals/alpha");
  // Little of each kind: `archive-disks.test.ts` has a fuller folder.
  writeTo(join(goal, "runs/index.jsonl"), `${JSON.stringify({ generated_at: "2026-08-01T09:30:00Z", goal_id: "alpha" })}\n`);
  mkdirSync(join(goal, "empty"));
  symlinkSync("runs", join(goal, "link"));
  utimesSync(join(goal, "runs/index.jsonl"), 1_700_000_000, 1_700_000_000);
  return { project, goal, archives: archives ?? join(project.root, "archived-goals"), before: snapshot(goal) };
}

function run(project: Project, ...args: readonly string[]): Run {
  const [program = "", ...rest] = project.argv(...args);
  const ended = spawnSync(program, rest, { cwd: project.folder, encoding: "utf8", timeout: 30_000 });
  return { exit: ended.status ?? -1, stdout: ended.stdout, stderr: ended.stderr };
}

function archiveArgs({ archives }: Place): readonly string[] {
  return ["archive", "--goal-id", "alpha", "--allow-registered", "--archive-root", archives];
}

const RESTORE = ["restore", "--goal-id", "alpha"] as const;

/** Calls on files of the project or the archive root, by name and number. */
function points(place: Place, args: readonly string[]): readonly Point[] {
  const { project, archives } = place;
  const trace = traceSyscalls(project.argv(...args), { cwd: project.folder });
  expect([trace.exit, trace.stderr]).toEqual([0, ""]);
  const folders = [project.folder, archives];
  const touches = (path: string): boolean => folders.some((folder) => path === folder || path.startsWith(`${folder}/`));
  const calls = trace.calls.filter((call) => WRITING.includes(call.name) && call.paths.some(touches));
  return calls.map((call) => ({ syscall: call.name, ordinal: call.ordinal }));
}

function isWhole({ goal, archives, before }: Place): boolean {
  const archived = existsSync(archives) ? readdirSync(archives).filter((name) => !name.startsWith(".")) : [];
  const places = [goal, ...archived.map((name) => join(archives, name))].filter((path) => existsSync(path));
  return places.some((path) => {
    const there = new Set(snapshot(path));
    return before.every((line) => line.startsWith("/ ") || there.has(line));
  });
}

function hidden({ project, archives }: Place): readonly string[] {
  const names = [project.root, archives].flatMap((folder) => (existsSync(folder) ? readdirSync(folder) : []));
  return names.filter((name) => name.startsWith("."));
}

function activation({ project }: Place): string | undefined {
  return JSON.parse(readFileSync(project.registry, "utf8")).goals[0].activation?.state;
}

/** Really killed, or the sweep fails. */
function killed(args: readonly string[], { point, reset }: { readonly point: Point; readonly reset: () => Place }): void {
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    const { project } = reset();
    if (killAt(project.argv(...args), point, { cwd: project.folder }).killed) return;
  }
  throw new Error(`not killed at ${point.syscall} ${point.ordinal}`);
}

/** A project that LoopX knows already, as it stands after `prepare`; `reset` puts it back there. */
function standing(
  disks: string,
  prepare: (place: Place) => void,
): { readonly place: Place; readonly reset: () => Place; readonly remove: () => void } {
  const other = disks === "two disks" ? mkdtempSync(join(OTHER_DISK, "loopx-sweep-")) : null;
  if (other !== null) expect(lstatSync(other).dev).not.toBe(statSync(tmpdir()).dev);
  const place = setUp(other);
  expect(run(place.project, "status").exit).toBe(0);
  prepare(place);
  const folders = [place.project.folder, ...(other === null ? [] : [other])];
  for (const folder of folders) copy(folder, `${folder}.kept`);
  const reset = (): Place => {
    for (const folder of folders) copy(`${folder}.kept`, folder);
    return place;
  };
  const remove = (): void => {
    for (const folder of folders) for (const each of [folder, `${folder}.kept`]) rmSync(each, { recursive: true, force: true });
  };
  return { place, reset, remove };
}

/** With names that are no UTF-8. */
function copy(from: string, to: string): void {
  rmSync(to, { recursive: true, force: true });
  expect(spawnSync("cp", ["-a", from, to]).status).toBe(0);
}

/** Each point with what an expectation says when it fails there. */
function sweep(
  disks: string,
  args: (place: Place) => readonly string[],
  prepare: (place: Place) => void,
  check: (place: Place, at: string) => void,
): void {
  const { place, reset, remove } = standing(disks, prepare);
  try {
    const found = points(place, args(place));
    expect(found.length).toBeGreaterThan(20);
    for (const point of found) {
      killed(args(place), { point, reset });
      const at = `${point.syscall} ${point.ordinal}`;
      expect([at, isWhole(place)]).toEqual([at, true]);
      check(place, at);
    }
  } finally {
    remove();
  }
}

const outcome = (ended: Run): string => (ended.exit === 0 ? "ok" : JSON.parse(ended.stdout).code);

test.each(["one disk", "two disks"])("archive, over %s", (disks) => {
  sweep(
    disks,
    archiveArgs,
    () => undefined,
    (place, at) => {
      // Killed after its last word to the journal, the same command is told where the goal went.
      expect([at, outcome(run(place.project, ...archiveArgs(place)))]).toEqual([
        at,
        expect.stringMatching(/^(ok|goal_archived)$/),
      ]);
      expect([at, existsSync(place.goal), isWhole(place), activation(place), hidden(place)]).toEqual([
        at,
        false,
        true,
        "stopped",
        [],
      ]);
      expect([at, run(place.project, "status").exit]).toEqual([at, 0]);
    },
  );
});

test.each(["one disk", "two disks"])("restore, over %s", (disks) => {
  const prepare = (place: Place): void => expect(run(place.project, ...archiveArgs(place)).exit).toBe(0);
  sweep(
    disks,
    () => RESTORE,
    prepare,
    (place, at) => {
      expect([at, outcome(run(place.project, ...RESTORE))]).toEqual([at, expect.stringMatching(/^(ok|goal_exists)$/)]);
      expect([at, snapshot(place.goal), activation(place), hidden(place)]).toEqual([at, place.before, "active", []]);
      expect([at, readdirSync(place.archives)]).toEqual([at, []]);
    },
  );
});
