/** S1, S3 between connections. */
import { describe, expect, it } from "vitest";
import type { GoalFact } from "../../src/core/events.ts";
import type { Store } from "../../src/ports/store.ts";
import { onFresh, type StoreAdapter, type StorePlace } from "./store-adapter.ts";
import {
  ARCHIVED,
  added,
  at,
  base,
  changeBy,
  checkpoint,
  foreignRow,
  goalId,
  nextAction,
  OPENED,
  REGISTRY,
  record,
  request,
  todo,
  viewEntry,
} from "./store-data.ts";

const G = goalId("g");
const ALL = { which: "all", skip: 0, limit: 9 } as const;

export function sharingContract<P extends StorePlace>(name: string, adapter: StoreAdapter<P>): void {
  const { another, readOnly } = adapter;

  describe(`${name}: what it lacks`, () => {
    it("gives a reason for each part of the contract that it cannot be held to", () => {
      const reasons = [another, readOnly, adapter.copy].flatMap((part) => ("lacks" in part ? [part.lacks] : []));
      for (const reason of reasons) expect(reason).toMatch(/\w+ \w+/);
    });
  });

  if (!("lacks" in another)) {
    describe(`${name}: two connections`, () => {
      it("S1 lets 200 transactions of each through, all counted once", { timeout: 60_000 }, () =>
        onFresh(adapter, async (store, place) => {
          await record(store, G, [OPENED]);
          const other = await another(place);
          const write = async (through: Store, who: string): Promise<void> => {
            for (let turn = 0; turn < 200; turn += 1) await record(through, G, [nextAction(`${who} ${turn}`)]);
          };
          await Promise.all([write(store, "a"), write(other, "b")]);
          const events = await store.events({ goal_id: G, order: "oldest_first", limit: 999 });
          expect(events.map((event) => event.seq)).toEqual(Array.from({ length: 401 }, (_, index) => index + 1));
          expect((await other.load(request(G))).head?.seq).toBe(401);
          expect(await other.integrityProblems()).toEqual([]);
        }),
      );

      it("S1, S3 show a change of two goals whole or not at all", () =>
        onFresh(adapter, async (store, place) => {
          const other = await another(place);
          const both = [request(G), request(goalId("h"))];
          const facts = (turn: number): readonly GoalFact[] => (turn === 0 ? [OPENED] : [nextAction(`turn ${turn}`)]);
          const seen: number[] = [];
          let writing = true;
          const watch = async (): Promise<void> => {
            while (writing) {
              const seqs = (await other.heads({ after: null, limit: 9 })).map((head) => head.seq);
              expect(new Set(seqs).size).toBeLessThanOrEqual(1);
              seen.push(seqs[0] ?? 0);
              // Reads may resolve without a turn of the event loop, which timers of the writer need.
              await new Promise((resolve) => setImmediate(resolve));
            }
          };
          const watching = watch();
          for (let turn = 0; turn < 40; turn += 1) {
            await store.transact(both, (loaded) => ({
              answer: null,
              changes: loaded.map((goal) => changeBy(goal, facts(turn))),
            }));
          }
          writing = false;
          await watching;
          expect(seen).toEqual(seen.toSorted((a, b) => a - b));
          expect((await other.heads({ after: null, limit: 9 })).map((head) => head.seq)).toEqual([40, 40]);
        }));

      it("S3 counts what other connections commit", () =>
        onFresh(adapter, async (store, place) => {
          const other = await another(place);
          const before = await store.changeCounter();
          expect(await store.changeCounter()).toBe(before);
          await record(other, G, [OPENED]);
          const after = await store.changeCounter();
          expect(after).toBeGreaterThan(before);
          expect(await store.changeCounter()).toBe(after);
        }));

      it("R2 lets one of two readers of a foreign file go on", () =>
        onFresh(adapter, async (store, place) => {
          const other = await another(place);
          await store.ingestForeign(G, { from: null, rows: [foreignRow(0, 1)], checkpoint: checkpoint(1) });
          const step = { from: 100, rows: [foreignRow(1, 2)], checkpoint: checkpoint(2) };
          expect([await other.ingestForeign(G, step), await store.ingestForeign(G, step)]).toEqual([true, false]);
          expect(await store.foreignCount(G)).toBe(2);
        }));
    });
  }

  if (!("lacks" in readOnly)) {
    describe(`${name}: where it cannot be written`, () => {
      it("S3 answers reads the same", () =>
        onFresh(adapter, async (store, place) => {
          await fill(store);
          const reader = await readOnly(place);
          expect(await answersOf(reader)).toEqual(await answersOf(store));
          expect(reader.facts()).toEqual({ ...store.facts(), access: "read_only" });
        }));

      it("S3 saves nothing and says so", () =>
        onFresh(adapter, async (store, place) => {
          await fill(store);
          const before = await answersOf(store);
          const reader = await readOnly(place);
          const saved = [
            await reader.saveSighting(G, null),
            await reader.saveRegistry(
              { path: REGISTRY, fingerprint: "", sha256: "", goal_count: 0, header: "", problems: [] },
              [],
            ),
            await reader.ingestForeign(G, { from: 100, rows: [foreignRow(1, 2)], checkpoint: checkpoint(2) }),
            await reader.forgetForeign(G),
            await reader.saveViews(REGISTRY, [viewEntry("b")]),
            await reader.saveMirroredSeq(G, 1, 99),
            await reader.saveNote("k", "other"),
          ];
          expect(saved).toEqual(saved.map(() => false));
          expect(await reader.forgetViews(REGISTRY)).toBe(0);
          expect(await answersOf(store)).toEqual(before);
        }));

      it("S3 judges but does not store", () =>
        onFresh(adapter, async (store, place) => {
          await fill(store);
          const reader = await readOnly(place);
          const judged = await reader.transact([request(G)], ([loaded]) => ({ answer: loaded?.head?.seq, changes: [] }));
          expect(judged.answer).toBe((await store.load(request(G))).head?.seq);
          await expect(record(reader, G, [nextAction("x")])).rejects.toMatchObject({ code: "read_only" });
          await expect(reader.exclusively(() => 1)).rejects.toMatchObject({ code: "read_only" });
        }));
    });
  }
}

async function fill(store: Store): Promise<void> {
  await record(store, goalId("h"), [OPENED, ...ARCHIVED]);
  await record(store, G, [OPENED, added(todo("one", { metadata: { claimed_by: "ghost" } }))], { base: base("text") });
  await store.saveRegistry({ path: REGISTRY, fingerprint: "f", sha256: "s", goal_count: 1, header: "{}", problems: [] }, [
    { goal_id: "g", ordinal: 0, data: "{}" },
  ]);
  await store.ingestForeign(G, { from: null, rows: [foreignRow(0, 1)], checkpoint: checkpoint(1) });
  const rank = { waits_for_person: true, severity: "high", since: at(1), goal_id: "g" } as const;
  await store.saveViews(REGISTRY, [viewEntry("g", { rank, next_change_at: at(3) })]);
  await store.saveMirroredSeq(G, 1, 2);
  await store.saveNote("k", "text");
  await store.saveArchive({ goal_id: goalId("h"), generation: 1, archive_path: "/a/h", archived_at: at(2), restored_at: null });
}

async function answersOf(store: Store): Promise<unknown> {
  return [
    await store.load(request(G)),
    await store.heads({ after: null, limit: 9 }),
    await store.events({ goal_id: G, order: "newest_first", limit: 9 }),
    await store.feed(null, 99),
    await store.lastPosition(),
    await store.readyTodos(G, { role: "agent", limit: 9 }),
    await store.claimedTodos(G, { except: [], limit: 9 }),
    await store.registry(REGISTRY),
    await store.declared(REGISTRY, "g"),
    await store.declaredPage(REGISTRY, { after: null, limit: 9 }),
    await store.foreignCheckpoint(G),
    await store.foreignRuns(G, ALL),
    await store.views(REGISTRY, [G]),
    await store.attention(REGISTRY, { after: null, limit: 9 }),
    await store.dueViews(REGISTRY, at(9), 9),
    await store.viewCounts(REGISTRY),
    await store.mirroredSeq(G, 1),
    await store.note("k"),
    await store.archives({ goal_id: null, after: null, limit: 9 }),
    await store.integrityProblems(),
  ];
}
