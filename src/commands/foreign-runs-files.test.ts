/** Reading, mirroring and repair together, on real files. */
import { appendFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { runFiles } from "../adapters/files/run-index.ts";
import { runMirror } from "../adapters/files/run-mirror.ts";
import { memoryDatabase } from "../adapters/memory/database.ts";
import { memoryStore } from "../adapters/memory/store.ts";
import type { GoalId } from "../core/id.ts";
import { addMilliseconds, type Instant, parseInstant, toRunTime } from "../core/instant.ts";
import { formatEventRef, formatJournalRef } from "../core/runs/event-ref.ts";
import { runMarkdown } from "../core/runs/markdown.ts";
import { type MissingMirror, missingMirrors, type RunNames } from "../core/runs/mirror.ts";
import { indexRowText, runRecordText } from "../core/runs/record.ts";
import { runStem } from "../core/runs/stem.ts";
import type { RunEvent } from "../core/runs/summary.ts";
import type { MirrorOutcome } from "../ports/run-files.ts";
import { catchUpForeign, ownRows } from "./foreign-runs.ts";

const GOAL = "alpha" as GoalId;
const AT = parseInstant("2026-11-30T10:00:00.500Z") as Instant;
const STORE = { store_id: "00000000000000aa" };
const clock = { now: (): Instant => addMilliseconds(AT, 3_600_000) };
const database = memoryDatabase(STORE);
let root: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "loopx-runs-"));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const runs = (): string => join(root, "goals", GOAL, "runs");
const index = (): string => join(runs(), "index.jsonl");
const contents = (): unknown => readdirSync(runs()).map((name) => [name, readFileSync(join(runs(), name), "utf8")]);

function event(seq: number): RunEvent {
  const data = {
    classification: "state_refreshed",
    recommended_action: `step ${seq}`,
    recommended_action_source: "explicit_arg",
    health_check: "state_file 0/1",
    progress_scope: "goal",
    state: null,
  } as const;
  return { type: "run.recorded", goal_id: GOAL, generation: 1, seq, at: AT, data };
}

function mirror(of: RunEvent, named: RunNames | null = null): MirrorOutcome {
  return runMirror({ runtime_root: root }).write({
    goal_id: GOAL,
    stem: runStem(toRunTime(of.at)),
    event: formatEventRef(of),
    journal: formatJournalRef({ ...STORE, generation: 1 }),
    record: runRecordText(of, STORE),
    markdown: runMarkdown(of),
    row: (paths) => indexRowText(of, { ...STORE, ...paths }),
    named,
    attempt: "again",
  });
}

function missing(of: readonly RunEvent[]): readonly MissingMirror[] {
  const files = runFiles({ runtime_root: root });
  const own = ownRows({ store: memoryStore({ database }), files, generation: 1 }, GOAL);
  return missingMirrors({ runs: of, own, has: (name) => files.has(GOAL, name) });
}

test("what is mirrored is read back as LoopX's own, and as facts where its journal is not", async () => {
  mirror(event(1));
  mkdirSync(runs(), { recursive: true });
  appendFileSync(index(), '{"generated_at": "2026-11-30T10:00:01Z", "recommended_action": "theirs"}\n{"torn');
  mirror(event(2));
  const files = runFiles({ runtime_root: root });
  const reading = await catchUpForeign({ store: memoryStore({ database }), files, clock, generation: 1 }, GOAL);
  expect(await reading.count()).toBe(1);
  expect(reading.checkpoint).toMatchObject({ raw_records: 2, first_own_line: 1, foreign_after_own: { line: 2 } });
  expect(reading.damage).toMatchObject([{ code: "invalid_json", line: 3 }]);
  const elsewhere = await catchUpForeign({ store: memoryStore(), files, clock, generation: 1 }, GOAL);
  const rows = await elsewhere.newest({ which: "all", skip: 0, limit: 9 });
  expect(rows.map(({ row }) => row.recommended_action)).toEqual(["theirs", "step 2", "step 1"]);
});

test("what is missing of the mirror is found and written again, byte for byte (M2)", () => {
  const all = [event(1), event(2), event(3)];
  for (const each of all) mirror(each);
  expect(missing(all)).toEqual([]);
  const whole = contents();
  const stem = runStem(toRunTime(AT));
  rmSync(join(runs(), `${stem}-2.json`));
  rmSync(join(runs(), `${stem}.md`));
  expect(missing(all).map(({ event: { seq }, lacks }) => [seq, lacks])).toEqual([
    [1, ["markdown"]],
    [2, ["json"]],
  ]);
  for (const { event: each, named } of missing(all)) mirror(each, named);
  expect(contents()).toEqual(whole);
});

test("rows that are missing are appended once, and pairs that are there are not doubled (M2)", () => {
  const all = [event(1), event(2), event(3)];
  for (const each of all) mirror(each);
  const rows = readFileSync(index(), "utf8").split("\n");
  writeFileSync(index(), `${rows[1]}\n`);
  for (const { event: each, named } of missing(all)) mirror(each, named);
  expect(readFileSync(index(), "utf8").split("\n").toSorted()).toEqual(rows.toSorted());
  expect(missing(all)).toEqual([]);
  expect(readdirSync(runs()).length).toBe(7);
});
