/**
 * Brings the cache of a goal's foreign runs up to its index file, reading only what is new.
 *
 * Does not own: bytes and rows (`core/runs/line-reader.ts`), what a reading reached (`foreign-checkpoint.ts`), the file
 * and the cache (ports).
 *
 * R2  Reading the file in any number of steps gives the same rows.
 * G1  An index whose facts are those of the last reading is not opened. A file that changed less than two seconds before
 *     it was read may change again within one tick of its clock: it is opened once more.
 * G2  (`foreign-start.ts`) When runs of before are missing after a reading from the start, that is damage, until the cache is
 *     forgotten.
 * G3  Where the cache cannot be written, the same rows are held in memory and the answer is the same.
 * G4  An index that is there but cannot be read leaves what is cached, with the damage; one that is gone leaves nothing.
 * G5  At most `CHUNK` bytes of the file and their rows are held at a time, but for G3.
 */
import type { GoalId } from "../core/id.ts";
import type { DecodeUtf8 } from "../core/runs/index-record.ts";
import { LineReader, type OwnRow, type Taken } from "../core/runs/line-reader.ts";
import type { Damage } from "../core/runs/run.ts";
import { RunTable } from "../core/runs/run-table.ts";
import type { OpenIndex, RunFiles } from "../ports/run-files.ts";
import type { Store } from "../ports/store.ts";
import type { ForeignCheckpoint, ForeignRuns } from "../ports/store-foreign.ts";
import type { Clock } from "../ports/system.ts";
import {
  advanced,
  emptyCheckpoint,
  fingerprintAt,
  fingerprintOf,
  UNFINISHED,
  withFileDamage,
  withoutTornTail,
} from "./foreign-checkpoint.ts";
import { isAnyLost, type Remembered, type Runs, remember, storedRuns } from "./foreign-loss.ts";
import { type Start, startFor, tailBefore } from "./foreign-start.ts";

export interface ForeignPorts {
  readonly store: ForeignRuns & Pick<Store, "facts">;
  readonly files: RunFiles;
  readonly clock: Clock;
  /** Of the goal's journal: its rows are LoopX's own, those of an earlier one are not (E1 of `core/runs/event-ref.ts`). */
  readonly generation: number;
  /** Told after each step of a reading. */
  readonly progress?: (step: { readonly goal_id: GoalId; readonly read: number; readonly size: number }) => void;
}

/** The runs that others recorded for one goal. */
export interface ForeignReading extends Runs {
  /** Null when nothing was ever read. */
  readonly checkpoint: ForeignCheckpoint | null;
  /** Of the index; that of the file as a whole comes first. */
  readonly damage: readonly Damage[];
  readonly damage_count: number;
}

const CHUNK = 1_048_576;
/** Each try that fails means that another process went on. */
const MOST_TRIES = 1000;

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

export async function catchUpForeign(ports: ForeignPorts, goalId: GoalId): Promise<ForeignReading> {
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    const reading = await tryToCatchUp(ports, goalId);
    if (reading !== null) return reading;
  }
  return inMemory(ports, goalId, null);
}

/** LoopX's own rows in an index, the whole file, a chunk at a time (doctor). */
export function* ownRows(ports: Pick<ForeignPorts, "store" | "files" | "generation">, goalId: GoalId): Generator<OwnRow> {
  const index = ports.files.open(goalId);
  if (index.kind !== "open") return;
  try {
    for (const chunk of chunks(index, readerFor(ports, goalId, null))) if (!("code" in chunk)) yield* chunk.own;
  } finally {
    index.close();
  }
}

/** Null when another process went on meanwhile. */
async function tryToCatchUp(ports: ForeignPorts, goalId: GoalId): Promise<ForeignReading | null> {
  const { store, files } = ports;
  const probe = files.probe(goalId);
  const known = await store.foreignCheckpoint(goalId);
  if (probe.kind === "missing") return gone(store, goalId, known);
  if (probe.kind === "damaged") return cached(store, goalId, { checkpoint: known, damage: [probe.damage] }); // (G4)
  if (known?.fingerprint === fingerprintOf(probe.facts)) return cached(store, goalId, { checkpoint: known }); // (G1)
  const outcome = await readOn(ports, goalId, known);
  switch (outcome.kind) {
    case "read":
      return cached(store, goalId, { checkpoint: outcome.checkpoint });
    case "damaged":
      return cached(store, goalId, { checkpoint: await store.foreignCheckpoint(goalId), damage: [outcome.damage] });
    case "not_written":
      return inMemory(ports, goalId, known); // (G3)
    case "overtaken":
      return null;
  }
}

type Outcome =
  | { readonly kind: "read"; readonly checkpoint: ForeignCheckpoint }
  | { readonly kind: "damaged"; readonly damage: Damage }
  | { readonly kind: "overtaken" | "not_written" };

async function readOn(ports: ForeignPorts, goalId: GoalId, known: ForeignCheckpoint | null): Promise<Outcome> {
  const index = ports.files.open(goalId);
  if (index.kind === "damaged") return index;
  if (index.kind === "missing") return { kind: "overtaken" };
  try {
    const start = startFor(index, known);
    return "code" in start ? { kind: "damaged", damage: start } : await ingest(ports, goalId, { index, known, start });
  } finally {
    index.close();
  }
}

interface Reading {
  readonly index: OpenIndex;
  /** What the cache holds. */
  readonly known: ForeignCheckpoint | null;
  readonly start: Start;
}

/** Where a reading stands between two steps. */
interface Standing {
  /** What the cache holds. */
  readonly stored: ForeignCheckpoint | null;
  /** What the next step goes on from: null forgets what was cached. */
  readonly from: ForeignCheckpoint | null;
  readonly reached: ForeignCheckpoint;
}

async function ingest(ports: ForeignPorts, goalId: GoalId, { index, known, start }: Reading): Promise<Outcome> {
  const before = start.suspicion === null ? null : await remember(storedRuns(ports.store, goalId));
  const reached = start.from === null ? emptyCheckpoint() : withoutTornTail(start.from);
  let at: Standing = { stored: known, from: start.from, reached };
  for (const chunk of chunks(index, readerFor(ports, goalId, start.from))) {
    if ("code" in chunk) return { kind: "damaged", damage: chunk };
    const outcome = await takeIn(ports, goalId, { index, chunk, at });
    if (outcome.kind !== "read") return outcome;
    at = { stored: outcome.checkpoint, from: outcome.checkpoint, reached: outcome.checkpoint };
    ports.progress?.({ goal_id: goalId, read: chunk.read, size: index.facts.size });
  }
  const checkpoint = await judged(storedRuns(ports.store, goalId), { ...start, before, checkpoint: at.reached });
  if (checkpoint !== at.reached) await ports.store.ingestForeign(goalId, { from: checkpoint.offset, rows: [], checkpoint });
  return { kind: "read", checkpoint };
}

/** G2. The checkpoint, with the suspicion in it if it was right. */
async function judged(
  runs: Runs,
  found: Pick<Start, "suspicion"> & { readonly before: Remembered | null; readonly checkpoint: ForeignCheckpoint },
): Promise<ForeignCheckpoint> {
  const { suspicion, before, checkpoint } = found;
  if (suspicion === null || before === null || !(await isAnyLost(runs, before))) return checkpoint;
  return withFileDamage(checkpoint, suspicion);
}

type Chunk = Taken & { readonly read: number; readonly last: boolean };

interface Step {
  readonly index: OpenIndex;
  readonly chunk: Chunk;
  readonly at: Standing;
}

async function takeIn(ports: ForeignPorts, goalId: GoalId, { index, chunk, at }: Step): Promise<Outcome> {
  const next = advanced(at.reached, chunk);
  const tail = tailBefore(index, next.offset);
  if (typeof tail !== "string") return { kind: "damaged", damage: tail };
  const fingerprint = chunk.last ? fingerprintAt(index.facts, ports.clock.now()) : UNFINISHED;
  const checkpoint = { ...next, tail_sha256: tail, fingerprint };
  const from = at.from?.offset ?? null;
  if (await ports.store.ingestForeign(goalId, { from, rows: chunk.rows, checkpoint })) return { kind: "read", checkpoint };
  return from === checkpoint.offset ? { kind: "read", checkpoint } : whyNot(ports.store, goalId, at.stored);
}

/** A step was not taken: another process went on, or nothing can be written. */
async function whyNot(store: ForeignRuns, goalId: GoalId, stored: ForeignCheckpoint | null): Promise<Outcome> {
  const found = await store.foreignCheckpoint(goalId);
  return { kind: found?.offset === stored?.offset ? "not_written" : "overtaken" };
}

/** The file from where the reader stands to the size it had when it was opened. */
function* chunks(index: OpenIndex, reader: LineReader): Generator<Chunk | Damage> {
  const { size } = index.facts;
  let read = reader.offset;
  for (let last = false; !last; ) {
    const bytes = index.read(read, Math.max(0, Math.min(CHUNK, size - read)));
    if (!(bytes instanceof Uint8Array)) return yield bytes;
    reader.feed(bytes);
    read += bytes.length;
    last = read >= size || bytes.length === 0;
    if (last) reader.end();
    yield { ...reader.take(), read, last };
  }
}

function readerFor(
  ports: Pick<ForeignPorts, "store" | "generation">,
  goalId: GoalId,
  from: ForeignCheckpoint | null,
): LineReader {
  const { store_id } = ports.store.facts();
  return new LineReader({
    decode,
    goal_id: goalId,
    store_id,
    generation: ports.generation,
    offset: from?.offset ?? 0,
    lines: from?.lines ?? 0,
  });
}

async function gone(store: ForeignRuns, goalId: GoalId, known: ForeignCheckpoint | null): Promise<ForeignReading> {
  if (known !== null) await store.forgetForeign(goalId);
  return tableReading(new RunTable(), { checkpoint: null });
}

interface Met {
  readonly checkpoint: ForeignCheckpoint | null;
  readonly damage?: readonly Damage[];
}

function metBy({ checkpoint, damage = [] }: Met): Pick<ForeignReading, "checkpoint" | "damage" | "damage_count"> {
  return {
    checkpoint,
    damage: [...damage, ...(checkpoint?.damage ?? [])],
    damage_count: damage.length + (checkpoint?.damage_count ?? 0),
  };
}

function cached(store: ForeignRuns, goalId: GoalId, met: Met): ForeignReading {
  return { ...metBy(met), ...storedRuns(store, goalId) };
}

function tableReading(table: RunTable, met: Met): ForeignReading {
  return { ...metBy(met), ...tableRuns(table) };
}

function tableRuns(table: RunTable): Runs {
  return { count: async () => table.count, newest: async (page) => table.page(page) };
}

/** G3. Reads from the start: what a cache that stands still holds cannot be merged with what came after it. */
async function inMemory(ports: ForeignPorts, goalId: GoalId, known: ForeignCheckpoint | null): Promise<ForeignReading> {
  const table = new RunTable();
  const index = ports.files.open(goalId);
  if (index.kind === "missing") return tableReading(table, { checkpoint: null });
  if (index.kind === "damaged") return tableReading(table, { checkpoint: null, damage: [index.damage] });
  try {
    const start = startFor(index, known);
    let checkpoint = emptyCheckpoint();
    for (const chunk of chunks(index, readerFor(ports, goalId, null))) {
      if ("code" in chunk) return tableReading(table, { checkpoint, damage: [chunk] });
      table.add(chunk.rows);
      checkpoint = advanced(checkpoint, chunk);
    }
    const before = known === null ? null : await remember(storedRuns(ports.store, goalId));
    const suspicion = "code" in start ? start : start.suspicion;
    return tableReading(table, { checkpoint: await judged(tableRuns(table), { suspicion, before, checkpoint }) });
  } finally {
    index.close();
  }
}

function decode(...[bytes]: Parameters<DecodeUtf8>): string | null {
  try {
    return utf8.decode(bytes);
  } catch {
    return null;
  }
}
