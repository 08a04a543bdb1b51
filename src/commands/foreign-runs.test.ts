import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { FakeRunFiles, INDEX_CHANGED } from "../../test/fakes/run-files.ts";
import { memoryDatabase } from "../adapters/memory/database.ts";
import { type MemoryStore, memoryStore } from "../adapters/memory/store.ts";
import type { GoalId } from "../core/id.ts";
import { addMilliseconds, type Instant, parseInstant } from "../core/instant.ts";
import { catchUpForeign, type ForeignPorts, type ForeignReading, ownRows } from "./foreign-runs.ts";

const STORE = "00000000000000aa";
const GOAL = "alpha" as GoalId;
const LATER = addMilliseconds(INDEX_CHANGED, 60_000);
const EVERYTHING = { which: "all", skip: 0, limit: 10_000 } as const;

const row = (n: number, more: object = {}): string =>
  JSON.stringify({ generated_at: `2026-08-01T09:${String(n % 60).padStart(2, "0")}:00Z`, json_path: `/r/${n}.json`, n, ...more });
const own = (seq: number): string => row(900, { loopx_event: `alpha/${seq}`, loopx_store: `${STORE}/1` });

function portsOf(
  files: FakeRunFiles,
  store: MemoryStore = memoryStore({ database: memoryDatabase({ store_id: STORE }) }),
  now: Instant = LATER,
): ForeignPorts {
  return { store, files, clock: { now: () => now }, generation: 1 };
}

async function shown(reading: ForeignReading): Promise<unknown> {
  return { count: await reading.count(), rows: await reading.newest(EVERYTHING), damage: reading.damage.length };
}

const numbers = async (reading: ForeignReading): Promise<readonly unknown[]> =>
  (await reading.newest(EVERYTHING)).map((placed) => placed.row["n"]);

describe("catching up", () => {
  test("reads what is new and nothing twice; an unchanged index is not opened (G1)", async () => {
    const files = new FakeRunFiles().set(`${row(1)}\n${row(2)}\n`);
    const ports = portsOf(files);
    expect(await numbers(await catchUpForeign(ports, GOAL))).toEqual([2, 1]);
    await catchUpForeign(ports, GOAL);
    expect(files.opened.length).toBe(1);
    const before = files.bytes?.length;
    files.append(`${row(3)}\n`);
    const reading = await catchUpForeign(ports, GOAL);
    expect(await numbers(reading)).toEqual([3, 2, 1]);
    expect(files.read).toEqual([before, row(3).length + 1]);
    expect(reading.checkpoint).toMatchObject({ raw_records: 3, lines: 3, offset: files.bytes?.length });
  });

  test("an index that changed just now is opened once more, then trusted (G1)", async () => {
    const files = new FakeRunFiles().set(`${row(1)}\n`);
    const store = memoryStore();
    await catchUpForeign(portsOf(files, store, addMilliseconds(INDEX_CHANGED, 1999)), GOAL);
    await catchUpForeign(portsOf(files, store), GOAL);
    expect(files.opened.length).toBe(2);
    await catchUpForeign(portsOf(files, store), GOAL);
    expect(files.opened.length).toBe(2);
    expect(files.read.length).toBe(1);
  });

  test("a torn tail is reported while it stays, and counted once", async () => {
    const files = new FakeRunFiles().set(`x\n${row(1)}\n{"n": `);
    const ports = portsOf(files);
    for (let times = 0; times < 2; times += 1) {
      const torn = await catchUpForeign(ports, GOAL);
      expect(torn.damage.map(({ code, line }) => [code, line])).toEqual([
        ["invalid_json", 1],
        ["torn_tail", 3],
      ]);
      expect(torn).toMatchObject({ damage_count: 2, checkpoint: { raw_records: 3 } });
      files.append(" ");
    }
    files.append(`7}\n`);
    const whole = await catchUpForeign(ports, GOAL);
    expect(whole.damage.map(({ code }) => code)).toEqual(["invalid_json"]);
    expect(whole).toMatchObject({ damage_count: 1, checkpoint: { raw_records: 3 } });
    expect(await numbers(whole)).toEqual([1, 7]);
  });

  test("any way of coming back gives what one reading gives (R2)", async () => {
    const part = fc.oneof(
      fc.nat(9).map((n) => `${row(n)}\n`),
      fc.nat(9).map((n) => row(n, { more: true })),
      fc.constantFrom("\n", "[1]\n", '{"n": ', "\r\n", `${own(3)}\n`, "\u0000\n", "é"),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(part, { maxLength: 12 }), async (parts) => {
        const files = new FakeRunFiles();
        const ports = portsOf(files);
        for (const each of parts) await catchUpForeign(portsOf(files.append(each), ports.store as MemoryStore), GOAL);
        const stepped = await catchUpForeign(ports, GOAL);
        const once = await catchUpForeign(portsOf(files), GOAL);
        expect(await shown(stepped)).toEqual(await shown(once));
        expect(stepped.checkpoint).toEqual(once.checkpoint);
      }),
      { numRuns: 200 },
    );
  });

  test("a large index is read in steps, and told so (G5)", async () => {
    const files = new FakeRunFiles().set(
      Array.from({ length: 9000 }, (_, n) => `${row(n, { pad: "x".repeat(300) })}\n`).join(""),
    );
    const steps: number[] = [];
    const ports = { ...portsOf(files), progress: ({ read }: { readonly read: number }): void => void steps.push(read) };
    const reading = await catchUpForeign(ports, GOAL);
    expect(await reading.count()).toBe(9000);
    expect(Math.max(...files.read)).toBeLessThanOrEqual(1_048_576);
    expect(steps.length).toBe(files.read.length);
    expect(steps.at(-1)).toBe(files.bytes?.length);
  });
});

describe("a file that is not what it was (G2)", () => {
  async function rereadAfter(change: (files: FakeRunFiles) => unknown): Promise<ForeignReading> {
    const files = new FakeRunFiles().set(`${row(1)}\n${row(2)}\n`);
    const ports = portsOf(files);
    await catchUpForeign(ports, GOAL);
    change(files);
    return catchUpForeign(ports, GOAL);
  }

  test("shorter: read from the start, and the runs that are gone are reported until the cache is forgotten", async () => {
    const files = new FakeRunFiles().set(`${row(1)}\n${row(2)}\n`);
    const ports = portsOf(files);
    await catchUpForeign(ports, GOAL);
    files.set(`x\n${row(2)}\n`);
    for (let times = 0; times < 2; times += 1) {
      const reading = await catchUpForeign(ports, GOAL);
      expect(await numbers(reading)).toEqual([2]);
      expect(reading.damage.map(({ code, line }) => [code, line])).toEqual([
        ["shrunk", 0],
        ["invalid_json", 1],
      ]);
      files.append(" \n");
    }
    await ports.store.forgetForeign(GOAL);
    expect((await catchUpForeign(ports, GOAL)).damage.map(({ code }) => code)).toEqual(["invalid_json"]);
  });

  test("with other bytes: read from the start, and the runs that are gone are reported", async () => {
    const reading = await rereadAfter((files) => files.set(`${row(3)}\n${row(4)}\n${row(5)}\n`));
    expect(await numbers(reading)).toEqual([5, 4, 3]);
    expect(reading.damage).toMatchObject([{ code: "rewritten", line: 0 }]);
  });

  test("corrected or repaired: read from the start, and nothing is reported when no run is gone", async () => {
    const reading = await rereadAfter((files) => files.set(`${row(2, { corrected: true })}\n${row(1)}\n${row(0)}\n`));
    expect(await numbers(reading)).toEqual([2, 1, 0]);
    expect(reading.damage).toEqual([]);
    expect((await rereadAfter((files) => files.set(`${row(2)}\n${row(1)}\n`))).damage).toEqual([]);
  });

  test("a run that is gone is noticed among many that were added", async () => {
    const many = Array.from({ length: 3000 }, (_, n) => `${row(n + 10)}\n`).join("");
    const lost = await rereadAfter((files) => files.set(`${row(1)}\n${many}`));
    expect(lost.damage).toMatchObject([{ code: "rewritten" }]);
    expect((await rereadAfter((files) => files.set(`${many}${row(1)}\n${row(2)}\n`))).damage).toEqual([]);
  });

  test("another file whose last bytes are the same: read from the start", async () => {
    const tail = `${row(5, { pad: "x".repeat(5000) })}\n`;
    const files = new FakeRunFiles().set(`${row(1)}\n${tail}`);
    const ports = portsOf(files);
    await catchUpForeign(ports, GOAL);
    files.file = 2;
    files.set(`${row(1, { n: 7 })}\n${tail}${row(6)}\n`);
    const reading = await catchUpForeign(ports, GOAL);
    expect(await numbers(reading)).toEqual([6, 5, 7]);
    expect(reading.damage).toEqual([]);
  });

  test("gone: nothing is left of it (G4)", async () => {
    const reading = await rereadAfter((files) => {
      files.bytes = null;
    });
    expect(await shown(reading)).toEqual({ count: 0, rows: [], damage: 0 });
    expect(reading.checkpoint).toBeNull();
  });

  test("unreadable: what was read stays, with the damage (G4)", async () => {
    const reading = await rereadAfter((files) => {
      files.broken = { code: "unreadable", line: 0, message: "EACCES" };
    });
    expect(await numbers(reading)).toEqual([2, 1]);
    expect(reading.damage).toMatchObject([{ code: "unreadable" }]);
  });
});

describe("a disk that fails in the middle of the file (G4)", () => {
  const text = Array.from({ length: 9000 }, (_, n) => `${row(n, { pad: "x".repeat(300) })}\n`).join("");

  test("leaves what was read before it, and the next reading goes on from there", async () => {
    const files = new FakeRunFiles().set(text);
    const ports = portsOf(files);
    files.failsAt = 2_200_000;
    const reading = await catchUpForeign(ports, GOAL);
    expect(reading.damage).toMatchObject([{ code: "unreadable" }]);
    const some = await reading.count();
    expect(some).toBeGreaterThan(0);
    files.failsAt = 1;
    expect((await catchUpForeign(ports, GOAL)).damage).toMatchObject([{ code: "unreadable" }]);
    files.failsAt = Number.POSITIVE_INFINITY;
    const whole = await catchUpForeign(ports, GOAL);
    expect([await whole.count(), whole.damage]).toEqual([9000, []]);
    expect(files.read.reduce((sum, bytes) => sum + bytes, 0)).toBeLessThan(text.length + 1_048_576);
  });

  test("is reported the same where the cache cannot be written", async () => {
    const files = new FakeRunFiles().set(text);
    files.failsAt = 2_200_000;
    const reading = await catchUpForeign(portsOf(files, memoryStore({ access: "read_only" })), GOAL);
    expect(reading.damage).toMatchObject([{ code: "unreadable" }]);
    expect(await reading.count()).toBeGreaterThan(0);
    expect([...ownRows(portsOf(files), GOAL)]).toEqual([]);
  });
});

describe("where the cache cannot be written (G3)", () => {
  test("the answer is the same, whatever was cached before", async () => {
    const text = `${row(1)}\nx\n${row(2)}\n${row(1, { later: true })}\n${JSON.stringify({ generated_at: "?", n: 9 })}\n`;
    for (const cached of ["", row(1), `${row(1)}\nx\n`, text, `${row(1)}\n${row(8)}\n`, text.repeat(2)]) {
      const database = memoryDatabase();
      const files = new FakeRunFiles().set(cached);
      await catchUpForeign(portsOf(files, memoryStore({ database })), GOAL);
      files.set(text);
      const readOnly = await catchUpForeign(portsOf(files, memoryStore({ database, access: "read_only" })), GOAL);
      const writing = await catchUpForeign(portsOf(files, memoryStore({ database })), GOAL);
      expect(await shown(readOnly)).toEqual(await shown(writing));
      expect(readOnly.damage).toEqual(writing.damage);
      const page = { which: "speaking", skip: 1, limit: 1 } as const;
      expect(await readOnly.newest(page)).toEqual(await writing.newest(page));
    }
  });

  test("an index with nothing new is not read again", async () => {
    const database = memoryDatabase();
    const files = new FakeRunFiles().set(`${row(1)}\n`);
    await catchUpForeign(portsOf(files, memoryStore({ database }), INDEX_CHANGED), GOAL);
    const reading = await catchUpForeign(portsOf(files, memoryStore({ database, access: "read_only" })), GOAL);
    expect(await numbers(reading)).toEqual([1]);
    expect(files.read.length).toBe(1);
  });

  test("an index that cannot be read, or was never there, is no run", async () => {
    const files = new FakeRunFiles();
    const ports = portsOf(files, memoryStore({ access: "read_only" }));
    files.bytes = null;
    expect(await shown(await catchUpForeign(ports, GOAL))).toEqual({ count: 0, rows: [], damage: 0 });
    files.broken = { code: "not_a_file", line: 0, message: "" };
    expect(await shown(await catchUpForeign(ports, GOAL))).toEqual({ count: 0, rows: [], damage: 1 });
  });
});

describe("several processes", () => {
  test("that read one index at once take in each row once", async () => {
    const database = memoryDatabase();
    const files = new FakeRunFiles().set(
      Array.from({ length: 12_000 }, (_, n) => `${row(n, { pad: "x".repeat(300) })}\n`).join(""),
    );
    const readings = await Promise.all(
      Array.from({ length: 5 }, () => catchUpForeign(portsOf(files, memoryStore({ database })), GOAL)),
    );
    for (const reading of readings) expect(await reading.count()).toBe(12_000);
    expect((await memoryStore({ database }).foreignCheckpoint(GOAL))?.raw_records).toBe(12_000);
  });
});

test("a cache that others always move is not waited for", async () => {
  const files = new FakeRunFiles().set(`${row(1)}\n`);
  const store = memoryStore();
  await catchUpForeign(portsOf(files, store), GOAL);
  const known = await store.foreignCheckpoint(GOAL);
  if (known === null) throw new Error("not read");
  files.append(`${row(2)}\n`);
  let asked = 0;
  const restless = {
    ...store,
    ingestForeign: async () => false,
    foreignCheckpoint: async () => ({ ...known, lines: 1, offset: known.offset - (asked++ % 2) }),
  };
  expect(await numbers(await catchUpForeign({ ...portsOf(files), store: restless }, GOAL))).toEqual([2, 1]);
});

test("bytes that are not UTF-8 are one damaged line", async () => {
  const files = new FakeRunFiles().set(
    Buffer.concat([Buffer.from(`${row(1)}\n`), Buffer.from([0xff, 0x0a]), Buffer.from(`${row(2)}\n`)]),
  );
  const reading = await catchUpForeign(portsOf(files), GOAL);
  expect([await numbers(reading), reading.damage.map(({ code, line }) => [code, line])]).toEqual([[2, 1], [["invalid_utf8", 2]]]);
});

describe("LoopX's own rows", () => {
  test("are not counted, but the first of them and what others appended after it are known", async () => {
    const files = new FakeRunFiles().set(`${row(1)}\n`);
    const ports = portsOf(files);
    expect((await catchUpForeign(ports, GOAL)).checkpoint).toMatchObject({ first_own_line: null, foreign_after_own: null });
    files.append(`${own(4)}\n`);
    expect((await catchUpForeign(ports, GOAL)).checkpoint).toMatchObject({ first_own_line: 2, foreign_after_own: null });
    files.append(`${own(5)}\n${row(2)}\n${row(3)}\n`);
    const { checkpoint } = await catchUpForeign(ports, GOAL);
    expect(checkpoint).toMatchObject({
      raw_records: 3,
      first_own_line: 2,
      foreign_after_own: { line: 4, at: parseInstant("2026-08-01T09:02:00Z") },
    });
    expect((await catchUpForeign(portsOf(files), GOAL)).checkpoint).toEqual(checkpoint);
    expect([...ownRows(ports, GOAL)].map(({ event, line }) => [event, line])).toEqual([
      ["alpha/4", 2],
      ["alpha/5", 3],
    ]);
    files.bytes = null;
    expect([...ownRows(ports, GOAL)]).toEqual([]);
  });
});
