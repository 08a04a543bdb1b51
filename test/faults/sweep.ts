/**
 * A sweep: one run of a command is traced, then at each call that it made on its files the same run is killed, or fails.
 *
 * Does not own: the commands, and what must hold afterwards (the fault tests).
 *
 * W1  Every call that was seen on a file of the project is a point, and at every point the run is really hit: killed with
 *     exit 137, or answered with the error, at that call, on that file. A point that cannot be hit fails the sweep.
 * W2  Each run starts from the same files, in a folder of the same name.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Answered, emptyFolder, keep, type Project, run } from "./program.ts";
import { failedAt, failing, killedAt, killing, type Point, traceSyscalls, WRITING } from "./trace.ts";
import type { Syscall } from "./trace-text.ts";

/** `once`: that call alone fails. `from_then_on`: it and every later one of its name. */
export type Blow =
  | "kill"
  | { readonly errno: string; readonly lasts: "once" | "from_then_on"; readonly calls: readonly string[] };

export interface Sweep {
  /** What happens at each point. */
  readonly blow: Blow;
  /** Makes the project that the command is run in; again for each lane. */
  readonly setUp: (of: Project) => Promise<void>;
  readonly args: readonly string[];
  /** What must hold afterwards; throws when it does not. */
  readonly check: (after: Hit) => Promise<void>;
}

export interface Hit {
  readonly of: Project;
  readonly point: Aim;
  readonly run: Answered;
}

export interface Aim extends Point {
  /** The file, without what is random in its name. */
  readonly file: string;
}

export interface Swept {
  readonly points: number;
  readonly failures: readonly string[];
}

const LANES = 2;
/** Where the call is looked for: the runtime makes one more or less, and a store that holds other times writes other pages. */
const OFFSETS = [0, 0, 1, -1, 2, -2, 3, -3, 4, -4, 5, -5, 6, -6, 8, -8, 0];

export async function sweep(plan: Sweep): Promise<Swept> {
  const lanes = Array.from({ length: LANES }, () => emptyFolder());
  const failures: string[] = [];
  try {
    const points = await pointsOf(plan);
    const waiting = points.entries();
    await Promise.all(lanes.map((lane) => work(plan, lane, { waiting, failures })));
    return { points: points.length, failures };
  } finally {
    for (const lane of lanes) lane.remove();
  }
}

async function pointsOf(plan: Sweep): Promise<readonly Aim[]> {
  const of = emptyFolder();
  try {
    await standing(plan, of);
    const trace = traceSyscalls(of.argv(...plan.args), { cwd: of.folder });
    if (trace.exit !== 0) throw new Error(`the traced run ended with ${trace.exit}: ${trace.stdout}${trace.stderr}`);
    const calls = plan.blow === "kill" ? WRITING : plan.blow.calls;
    const strange = trace.otherCalls.filter((call) => WRITING.includes(call.name) && fileOf(call, of) !== null);
    if (strange.length > 0) throw new Error(`another thread writes: ${strange.map((call) => call.name).join(" ")}`);
    return trace.calls.flatMap((call) => {
      const file = calls.includes(call.name) ? fileOf(call, of) : null;
      return file === null ? [] : [{ syscall: call.name, ordinal: call.ordinal, file }];
    });
  } finally {
    of.remove();
  }
}

/** Files that changed less than two seconds ago are read once more: every run is to meet the same. */
async function standing(plan: Sweep, of: Project): Promise<void> {
  await plan.setUp(of);
  await new Promise((resolve) => setTimeout(resolve, 2100));
}

const RANDOM = /\d+-[0-9a-f]{12}(?:-[0-9a-f]{8,16})*|\d{4}-\d\d-\d\dT[\d-]+/;

function fileOf(call: Syscall, of: Project): string | null {
  const path = call.paths.find((each) => each === of.folder || each.startsWith(`${of.folder}/`));
  return path === undefined ? null : path.slice(of.folder.length).replace(RANDOM, "*");
}

interface Work {
  readonly waiting: IterableIterator<[number, Aim]>;
  readonly failures: string[];
}

async function work(plan: Sweep, lane: Project, { waiting, failures }: Work): Promise<void> {
  await standing(plan, lane);
  const kept = keep(lane);
  try {
    for (const [at, point] of waiting) {
      try {
        await plan.check({ of: lane, point, run: await hitThere(plan, lane, { point, restore: kept.restore }) });
      } catch (error) {
        failures.push(`${at}: ${point.syscall} ${point.ordinal} on ${point.file}: ${String(error)}`);
      }
    }
  } finally {
    kept.forget();
  }
}

/** (W1, W2) */
async function hitThere(
  plan: Sweep,
  lane: Project,
  { point, restore }: { readonly point: Aim; readonly restore: () => void },
): Promise<Answered> {
  const folder = mkdtempSync(join(tmpdir(), "loopx-sweep-"));
  const log = join(folder, "trace");
  try {
    for (const offset of OFFSETS) {
      restore();
      const aim = { ...point, ordinal: Math.max(1, point.ordinal + offset) };
      const ended = await run(armed(plan, lane, { aim, log }), { cwd: lane.folder });
      const call = hitCall(plan.blow, { aim, log, folder: lane.folder });
      const isDead = plan.blow !== "kill" || ended.exit === 137;
      if (isDead && call !== null && fileOf(call, lane) === point.file) return ended;
    }
    throw new Error("the run was not hit at this point");
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function armed(
  { blow, args }: Sweep,
  lane: Project,
  { aim, log }: { readonly aim: Aim; readonly log: string },
): readonly string[] {
  const argv = lane.argv(...args);
  if (blow === "kill") return killing(argv, aim, log);
  const when = blow.lasts === "once" ? aim.ordinal : `${aim.ordinal}+`;
  return failing(argv, { syscall: aim.syscall, errno: blow.errno, when }, log);
}

function hitCall(
  blow: Blow,
  { aim, log, folder }: { readonly aim: Aim; readonly log: string; readonly folder: string },
): Syscall | null {
  return blow === "kill" ? killedAt(log, aim, folder) : failedAt(log, aim, blow.errno, folder);
}
