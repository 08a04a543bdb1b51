/**
 * The program killed at every call by which `archive` and `restore` change a disk, on one file system and over two: the
 * folder is whole in one of its places, and the same command again ends with everything where it belongs.
 */

import { spawnSync } from "node:child_process";
import { existsSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { fillGoal, snapshot } from "../../src/commands/archive.sample.ts";
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
  fillGoal(goal, "alpha");
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
function killed(
  { project }: Place,
  args: readonly string[],
  { point, reset }: { readonly point: Point; readonly reset: () => Place },
): Place {
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    const place = reset();
    const end = killAt(place.project.argv(...args), point, { cwd: place.project.folder });
    if (end.killed) return place;
    place.project.remove();
  }
  throw new Error(`not killed at ${point.syscall} ${point.ordinal} in ${project.folder}`);
}

test.each(["one disk", "two disks"])("archive, over %s", (disks) => {
  const root = disks === "two disks" ? mkdtempSync(join(OTHER_DISK, "loopx-sweep-")) : null;
  if (root !== null) expect(lstatSync(root).dev).not.toBe(statSync(tmpdir()).dev);
  const fresh = (): Place => {
    if (root !== null) for (const name of readdirSync(root)) rmSync(join(root, name), { recursive: true });
    return setUp(root);
  };
  const first = fresh();
  const found = points(first, archiveArgs(first));
  expect(found.length).toBeGreaterThan(20);
  for (const point of found) {
    const args = archiveArgs({ ...first, archives: root ?? "" }).slice(0, root === null ? 4 : 6);
    const place = killed(first, args, { point, reset: fresh });
    const at = `${point.syscall} ${point.ordinal}`;
    expect([at, isWhole(place)]).toEqual([at, true]);
    const again = run(place.project, ...args);
    // Killed after its last word to the journal, it is told where the goal went.
    expect([at, again.exit === 0 ? "ok" : JSON.parse(again.stdout).code]).toEqual([
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
    expect(run(place.project, "status").exit).toBe(0);
    expect(run(place.project, ...RESTORE).exit).toBe(0);
    expect([at, snapshot(place.goal)]).toEqual([at, place.before]);
    place.project.remove();
  }
  first.project.remove();
  if (root !== null) rmSync(root, { recursive: true });
});

test.each(["one disk", "two disks"])("restore, over %s", (disks) => {
  const root = disks === "two disks" ? mkdtempSync(join(OTHER_DISK, "loopx-sweep-")) : null;
  const fresh = (): Place => {
    if (root !== null) for (const name of readdirSync(root)) rmSync(join(root, name), { recursive: true });
    const place = setUp(root);
    if (root === null) mkdirSync(place.archives, { recursive: true });
    expect(run(place.project, ...archiveArgs(place)).exit).toBe(0);
    return place;
  };
  const first = fresh();
  const found = points(first, RESTORE);
  expect(found.length).toBeGreaterThan(20);
  for (const point of found) {
    const place = killed(first, RESTORE, { point, reset: fresh });
    const at = `${point.syscall} ${point.ordinal}`;
    expect([at, isWhole(place)]).toEqual([at, true]);
    const again = run(place.project, ...RESTORE);
    expect([at, again.exit === 0 ? "ok" : JSON.parse(again.stdout).code]).toEqual([
      at,
      expect.stringMatching(/^(ok|goal_exists)$/),
    ]);
    expect([at, snapshot(place.goal), activation(place), hidden(place)]).toEqual([at, place.before, "active", []]);
    expect(readdirSync(place.archives)).toEqual([]);
    expect(run(place.project, "status").exit).toBe(0);
    place.project.remove();
  }
  first.project.remove();
  if (root !== null) rmSync(root, { recursive: true });
});
