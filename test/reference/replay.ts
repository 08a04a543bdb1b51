/** Runs the steps of a case through the built program, each on what the one before left. */
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { withoutTimes } from "./clock-words.ts";
import { at, isObject, type Json, listAt, parseJson } from "./json.ts";
import { PROGRAM } from "./program.ts";
import type { RecordedCase, Step } from "./recorded.ts";
import { type Changes, changesBetween, copyInto, materialise, snapshot, withoutRoot, withRoot } from "./tree.ts";

/** What a program did in one step, in the same words for both programs. */
export interface Done {
  readonly exit: number;
  readonly stdout: string;
  readonly stderr: string;
  /** Null for what is no JSON. */
  readonly payload: Json;
  readonly changes: Changes;
}

export interface Replayed {
  readonly root: string;
  /** By step; a change by hand has none. */
  readonly done: ReadonlyMap<string, Done>;
}

interface ByHand {
  readonly root: string;
  readonly folder: string;
}

/** What people did between two commands; the case only says it in words. */
const BY_HAND: Readonly<Record<string, (places: ByHand) => void>> = {
  "legacy-runtime-goal/recreate": recreate,
  "shared-runtime-projection/break-route": breakRoute,
  "active-state-shapes/structured-projections": () => undefined,
};

/** The same folder again, with the run that the second archive then holds. */
function recreate({ root, folder }: ByHand): void {
  const archives = join(folder, "after/runtime/archived-goals");
  const second =
    readdirSync(archives)
      .filter((name) => name.startsWith("old-goal-"))
      .sort()[1] ?? "";
  copyInto(root, { from: join(archives, second), to: join(root, "runtime/goals/old-goal") });
}

function breakRoute({ root }: ByHand): void {
  const path = join(root, "shared-rt/registry.global.json");
  const registry = objectOf(parseJson(readFileSync(path, "utf8")));
  const goals = listAt(registry, "goals").map((goal) => ({
    ...objectOf(goal),
    source_registry: `${root}/elsewhere/registry.json`,
  }));
  writeFileSync(path, JSON.stringify({ ...registry, goals }));
}

export function replay(recorded: RecordedCase): Replayed {
  const root = materialise(join(recorded.folder, "input"));
  const done = new Map<string, Done>();
  let before = snapshot(root);
  for (const step of recorded.steps) {
    if (step.argv === null) byHand(`${recorded.name}/${step.name}`, { root, folder: recorded.folder });
    const ran = step.argv === null ? null : run(root, step, step.argv);
    const after = snapshot(root);
    if (ran !== null) done.set(step.name, { ...ran, changes: changesBetween(before, after) });
    before = after;
  }
  return { root, done };
}

function byHand(name: string, places: ByHand): void {
  const change = BY_HAND[name];
  if (change === undefined) throw new Error(`The suite does not know how to make the change ${name} by hand.`);
  change(places);
}

function run(root: string, step: Step, argv: readonly string[]): Omit<Done, "changes"> {
  const first = spawn(root, step, argv);
  const whole = argv.includes("status") && leftOut(first.payload) ? spawn(root, step, everything(argv)) : first;
  return { ...first, payload: whole.payload };
}

function spawn(root: string, step: Step, argv: readonly string[]): Omit<Done, "changes"> {
  const env = Object.fromEntries(Object.entries(step.env).map(([key, value]) => [key, withRoot(root, value)]));
  const options = { cwd: withRoot(root, step.cwd), env: { ...env, PATH: process.env["PATH"] }, maxBuffer: 64 * 1024 * 1024 };
  const args = argv.map((word) => withRoot(root, word));
  const ran = spawnSync(process.execPath, [PROGRAM, ...args], { ...options, encoding: "utf8" });
  if (ran.error !== undefined) throw ran.error;
  const stdout = withoutTimes(withoutRoot(root, ran.stdout));
  return { exit: ran.status ?? -1, stdout, stderr: ran.stderr, payload: parseJson(stdout) };
}

/** Ours shows a page where the reference shows all goals. */
function leftOut(payload: Json): boolean {
  return (at(payload, "left_out", "goals") ?? 0) !== 0 || (at(payload, "left_out", "attention") ?? 0) !== 0;
}

function everything(argv: readonly string[]): readonly string[] {
  const place = argv.indexOf("--limit");
  return place === -1 ? [...argv, "--all"] : [...argv.slice(0, place), ...argv.slice(place + 2), "--all"];
}

export function recordedDone(step: Step): Done {
  const stdout = withoutTimes(step.stdout);
  return { exit: step.exit, stdout, stderr: "", payload: parseJson(stdout), changes: step };
}

function objectOf(value: Json): { readonly [key: string]: Json } {
  return isObject(value) ? value : {};
}
