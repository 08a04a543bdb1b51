/**
 * A sweep: one run of a command is traced, then at each call that it made on its files the same run is killed, or fails.
 *
 * Does not own: the commands, and what must hold afterwards (the fault tests).
 *
 * W1  Every call that was seen on a file of the project is a point, and at every point the run is really hit: killed with
 *     exit 137, or answered with the error, at that call, on that file. A point that cannot be hit fails the sweep, unless
 *     another trace shows that the program did not make this call again.
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
  /** The n-th call of that name on that file. */
  readonly rank: number;
}

export interface Swept {
  readonly points: number;
  /** Calls that the program makes on some runs only, and did not make when they were to be hit. */
  readonly vanished: number;
  readonly failures: readonly string[];
}

const LANES = 2;
/** Where the call is looked for: the runtime makes one more or less. */
const OFFSETS = [0, 0, 1, -1];
/** How often it is looked up anew where it is: a store that holds other times writes other pages. */
const TRACES = 5;

export async function sweep(plan: Sweep): Promise<Swept> {
  const lanes = Array.from({ length: LANES }, () => emptyFolder());
  const failures: string[] = [];
  try {
    const points = await pointsOf(plan);
    const waiting = points.entries();
    const vanished = await Promise.all(lanes.map((lane) => work(plan, lane, { waiting, failures })));
    return { points: points.length, vanished: vanished.reduce((sum, count) => sum + count, 0), failures };
  } finally {
    for (const lane of lanes) lane.remove();
  }
}

async function pointsOf(plan: Sweep): Promise<readonly Aim[]> {
  const of = emptyFolder();
  try {
    await standing(plan, of);
    return tracedPoints(plan, of);
  } finally {
    of.remove();
  }
}

function tracedPoints(plan: Sweep, of: Project): readonly Aim[] {
  const trace = traceSyscalls(of.argv(...plan.args), { cwd: of.folder });
  if (trace.exit !== 0) throw new Error(`the traced run ended with ${trace.exit}: ${trace.stdout}${trace.stderr}`);
  const names = plan.blow === "kill" ? WRITING : plan.blow.calls;
  const strange = trace.otherCalls.filter((call) => WRITING.includes(call.name) && fileOf(call, of) !== null);
  if (strange.length > 0) throw new Error(`another thread writes: ${strange.map((call) => call.name).join(" ")}`);
  const ranks = new Map<string, number>();
  return trace.calls.flatMap((call) => {
    const file = names.includes(call.name) ? fileOf(call, of) : null;
    if (file === null) return [];
    const rank = (ranks.get(`${call.name} ${file}`) ?? 0) + 1;
    ranks.set(`${call.name} ${file}`, rank);
    return [{ syscall: call.name, ordinal: call.ordinal, file, rank }];
  });
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

/** How many calls had vanished. */
async function work(plan: Sweep, lane: Project, { waiting, failures }: Work): Promise<number> {
  await standing(plan, lane);
  const kept = keep(lane);
  let vanished = 0;
  try {
    for (const [at, point] of waiting) {
      try {
        const hit = await hitThere(plan, lane, { point, restore: kept.restore });
        if (hit === null) vanished += 1;
        else await plan.check({ of: lane, point, run: hit });
      } catch (error) {
        failures.push(`${at}: ${point.syscall} ${point.ordinal} on ${point.file}: ${String(error)}`);
      }
    }
  } finally {
    kept.forget();
  }
  return vanished;
}

interface Place {
  readonly point: Aim;
  readonly restore: () => void;
}

/** (W1, W2) Null when the program does not make this call any more. */
async function hitThere(plan: Sweep, lane: Project, { point, restore }: Place): Promise<Answered | null> {
  let aim: Aim | undefined = point;
  let gone = 0;
  for (let traces = 0; traces < TRACES; traces += 1) {
    const ended = aim === undefined ? null : await tryToHit(plan, lane, { point: aim, restore });
    if (ended !== null) return ended;
    restore();
    const { syscall, file, rank } = point;
    const seen = tracedPoints(plan, lane);
    aim = seen.find((each) => each.syscall === syscall && each.file === file && each.rank === rank);
    if (aim === undefined) gone += 1;
  }
  if (gone > 0) return null;
  throw new Error("the run was not hit at this point");
}

async function tryToHit(plan: Sweep, lane: Project, { point, restore }: Place): Promise<Answered | null> {
  const folder = mkdtempSync(join(tmpdir(), "loopx-sweep-"));
  const log = join(folder, "trace");
  try {
    for (const offset of OFFSETS) {
      restore();
      const aim = { ...point, ordinal: Math.max(1, point.ordinal + offset) };
      const ended = await run(armed(plan, lane, { aim, log }), { cwd: lane.folder });
      const call = hitCall(plan.blow, { aim, log, folder: lane.folder });
      const isHit = plan.blow !== "kill" || ended.exit === 137;
      if (isHit && call !== null && fileOf(call, lane) === point.file) return ended;
    }
    return null;
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
