import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { GoalFact } from "../../core/events.ts";
import { append, draftOf } from "../../core/goal/draft.ts";
import type { GoalId } from "../../core/id.ts";
import { type Instant, parseInstant } from "../../core/instant.ts";
import { Fault } from "../../errors.ts";
import type { GoalChange, LoadedGoal, LoadRequest } from "../../ports/store.ts";
import type { ForeignCheckpoint, ForeignRow } from "../../ports/store-foreign.ts";
import type { ViewEntry } from "../../ports/store-views.ts";
import { memoryDatabase } from "./database.ts";
import { type MemoryStore, memoryStore } from "./store.ts";

const GOAL = "alpha" as GoalId;
const AT = parseInstant("2026-11-30T10:00:00Z") as Instant;
const ask = (goal_id: GoalId = GOAL): LoadRequest => ({ goal_id, todos: "all", base: "text" });
const OPENED: GoalFact = { type: "goal.opened", data: { registry: "/p/.loopx/registry.json" } };

function changeOf(loaded: LoadedGoal | undefined, facts: readonly GoalFact[]): GoalChange {
  if (loaded === undefined) throw new Error("not loaded");
  const draft = draftOf(loaded.goal_id, loaded);
  append(draft, facts, { at: AT });
  if (draft.head === null) throw new Error("not opened");
  return { goal_id: loaded.goal_id, events: draft.events, head: draft.head, todos_put: [], todos_removed: [] };
}

function record(store: MemoryStore, facts: readonly GoalFact[], goalId: GoalId = GOAL): ReturnType<MemoryStore["transact"]> {
  return store.transact([ask(goalId)], ([loaded]) => ({ answer: loaded?.head?.seq ?? 0, changes: [changeOf(loaded, facts)] }));
}

describe("the journal", () => {
  test("transactions take turns in the order in which they came (Q1)", async () => {
    const database = memoryDatabase();
    const stores = [memoryStore({ database }), memoryStore({ database })];
    const stop = (n: number): GoalFact => ({ type: "goal.stopped", data: { reason: String(n) } });
    await record(memoryStore({ database }), [OPENED]);
    const answers = await Promise.all(Array.from({ length: 20 }, (_, n) => record(stores[n % 2] ?? memoryStore(), [stop(n)])));
    expect(answers.map(({ answer, pos }) => [answer, pos])).toEqual(Array.from({ length: 20 }, (_, n) => [n + 1, String(n + 2)]));
    const events = await memoryStore({ database }).events({ goal_id: GOAL, order: "newest_first", limit: 2 });
    expect(events.map(({ seq }) => seq)).toEqual([21, 20]);
  });

  test("a change that does not continue what was loaded is not stored", async () => {
    const store = memoryStore();
    await record(store, [OPENED]);
    const twice = store.transact([ask()], ([loaded]) => {
      const { events, ...rest } = changeOf(loaded, [{ type: "goal.activated", data: { reason: "" } }]);
      return { answer: null, changes: [{ ...rest, events: [...events, ...events] }] };
    });
    await expect(twice).rejects.toThrow("does not continue");
    await expect(store.transact([ask(), ask()], () => ({ answer: 0, changes: [] }))).rejects.toThrow("twice");
    await expect(
      store.transact([ask()], ([loaded]) => ({ answer: 0, changes: [changeOf(loaded, []), changeOf(loaded, [])] })),
    ).rejects.toThrow("twice");
    expect(await store.lastPosition()).toBe("1");
  });

  test("a fault that was asked for hits one write, and nothing of it is stored (Q2)", async () => {
    const store = memoryStore();
    await record(store, [OPENED]);
    store.failNext(new Fault({ code: "disk_full", message: "full" }));
    expect(await store.transact([ask()], () => ({ answer: "nothing to write", changes: [] }))).toMatchObject({ pos: null });
    await expect(record(store, [{ type: "goal.activated", data: { reason: "" } }])).rejects.toMatchObject({ code: "disk_full" });
    expect((await store.load(ask())).head?.seq).toBe(1);
    await record(store, [{ type: "goal.activated", data: { reason: "" } }]);
    expect((await store.load(ask())).head?.seq).toBe(2);
  });

  test("nothing that is handed out or in can be changed afterwards (D1)", async () => {
    const store = memoryStore();
    const reason = { reason: "first" };
    await record(store, [OPENED, { type: "goal.stopped", data: reason }]);
    reason.reason = "changed";
    const [, stopped] = await store.events({ goal_id: GOAL, order: "oldest_first", limit: 9 });
    expect(stopped?.data).toEqual({ reason: "first" });
    expect(() => Object.assign(stopped?.data ?? {}, { reason: "x" })).toThrow(TypeError);
    const { head } = await store.load(ask());
    expect(Object.isFrozen(head?.lifecycle)).toBe(true);
  });

  test("text with U+0000 is refused before anything is stored", async () => {
    const store = memoryStore();
    const base = { text: "a\0b", ids: [], fingerprint: "", accepted_at: AT, rendered_seq: 0, sighting: null };
    const change = store.transact([ask()], ([loaded]) => ({
      answer: 0,
      changes: [{ ...changeOf(loaded, [OPENED]), base }],
    }));
    await expect(change).rejects.toThrow("U+0000");
    expect(await store.heads({ after: null, limit: 9 })).toEqual([]);
  });

  test("goals are by code point, the feed by position", async () => {
    const store = memoryStore();
    for (const id of ["é", "b", "a", "\u{1F600}", "\uFFFD"]) await record(store, [OPENED], id as GoalId);
    const ids = (await store.heads({ after: "a", limit: 9 })).map(({ goal_id }) => goal_id);
    expect(ids).toEqual(["b", "é", "\uFFFD", "\u{1F600}"]);
    expect((await store.feed("3", 1)).map(({ pos, event }) => [pos, event.goal_id])).toEqual([["4", "\u{1F600}"]]);
    await expect(store.feed("-1", 1)).rejects.toMatchObject({ code: "bad_cursor" });
  });

  test("a rebuild puts in place what the fold makes of the journal", async () => {
    const store = memoryStore();
    await record(store, [OPENED]);
    const { head } = await store.load(ask());
    const answer = await store.rebuild(GOAL, (events) => ({
      head: head === null ? null : { ...head, run_count: [...events].length * 7 },
      todos: new Map(),
    }));
    expect(answer).toEqual({ events: 1 });
    expect((await store.load(ask())).head?.run_count).toBe(7);
    expect(await store.integrityProblems()).toEqual([]);
  });
});

describe("opened for reading only", () => {
  test("caches say false, changes are a fault, and reading goes on", async () => {
    const database = memoryDatabase();
    await record(memoryStore({ database }), [OPENED]);
    const reader = memoryStore({ database, access: "read_only" });
    expect(await reader.saveMirroredSeq(GOAL, 1, 1)).toBe(false);
    expect(await reader.forgetForeign(GOAL)).toBe(false);
    await expect(record(reader, [{ type: "goal.activated", data: { reason: "" } }])).rejects.toMatchObject({ code: "read_only" });
    await expect(reader.exclusively(() => 1)).rejects.toMatchObject({ code: "read_only" });
    expect(await reader.transact([ask()], ([loaded]) => ({ answer: loaded?.head?.seq, changes: [] }))).toEqual({
      answer: 1,
      pos: null,
    });
    expect(reader.facts()).toMatchObject({ engine: "memory", access: "read_only" });
  });
});

describe("caches", () => {
  const checkpoint: ForeignCheckpoint = {
    fingerprint: "f",
    offset: 10,
    lines: 1,
    tail_sha256: "",
    raw_records: 1,
    damage: [],
    damage_count: 0,
    first_own_line: null,
    foreign_after_own: null,
  };
  const row = (identity: string, at: string | null, n: number): ForeignRow => ({
    identity,
    position: n,
    line: n,
    at: parseInstant(at),
    row: { n, [`k${n}`]: true },
  });

  test("foreign rows are taken in only where the last step ended, and merge by identity", async () => {
    const store = memoryStore();
    expect(await store.ingestForeign(GOAL, { from: 0, rows: [], checkpoint })).toBe(false);
    expect(await store.ingestForeign(GOAL, { from: null, rows: [row("a", "2026-01-01", 1)], checkpoint })).toBe(true);
    const next = { ...checkpoint, offset: 20 };
    expect(await store.ingestForeign(GOAL, { from: 9, rows: [row("b", null, 2)], checkpoint: next })).toBe(false);
    expect(
      await store.ingestForeign(GOAL, { from: 10, rows: [row("b", null, 2), row("a", "2026-01-01", 3)], checkpoint: next }),
    ).toBe(true);
    const rows = await store.foreignRuns(GOAL, { which: "all", skip: 0, limit: 9 });
    expect(rows.map(({ position, row: { n, k1 } }) => [position, n, k1])).toEqual([
      [1, 3, true],
      [2, 2, undefined],
    ]);
    expect(await store.foreignCount(GOAL)).toBe(2);
    expect(await store.foreignCheckpoint(GOAL)).toEqual(next);
    expect(await store.forgetForeign(GOAL)).toBe(true);
    expect(await store.foreignCount(GOAL)).toBe(0);
  });

  test("views come in attention order, page by page", async () => {
    const store = memoryStore();
    const view = (goal_id: string, rank: ViewEntry["rank"]): ViewEntry => ({
      goal_id: goal_id as GoalId,
      key: "k",
      checked_at: AT,
      view: "{}",
      rank,
      run_count: 2,
      open_todos: 1,
      waiting_todos: 0,
      stopped: 0,
      next_change_at: rank === null ? AT : null,
    });
    const rank = (goal_id: string, waits: boolean): ViewEntry["rank"] => ({
      waits_for_person: waits,
      severity: "watch",
      since: AT,
      goal_id,
    });
    await store.saveViews("/r", [
      view("a", null),
      view("b", rank("b", false)),
      view("c", rank("c", true)),
      view("d", rank("d", false)),
    ]);
    const [first] = await store.attention("/r", { after: null, limit: 1 });
    expect(first?.goal_id).toBe("c");
    const rest = await store.attention("/r", { after: first?.cursor ?? null, limit: 9 });
    expect(rest.map(({ goal_id }) => goal_id)).toEqual(["b", "d"]);
    await expect(store.attention("/r", { after: "nonsense", limit: 1 })).rejects.toMatchObject({ code: "bad_cursor" });
    expect(await store.dueViews("/r", AT, 9)).toEqual(["a"]);
    expect((await store.viewPage("/r", { after: "b", limit: 1 })).map(({ goal_id }) => goal_id)).toEqual(["c"]);
    expect(await store.viewPage("/r", { after: "d", limit: 1 })).toEqual([]);
    expect(await store.viewCounts("/r")).toMatchObject({
      goals: 4,
      attention: 3,
      waiting_for_person: 1,
      runs: 8,
      oldest_check: AT,
    });
    expect([...(await store.views("/r", ["b" as GoalId, "x" as GoalId])).keys()]).toEqual(["b"]);
    expect(await store.forgetViews("/r", ["b" as GoalId, "x" as GoalId])).toBe(1);
    expect(await store.forgetViews("/r")).toBe(3);
    await expect(store.saveViews("/r", [{ ...view("a", null), view: "x".repeat(20_000) }])).rejects.toThrow("larger");
  });

  test("the registry is replaced as a whole and paged by id", async () => {
    const store = memoryStore();
    const registry = { path: "/r", fingerprint: "f", sha256: "s", goal_count: 3, header: "{}", problems: [] };
    const rows = ["b", "a", "b"].map((goal_id, ordinal) => ({ goal_id, ordinal, data: "{}" }));
    await store.saveRegistry(registry, rows);
    expect((await store.declared("/r", "b")).map(({ ordinal }) => ordinal)).toEqual([0, 2]);
    const [first] = await store.declaredPage("/r", { after: null, limit: 1 });
    expect(first).toMatchObject({ goal_id: "a", ordinal: 1 });
    expect((await store.declaredPage("/r", { after: first?.goal_id ?? null, limit: 9 })).length).toBe(2);
    await store.saveRegistry({ ...registry, goal_count: 0 }, []);
    expect(await store.declared("/r", "b")).toEqual([]);
    expect((await store.registry("/r"))?.goal_count).toBe(0);
  });

  test("archives are newest first, page by page", async () => {
    const store = memoryStore();
    for (const [n, goal_id] of ["a", "b", "a"].entries()) {
      const archived_at = parseInstant(`2026-01-0${n + 1}`) as Instant;
      await store.saveArchive({
        goal_id: goal_id as GoalId,
        generation: 1,
        archive_path: `/a/${n}`,
        archived_at,
        restored_at: null,
      });
    }
    const [first] = await store.archives({ goal_id: null, after: null, limit: 1 });
    expect(first?.archive_path).toBe("/a/2");
    const rest = await store.archives({ goal_id: "a" as GoalId, after: first?.cursor ?? null, limit: 9 });
    expect(rest.map(({ archive_path }) => archive_path)).toEqual(["/a/0"]);
  });

  test("the counter grows with what others commit, and only then", async () => {
    const database = memoryDatabase();
    const [mine, other] = [memoryStore({ database }), memoryStore({ database })];
    const before = await mine.changeCounter();
    await record(mine, [OPENED]);
    expect(await mine.changeCounter()).toBe(before);
    await other.saveMirroredSeq(GOAL, 1, 1);
    expect(await mine.changeCounter()).toBeGreaterThan(before);
    await other.saveMirroredSeq(GOAL, 1, 0);
    expect(await mine.mirroredSeq(GOAL, 1)).toBe(1);
  });

  test("a copy is a new private file; a closed store answers nothing", async () => {
    const folder = mkdtempSync(join(tmpdir(), "loopx-memory-"));
    const store = memoryStore();
    await record(store, [OPENED]);
    const path = join(folder, "copy");
    await store.copyTo(path);
    expect(JSON.parse(readFileSync(path, "utf8")).feed.length).toBe(1);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    await expect(store.copyTo(path)).rejects.toMatchObject({ code: "EEXIST" });
    await store.close();
    await expect(store.load(ask())).rejects.toThrow("closed");
    rmSync(folder, { recursive: true });
  });
});
